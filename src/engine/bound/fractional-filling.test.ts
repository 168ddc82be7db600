import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { runs } from '../../../test/build/runs.ts';
import { highsSolver } from '../../bound/highs-solver.ts';
import { FractionalFilling } from './fractional-filling.ts';

const solver = await highsSolver();

const anyItem = fc.record({
  shares: fc.tuple(fc.integer({ min: 0, max: 40 }), fc.integer({ min: 0, max: 40 }), fc.integer({ min: 1, max: 20 })),
  most: fc.integer({ min: 1, max: 9 }),
  value: fc.integer({ min: 0, max: 30 }),
});

test('as good as the solver: the value of the pods, and the bound that the prices give', () => {
  fc.assert(
    fc.property(fc.array(anyItem, { minLength: 1, maxLength: 12 }), (items) => {
      const shares = Float64Array.from(items.flatMap((item) => item.shares.map((percent) => percent / 100)));
      const most = Int32Array.from(items, (item) => item.most);
      const values = Float64Array.from(items, (item) => item.value);
      const prices = new Float64Array(3);
      const pods = new Float64Array(items.length);
      new FractionalFilling(shares, most, 3).solve(values, prices, pods);
      const weight = (i: number) => prices.reduce((sum, price, r) => sum + price * shares[i * 3 + r], 0);
      const value = pods.reduce((sum, n, i) => sum + n * values[i], 0);
      const atMost = values.reduce(
        (sum, v, i) => sum + most[i] * Math.max(0, v - weight(i)),
        prices.reduce((sum, price) => sum + price, 0),
      );
      const solution = solver.solve({
        columns: items.map((_, i) => {
          return { cost: -values[i], rows: [0, 1, 2, 3 + i], values: [...shares.subarray(3 * i, 3 * i + 3), 1] };
        }),
        rows: [1, 1, 1, ...most].map((atMostOf) => ({ atLeast: -Infinity, atMost: atMostOf })),
      });
      assert.ok(solution.solved);
      assert.ok(Math.abs(value + solution.objective) < 1e-6, `${value} instead of ${-solution.objective}`);
      assert.ok(Math.abs(atMost + solution.objective) < 1e-6, `at most ${atMost} instead of ${-solution.objective}`);
    }),
    runs(200),
  );
});
