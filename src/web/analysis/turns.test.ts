import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Turns } from './turns.ts';

/** Work that ends when it is told to, and says when it began. */
function task(log: string[], name: string) {
  const { promise, resolve } = Promise.withResolvers<string>();
  const work = () => {
    log.push(name);
    return promise;
  };
  return { work, end: () => resolve(name) };
}

test('one after the other, in order', async () => {
  const [turns, log] = [new Turns('busy'), [] as string[]];
  const [a, b] = [task(log, 'a'), task(log, 'b')];
  const both = [turns.take(a.work), turns.take(b.work)];
  b.end();
  await new Promise((resolve) => setImmediate(resolve));
  assert.deepEqual(log, ['a']);
  a.end();
  assert.deepEqual(await Promise.all(both), ['a', 'b']);
  assert.deepEqual(log, ['a', 'b']);
});

test('the ninth is refused, unless one has left', async () => {
  const [turns, log] = [new Turns('too many'), [] as string[]];
  const first = task(log, 'first');
  const left = new AbortController();
  const waiting = [
    turns.take(first.work),
    ...Array.from({ length: 7 }, (_, i) => turns.take(async () => log.push(`${i}`), left.signal)),
  ];
  await assert.rejects(
    turns.take(async () => {}),
    /too many; try again in a moment/,
  );
  left.abort();
  const last = turns.take(async () => log.push('last'));
  first.end();
  await last;
  assert.deepEqual(log, ['first', 'last']);
  assert.deepEqual(
    (await Promise.allSettled(waiting)).map(({ status }) => status),
    ['fulfilled', ...Array.from({ length: 7 }, () => 'rejected')],
  );
});
