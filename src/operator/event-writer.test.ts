import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FakeApi } from '../../test/build/fake-api.ts';
import { logLines } from '../../test/build/log-lines.ts';
import { ApiError } from '../live/api-client.ts';
import type { OperatorEvent } from './event-list.ts';
import { EventWriter } from './event-writer.ts';

const event = (name: string, sketch: Partial<OperatorEvent> = {}): OperatorEvent => ({
  on: { kind: 'NodeClaim', name, uid: `uid-${name}` },
  type: 'Normal',
  reason: 'Unconsolidatable',
  note: 'because',
  topic: 'utilization',
  ...sketch,
});

function writerOn(api: FakeApi) {
  const clock = { ms: 1_000_000 };
  const fates: string[] = [];
  const writer = new EventWriter({
    client: api,
    instance: 'decant-0',
    log: logLines().log,
    nowMs: () => clock.ms,
    count: (fate) => fates.push(fate),
  });
  return { writer, clock, fates };
}

test('an event is one that the API server takes', async () => {
  const api = new FakeApi();
  const { writer } = writerOn(api);
  writer.publish([event('a', { note: 'x'.repeat(2000) })]);
  await writer.settled();
  const [{ path, body }] = api.asked;
  const { metadata, note, ...rest } = body as { metadata: { name: string }; note: string };
  assert.equal(path, '/apis/events.k8s.io/v1/namespaces/default/events');
  assert.match(metadata.name, /^a\.[0-9a-f]+$/);
  assert.equal(note, `${'x'.repeat(1021)}…`);
  assert.deepEqual(rest, {
    apiVersion: 'events.k8s.io/v1',
    kind: 'Event',
    eventTime: '1970-01-01T00:16:40.000000Z',
    reportingController: 'decant.sh/controller',
    reportingInstance: 'decant-0',
    action: 'Consolidation',
    type: 'Normal',
    reason: 'Unconsolidatable',
    regarding: { apiVersion: 'karpenter.sh/v1', kind: 'NodeClaim', name: 'a', uid: 'uid-a' },
  });
});

test('a note has at most 1,024 bytes, whatever its characters', async () => {
  for (const character of ['x', '–', '🙂']) {
    const api = new FakeApi();
    const { writer } = writerOn(api);
    writer.publish([event('a', { note: `x${character.repeat(1023)}` })]);
    await writer.settled();
    const { note } = api.asked[0].body as { note: string };
    const bytes = Buffer.byteLength(note);
    assert.ok(bytes <= 1024 && bytes > 1018, `${bytes} bytes`);
    assert.doesNotMatch(note, /\ufffd/u);
  }
});

test('an event about an object of a namespace is in that namespace', async () => {
  const api = new FakeApi();
  const { writer } = writerOn(api);
  const on = { kind: 'PodDisruptionBudget', namespace: 'shop', name: 'web', uid: 'u' } as const;
  writer.publish([event('web', { on })]);
  await writer.settled();
  const [{ path, body }] = api.asked;
  const { metadata, regarding } = body as { metadata: { namespace: string }; regarding: object };
  assert.equal(path, '/apis/events.k8s.io/v1/namespaces/shop/events');
  assert.equal(metadata.namespace, 'shop');
  assert.deepEqual(regarding, { apiVersion: 'policy/v1', ...on });
});

test('the same is said again after 15 minutes, and at once if it is about something else', async () => {
  const api = new FakeApi();
  const { writer, clock } = writerOn(api);
  writer.publish([event('a'), event('a', { note: 'the numbers have moved on' }), event('b')]);
  writer.publish([event('a', { topic: 'not-cheaper' }), event('a', { reason: 'DisruptionBlocked' })]);
  await writer.settled();
  assert.equal(api.asked.length, 4);
  clock.ms += 15 * 60_000 - 1;
  writer.publish([event('a')]);
  await writer.settled();
  assert.equal(api.asked.length, 4);
  clock.ms += 1;
  writer.publish([event('a')]);
  await writer.settled();
  assert.equal(api.asked.length, 5);
});

test('a thousand at once are fifty, then two a second; those left out get their turn', async () => {
  const api = new FakeApi();
  const { writer, clock, fates } = writerOn(api);
  const all = Array.from({ length: 1000 }, (_, i) => event(`n${i}`));
  writer.publish(all);
  await writer.settled();
  assert.equal(api.asked.length, 50);
  assert.equal(fates.filter((f) => f === 'limited').length, 950);
  clock.ms += 10_000;
  writer.publish(all);
  await writer.settled();
  assert.equal(api.asked.length, 70);
  const names = api.bodies<{ regarding: { name: string } }>('POST').map((b) => b.regarding.name);
  assert.equal(new Set(names).size, 70);
});

test('while the API server does not answer, few wait', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const api = new FakeApi(() => promise);
  const { writer, clock, fates } = writerOn(api);
  for (let i = 0; i < 1000; i++, clock.ms += 1000) writer.publish([event(`n${i}`)]);
  resolve();
  await writer.settled();
  assert.equal(fates.filter((f) => f === 'sent').length + fates.filter((f) => f === 'limited').length, 1000);
  assert.ok(api.asked.length <= 101, `${api.asked.length}`);
});

test('one that fails is dropped and counted, and the next is sent', async () => {
  let broken = true;
  const api = new FakeApi(() => {
    if (broken) throw new ApiError('forbidden', { status: 403, reason: 'Forbidden' });
  });
  const { writer, fates } = writerOn(api);
  writer.publish([event('a')]);
  await writer.settled();
  broken = false;
  writer.publish([event('a'), event('b')]);
  await writer.settled();
  assert.deepEqual(fates, ['failed', 'sent']);
});
