import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { commitmentAdvice, type SpendStep, spendStep } from './commitment-advice.ts';

const steps = (...spent: readonly (readonly [number, number])[]): readonly SpendStep[] =>
  spent.map(([dollars, hours]) => ({ hours, dollarsByGroup: new Map([['all', dollars]]) }));

const round = (x: number) => Number(x.toFixed(6));

describe('the commitment that would have been right', () => {
  test('day and night: the night alone at a small discount, the day too at a large one', () => {
    const day = steps([10, 12], [4, 12]);
    const best = (discount: number) => round(commitmentAdvice(day, discount)[0].best.dollarsPerHour);
    // The day's 6 dollars more are used half of the time: worth it from 50 % off.
    assert.equal(best(0.2), round(4 * 0.8));
    assert.equal(best(0.6), round(10 * 0.4));
  });

  test('with its cost, coverage, use and break-even', () => {
    const [{ best, costDollars, breakEvenDollarsPerHour, leastDollarsPerHour, mostDollarsPerHour }] = commitmentAdvice(
      steps([10, 12], [4, 12]),
      0.25,
    );
    assert.deepEqual([costDollars, leastDollarsPerHour, mostDollarsPerHour], [168, 4, 10]);
    assert.deepEqual(Object.values(best).map(round), [3, 144, 24, round(96 / 168), 1]);
    // 24 hours at 6 dollars are what 12 hours at 8 and 12 at 4 dollars cost: 8 dollars of list price.
    assert.equal(round(breakEvenDollarsPerHour), 6);
  });

  test('no other size costs less', () => {
    const spent = fc.array(fc.tuple(fc.integer({ min: 0, max: 50 }), fc.integer({ min: 1, max: 9 })), { minLength: 1 });
    fc.assert(
      fc.property(
        spent,
        fc.integer({ min: 1, max: 99 }),
        fc.double({ min: 0, max: 60, noNaN: true }),
        (list, off, size) => {
          const [{ best, points, costDollars }] = commitmentAdvice(steps(...list), off / 100);
          const other = list.reduce(
            (sum, [dollars, hours]) => sum + (size * (1 - off / 100) + Math.max(0, dollars - size)) * hours,
            0,
          );
          assert.ok(best.costDollars <= other + 1e-6);
          assert.ok(best.costDollars <= costDollars + 1e-6);
          assert.ok(points.every((point) => point.costDollars >= best.costDollars - 1e-6));
        },
      ),
    );
  });

  test('is for on-demand nodes, by family, type or pool', () => {
    const node = (type: string, capacityType: string, pool = 'default') => ({ pool, type, capacityType, price: 1 });
    const nodes = [node('m5.large', 'on-demand'), node('m5.xlarge', 'on-demand', 'big'), node('c5.large', 'spot')];
    const groups = (by: 'all' | 'family' | 'type' | 'pool') => [...spendStep(1, nodes, by).dollarsByGroup];
    assert.deepEqual(groups('all'), [['on-demand', 2]]);
    assert.deepEqual(groups('family'), [['m5', 2]]);
    assert.deepEqual(groups('type'), [
      ['m5.large', 1],
      ['m5.xlarge', 1],
    ]);
    assert.deepEqual(groups('pool'), [
      ['default', 1],
      ['big', 1],
    ]);
  });
});
