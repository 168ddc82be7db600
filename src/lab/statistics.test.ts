import assert from 'node:assert/strict';
import { test } from 'node:test';
import { estimate, studentT975 } from './statistics.ts';

test('quantiles of Student’s t as printed tables have them', () => {
  const table: readonly [number, number][] = [
    [1, 12.706],
    [2, 4.303],
    [4, 2.776],
    [9, 2.262],
    [29, 2.045],
    [30, 2.042],
    [31, 2.04],
    [40, 2.021],
    [60, 2.0],
    [120, 1.98],
    [100_000, 1.96],
  ];
  for (const [degrees, quantile] of table)
    assert.equal(studentT975(degrees).toFixed(3), quantile.toFixed(3), `${degrees}`);
  for (let n = 1; n < 200; n++) assert.ok(studentT975(n + 1) < studentT975(n), `falls from ${n} on`);
});

test('mean, sample standard deviation and 95 % confidence interval', () => {
  // 2, 4, 4, 4, 5, 5, 7, 9: mean 5, sum of squares 32, over 7.
  const { mean, stdDev, margin } = estimate([2, 4, 4, 4, 5, 5, 7, 9]);
  assert.equal(mean, 5);
  assert.equal(stdDev.toFixed(6), Math.sqrt(32 / 7).toFixed(6));
  // R: t.test(c(2,4,4,4,5,5,7,9))$conf.int is 3.212512 to 6.787488.
  assert.equal(margin?.toFixed(4), '1.7875');
});

test('a single value has no interval; equal values have one of no width', () => {
  assert.deepEqual(estimate([7]), { mean: 7, stdDev: 0 });
  assert.deepEqual(estimate([7, 7, 7]), { mean: 7, stdDev: 0, margin: 0 });
});
