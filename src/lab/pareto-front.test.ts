import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { runs } from '../../test/build/runs.ts';
import { onParetoFront, type Tradeoff } from './pareto-front.ts';

test('neither dearer and no calmer, nor wilder and no cheaper', () => {
  const points = [
    { cost: 10, evictions: 0 },
    { cost: 9, evictions: 5 },
    { cost: 9, evictions: 6 },
    { cost: 8, evictions: 5 },
    { cost: 11, evictions: 0 },
    { cost: 7, evictions: 90 },
  ];
  assert.deepEqual(onParetoFront(points), [true, false, false, true, false, true]);
});

test('equal points are on it together', () => {
  const equal = { cost: 1, evictions: 1 };
  assert.deepEqual(onParetoFront([equal, equal, { cost: 1, evictions: 2 }]), [true, true, false]);
  assert.deepEqual(onParetoFront([]), []);
});

test('exactly the points that no other beats, whatever their order', () => {
  const point = fc.record({ cost: fc.nat(8), evictions: fc.nat(8) });
  fc.assert(
    fc.property(fc.array(point, { minLength: 1, maxLength: 20 }), (points) => {
      const front = onParetoFront(points);
      assert.deepEqual(
        front,
        points.map((p) => !points.some((q) => beats(q, p))),
      );
      assert.deepEqual(onParetoFront([...points].reverse()).toReversed(), front);
      assert.ok(front.includes(true));
    }),
    runs(300),
  );
});

function beats(a: Tradeoff, b: Tradeoff): boolean {
  return a.cost <= b.cost && a.evictions <= b.evictions && (a.cost < b.cost || a.evictions < b.evictions);
}
