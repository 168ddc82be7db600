import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shifted, spanOf, within, zoomed } from './span.ts';

const HOUR = 3_600_000;
const DAY = { fromMs: 0, toMs: 24 * HOUR };

test('closer and wider, around the middle, until it is all', () => {
  const half = zoomed(undefined, DAY, 0.5);
  assert.deepEqual(half, { fromMs: 6 * HOUR, toMs: 18 * HOUR });
  assert.deepEqual(zoomed(half, DAY, 0.5), { fromMs: 9 * HOUR, toMs: 15 * HOUR });
  assert.equal(zoomed(half, DAY, 2), undefined);
});

test('earlier and later stop at the ends', () => {
  const span = { fromMs: 2 * HOUR, toMs: 6 * HOUR };
  assert.deepEqual(shifted(span, DAY, 0.5), { fromMs: 4 * HOUR, toMs: 8 * HOUR });
  assert.deepEqual(shifted(span, DAY, -0.9), { fromMs: 0, toMs: 4 * HOUR });
  assert.deepEqual(shifted({ fromMs: 19 * HOUR, toMs: 23 * HOUR }, DAY, 0.5), { fromMs: 20 * HOUR, toMs: 24 * HOUR });
  assert.equal(shifted(undefined, DAY, 1), undefined);
});

test('never shorter than a minute', () => {
  assert.deepEqual(within({ fromMs: HOUR, toMs: HOUR + 5 }, DAY), { fromMs: HOUR, toMs: HOUR + 60_000 });
});

test('from an address, whatever it says', () => {
  assert.deepEqual(spanOf('1', '20'), { fromMs: 1, toMs: 20 });
  for (const [from, to] of [
    [null, null],
    ['20', '1'],
    ['x', '5'],
    ['5', null],
  ] as const)
    assert.equal(spanOf(from, to), undefined);
});
