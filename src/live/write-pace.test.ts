import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Backoff } from './backoff.ts';
import { WritePace } from './write-pace.ts';

/** Whose sleeps only move a clock. */
function paced(perSecond: number, burst: number) {
  const clock = { ms: 0 };
  const pace = new WritePace(
    { perSecond, burst },
    () => clock.ms,
    async (ms) => {
      clock.ms += ms;
    },
  );
  return { clock, pace };
}

test('a burst at once, then one after the other', async () => {
  const { clock, pace } = paced(10, 3);
  const times: number[] = [];
  for (let i = 0; i < 6; i++) {
    await pace.turn();
    times.push(Math.round(clock.ms));
  }
  assert.deepEqual(times, [0, 0, 0, 100, 200, 300]);
  clock.ms += 60_000;
  await pace.turn();
  assert.equal(Math.round(clock.ms), 60_300);
});

test('no write before the time of Retry-After', async () => {
  const { clock, pace } = paced(10, 3);
  pace.pause(7_000);
  await pace.turn();
  assert.ok(clock.ms >= 7_000);
});

test('never more than the rate allows in any stretch of time', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat(2_000), { minLength: 1, maxLength: 40 }), async (pauses) => {
      const { clock, pace } = paced(5, 4);
      const times: number[] = [];
      for (const pauseMs of pauses) {
        clock.ms += pauseMs;
        await pace.turn();
        times.push(clock.ms);
      }
      for (let i = 0; i < times.length; i++)
        for (let k = i; k < times.length; k++)
          assert.ok(k - i + 1 <= 4 + (5 * (times[k] - times[i])) / 1000 + 1e-6 + 1);
    }),
  );
});

test('after each failure twice as long, within bounds, never all at one moment; a server that says when is listened to', () => {
  const backoff = new Backoff({ firstMs: 100, mostMs: 1_000 }, () => 1);
  assert.deepEqual(
    [1, 2, 3, 4, 5, 6].map(() => backoff.nextMs()),
    [100, 200, 400, 800, 1_000, 1_000],
  );
  assert.equal(backoff.nextMs(5_000), 5_000);
  backoff.reset();
  assert.equal(backoff.nextMs(), 100);
  assert.equal(new Backoff({ firstMs: 100, mostMs: 1_000 }, () => 0).nextMs(), 50);
});
