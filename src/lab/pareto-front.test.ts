import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { runs } from '../../test/build/runs.ts';
import { onParetoFront } from './pareto-front.ts';

test('a point is dominated by one that is as good in all dimensions and better in one', () => {
  const points = [
    [10, 0],
    [9, 5],
    [9, 6],
    [8, 5],
    [11, 0],
    [7, 90],
  ];
  assert.deepEqual(onParetoFront(points), [true, false, false, true, false, true]);
  const lost = [
    [10, 5, 0],
    [9, 5, 3],
    [10, 6, 0],
  ];
  assert.deepEqual(onParetoFront(lost), [true, true, false]);
});

test('equal points are on it together', () => {
  assert.deepEqual(
    onParetoFront([
      [1, 1],
      [1, 1],
      [1, 2],
    ]),
    [true, true, false],
  );
  assert.deepEqual(onParetoFront([]), []);
});

test('every other point is dominated by one on the front, in any order', () => {
  const point = fc.tuple(fc.nat(8), fc.nat(8), fc.nat(2));
  fc.assert(
    fc.property(fc.array(point, { minLength: 1, maxLength: 20 }), (points) => {
      const front = onParetoFront(points);
      assert.deepEqual(onParetoFront([...points].reverse()).toReversed(), front);
      const kept = points.filter((_, i) => front[i]);
      points.forEach((p, i) => {
        if (!front[i]) assert.ok(kept.some((q) => q.every((value, d) => value <= p[d])));
      });
    }),
    runs(300),
  );
});
