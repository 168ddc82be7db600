import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { HOUR_MS, MINUTE_MS, NOW_MS } from '../../test/build/units.ts';
import { type AdaptiveLevel, type AdaptiveSettings, adapted, type PoolObservation } from './adaptive-threshold.ts';

const SETTINGS: AdaptiveSettings = {
  leastCents: 0.1,
  mostCents: 5,
  targetPerPodDay: 2,
  factor: 2,
  stepCents: 0.25,
  windowMs: HOUR_MS,
};

const LEVEL: AdaptiveLevel = { cents: 1, why: 'start', sinceMs: NOW_MS, centsPerHour: 100 };

/** 48 pods: 4 evictions in an hour are 2 per pod and day. */
function seen(minutes: number, sketch: Partial<PoolObservation> & { evicted?: number } = {}): PoolObservation {
  const { evicted = 0, ...rest } = sketch;
  return {
    nowMs: NOW_MS + minutes * MINUTE_MS,
    pods: 48,
    evictedSince: () => evicted,
    blocked: 3,
    centsPerHour: 100,
    ...rest,
  };
}

function after(...observations: readonly PoolObservation[]): AdaptiveLevel {
  return observations.reduce((level, each) => adapted(level, each, SETTINGS), LEVEL);
}

describe('one step', () => {
  test('evictions above the target double it at once', () => {
    const { cents, why, perPodDay } = after(seen(1, { evicted: 5 }));
    assert.deepEqual([cents, why, perPodDay], [2, 'churn', 2.5]);
  });

  test('exactly the target is not above it', () => {
    assert.equal(after(seen(1, { evicted: 4 })), LEVEL);
  });

  test('calm, nodes kept by the threshold and the same cost lower it by a step, after the window', () => {
    assert.equal(after(seen(59)), LEVEL);
    const { cents, why } = after(seen(60));
    assert.deepEqual([cents, why], [0.75, 'stagnation']);
  });

  test('a cost that fell, nothing that it keeps, or half the target of evictions leave it', () => {
    for (const sketch of [{ centsPerHour: 98 }, { blocked: 0 }, { evicted: 3 }]) {
      const { cents, why } = after(seen(60, sketch));
      assert.deepEqual([cents, why], [1, 'steady'], JSON.stringify(sketch));
    }
    assert.equal(after(seen(60, { evicted: 2 })).why, 'stagnation', 'half of it is room enough');
  });

  test('what a raise has answered is not counted again', () => {
    const asked: number[] = [];
    const evictedSince = (sinceMs: number) => {
      asked.push((sinceMs - NOW_MS) / MINUTE_MS);
      return asked.length === 1 ? 5 : 0;
    };
    after(seen(10, { evictedSince }), seen(20, { evictedSince }), seen(90, { evictedSince }));
    assert.deepEqual(asked, [0, 10, 30]);
  });

  test('nothing is lowered against a cost that is not known', () => {
    const { centsPerHour: _, ...fresh } = LEVEL;
    assert.equal(adapted(fresh, seen(60), SETTINGS).why, 'steady');
  });

  test('a threshold of nothing can rise too, and one at the top stays there', () => {
    const at = (cents: number) => adapted({ ...LEVEL, cents }, seen(1, { evicted: 48 }), SETTINGS).cents;
    assert.deepEqual([at(0), at(4), at(5)], [0.5, 5, 5]);
  });

  test('a clock that was set back starts the window anew', () => {
    const back = adapted({ ...LEVEL, sinceMs: NOW_MS + 1000 * HOUR_MS }, seen(0), SETTINGS);
    assert.equal(back.sinceMs, NOW_MS);
  });
});

describe('over time', () => {
  /** A pool in which a higher threshold means fewer evictions, as they do: `churn / cents` of them in each window. */
  function levels(churn: number, startCents: number, hours: number): readonly number[] {
    let level: AdaptiveLevel = { ...LEVEL, cents: startCents };
    return Array.from({ length: hours }, (_, i) => {
      level = adapted(level, seen(60 * (i + 1), { evicted: Math.round(churn / Math.max(0.1, level.cents)) }), SETTINGS);
      return level.cents;
    });
  }

  test('it settles where evictions are between half the target and the target', () => {
    // 4 evictions in an hour are the target: at 2 cents there are 3.
    const path = levels(6, 0.1, 48);
    const end = path.slice(24);
    assert.equal(new Set(end).size, 1, path.join(' '));
    assert.ok(end[0] >= 1.5 && end[0] <= 3, path.join(' '));
  });

  test('from above it settles in the same band', () => {
    const [end] = levels(6, 5, 48).slice(-1);
    assert.ok(end >= 1.5 && end <= 3, String(end));
  });

  test('it never leaves its bounds, and moves by one step or one factor at a time', () => {
    const observation = fc.record({
      evicted: fc.nat(200),
      pods: fc.nat(100),
      blocked: fc.nat(3),
      centsPerHour: fc.double({ min: 0, max: 500, noNaN: true }),
      minutes: fc.integer({ min: -30, max: 180 }),
    });
    fc.assert(
      fc.property(
        fc.array(observation, { maxLength: 60 }),
        fc.double({ min: 0.1, max: 5, noNaN: true }),
        (all, cents) => {
          let [level, nowMs] = [{ ...LEVEL, cents }, NOW_MS];
          for (const { evicted, minutes, ...rest } of all) {
            nowMs += minutes * MINUTE_MS;
            const next = adapted(level, { ...rest, nowMs, evictedSince: () => evicted }, SETTINGS);
            assert.ok(next.cents >= SETTINGS.leastCents && next.cents <= SETTINGS.mostCents);
            assert.ok(next.cents <= 2 * Math.max(level.cents, SETTINGS.stepCents) + 1e-9);
            assert.ok(next.cents >= level.cents - SETTINGS.stepCents - 1e-9);
            level = { ...LEVEL, ...next };
          }
        },
      ),
    );
  });
});
