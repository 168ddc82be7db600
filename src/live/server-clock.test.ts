import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { runs } from '../../test/build/runs.ts';
import { ServerClock } from './server-clock.ts';

const NOON = Date.UTC(2026, 7, 20, 12);
const stamp = (ms: number) => new Date(ms).toUTCString();

/** A server that is so far ahead, and how long the way there and the way back take. */
function exchange(clock: ServerClock, own: { ms: number }, aheadMs: number, [thereMs, backMs]: [number, number]): void {
  const askedMs = own.ms;
  own.ms += thereMs;
  const date = stamp(own.ms + aheadMs);
  own.ms += backMs;
  clock.heard(date, askedMs);
}

function startAt(ms: number) {
  const own = { ms };
  return { own, clock: new ServerClock(() => own.ms) };
}

test('clocks that agree to the second stay as they are', () => {
  const { own, clock } = startAt(NOON);
  for (const ahead of [0, 900, -900, 1_500, -1_500]) {
    exchange(clock, own, ahead, [20, 20]);
    assert.equal(clock.offsetMs, 0);
  }
});

test('a clock that is ten minutes off is put right by the first answer, either way, and stays so', () => {
  for (const ahead of [600_000, -600_000]) {
    const { own, clock } = startAt(NOON + 250);
    exchange(clock, own, ahead, [30, 30]);
    assert.ok(Math.abs(clock.offsetMs - ahead) <= 1_060, `${clock.offsetMs}`);
    const first = clock.offsetMs;
    for (let i = 0; i < 20; i++) {
      own.ms += 370;
      exchange(clock, own, ahead, [10 * i, 400]);
      assert.equal(clock.offsetMs, first);
    }
    assert.ok(Math.abs(clock.nowMs() - (own.ms + ahead)) <= 1_060);
  }
});

test('an own clock that is set right is believed again', () => {
  const { own, clock } = startAt(NOON);
  exchange(clock, own, 600_000, [5, 5]);
  own.ms += 600_000;
  exchange(clock, own, 0, [5, 5]);
  assert.ok(Math.abs(clock.offsetMs) <= 1_010);
});

test('an answer that took long says little, one without a time nothing', () => {
  const { own, clock } = startAt(NOON);
  exchange(clock, own, 0, [25_000, 0]);
  exchange(clock, own, 0, [0, 25_000]);
  for (const date of [undefined, '', 'yesterday', '2026-99-99']) clock.heard(date, own.ms);
  assert.equal(clock.offsetMs, 0);
});

test('with any latency, the error is at most the latency and three seconds', () => {
  const way = fc.integer({ min: 0, max: 20_000 });
  const ways = fc.array(fc.tuple(way, way), { minLength: 1, maxLength: 10 });
  const ahead = fc.integer({ min: -3_600_000, max: 3_600_000 });
  fc.assert(
    fc.property(ahead, ways, fc.integer({ min: 0, max: 999 }), (aheadMs, all, fraction) => {
      const { own, clock } = startAt(NOON + fraction);
      for (const each of all) exchange(clock, own, aheadMs, each);
      const shortest = Math.min(...all.map(([there, back]) => there + back));
      assert.ok(Math.abs(clock.offsetMs - aheadMs) <= shortest + 3_000);
    }),
    runs(300),
  );
});
