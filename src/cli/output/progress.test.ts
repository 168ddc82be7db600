import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { TimeLeft } from './progress.ts';

/** Pace of work by the share that is done: seconds per share. */
const PACES: readonly { readonly name: string; readonly secondsAt: (share: number) => number }[] = [
  { name: 'steady', secondsAt: () => 100 },
  { name: 'a slow start, five times as slow for the first tenth', secondsAt: (share) => (share < 0.1 ? 500 : 100) },
  {
    name: 'twice as slow for the first 20 %, as a process that warms up',
    secondsAt: (s) => (s < 0.2 ? 200 : 100),
  },
  { name: 'ever slower, to twice the pace', secondsAt: (share) => 100 * (1 + share) },
];

describe('after a quarter of the work the estimate is within a factor of two', () => {
  for (const { name, secondsAt } of PACES) {
    test(name, () => {
      const steps = Array.from({ length: 1000 }, (_, i) => (i + 1) / 1000);
      let elapsedMs = 0;
      const times = steps.map((share) => (elapsedMs += secondsAt(share)));
      const totalMs = elapsedMs;
      const timeLeft = new TimeLeft();
      steps.forEach((share, i) => {
        const estimate = timeLeft.estimateMs(share, times[i]) ?? Number.NaN;
        const ratio = estimate / (totalMs - times[i]);
        if (share >= 0.25 && share < 1) assert.ok(ratio > 0.5 && ratio < 2, `${share}: ${ratio}`);
      });
    });
  }
});

test('while a step takes far longer than the others, the steps after it are not forgotten', () => {
  const timeLeft = new TimeLeft();
  for (let step = 1; step <= 10; step++) timeLeft.estimateMs(step / 20, step * 50);
  for (const elapsedMs of [600, 900, 1500]) {
    const estimate = timeLeft.estimateMs(0.5, elapsedMs) ?? 0;
    assert.ok(estimate >= 450, `${elapsedMs}: ${estimate}`);
  }
  const atTheEnd = new TimeLeft();
  for (let step = 1; step <= 19; step++) atTheEnd.estimateMs(step / 20, step * 50);
  assert.ok((atTheEnd.estimateMs(0.95, 2000) ?? 1) < 1, 'nothing comes after the last step');
});

test('no estimate before anything is done', () => {
  const timeLeft = new TimeLeft();
  assert.equal(timeLeft.estimateMs(0, 1000), undefined);
  assert.equal(timeLeft.estimateMs(0.001, 1500), undefined, 'eight hours, after four seconds of starting');
  assert.equal(timeLeft.estimateMs(0.5, 2000), 2000);
  assert.equal(timeLeft.estimateMs(0.5, 2500), 1500, 'waiting for the next step is part of what was left');
});
