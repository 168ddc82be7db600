import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import type { BoundaryPoints } from '../../api.ts';
import { highestThreshold, pointKindOf, roundedThreshold, sumOfPoints, underThreshold } from './local.ts';
import { knobsOf, questionPath } from './question.ts';
import { squareRootAxis } from './square-root-axis.ts';

/** Each as cost, savings in cents, verdict without a threshold, exempt. */
function points(rows: readonly (readonly [number, number, 0 | 1 | 2, 0 | 1])[]): BoundaryPoints {
  return {
    node: rows.map((_, i) => `node-${i}`),
    pool: rows.map(() => 0),
    centsPerHour: rows.map(() => 20),
    disruptionCost: rows.map(([cost]) => cost),
    savingsCentsPerHour: rows.map(([, savings]) => savings),
    requiredCentsPerHour: rows.map(() => 0),
    evictions: rows.map((_, i) => i + 1),
    exempt: rows.map(([, , , exempt]) => exempt),
    now: rows.map(([, , verdict]) => verdict),
    asked: rows.map(([, , verdict]) => verdict),
    unbounded: rows.map(([, , verdict]) => verdict),
    reason: rows.map(() => -1),
  };
}

describe('the line, moved', () => {
  const some = points([
    [6, 6, 1, 0],
    [6, 5.9, 2, 0],
    [6, 100, 0, 0],
    [50, 1, 1, 1],
    [2, 0, 2, 0],
  ]);

  test('on the line is enough; below it, kept by another gate, or without savings is not; empty nodes are exempt', () => {
    assert.deepEqual(underThreshold(some, 1), [1, 0, 0, 1, 0]);
    assert.deepEqual(underThreshold(some, 0), [1, 2, 0, 1, 0]);
    assert.deepEqual(underThreshold(some, 1000), [0, 0, 0, 1, 0]);
  });

  test('sums are of those that go', () => {
    assert.deepEqual(sumOfPoints(some, [1, 0, 0, 1, 0]), { nodes: 2, savingsCentsPerHour: 7, evictions: 5 });
  });

  test('a higher threshold never lets more go, and beyond the highest only what is exempt', () => {
    const anyPoint = fc.tuple(
      fc.integer({ min: 0, max: 1000 }).map((n) => n / 10),
      fc.integer({ min: 0, max: 100_000 }).map((n) => n / 100),
      fc.constantFrom<0 | 1 | 2>(0, 1, 2),
      fc.constantFrom<0 | 1>(0, 1),
    );
    fc.assert(
      fc.property(
        fc.array(anyPoint, { maxLength: 20 }),
        fc.double({ min: 0, max: 50, noNaN: true }),
        fc.double({ min: 0, max: 50, noNaN: true }),
        (rows, low, extra) => {
          const all = points(rows);
          const [before, after] = [underThreshold(all, low), underThreshold(all, low + extra)];
          assert.ok(after.every((verdict, i) => verdict === 0 || before[i] !== 0));
          const beyond = underThreshold(all, highestThreshold(all, 0));
          for (const [i, verdict] of beyond.entries())
            if (verdict !== 0) assert.ok(all.exempt[i] === 1 || all.disruptionCost[i] === 0);
        },
      ),
    );
  });

  test('nodes that change are listed separately from nodes that do not', () => {
    assert.equal(pointKindOf(0, 1), 'in');
    assert.equal(pointKindOf(2, 0), 'out');
    assert.equal(pointKindOf(0, 0), 'stays');
    assert.equal(pointKindOf(2, 1), 'delete');
    assert.equal(pointKindOf(1, 2), 'replace');
  });

  test('thresholds have three digits', () => {
    assert.deepEqual([0.123456, 12.3456, 1234.56, -1, 0].map(roundedThreshold), [0.123, 12.3, 1230, 0, 0]);
  });
});

describe('axes of square roots', () => {
  const axis = squareRootAxis([0.5, 4, 90], 60, 660);

  test('a pixel and its value belong together', () => {
    for (const value of [0, 0.5, 4, 90]) assert.ok(Math.abs(axis.of(axis.at(value)) - value) < 1e-9);
    assert.equal(axis.at(0), 60);
    assert.ok(axis.at(90) < 660 && axis.at(90) > 630);
    assert.equal(axis.of(1000), axis.most, 'beyond the plot is its edge');
  });

  test('a line through the origin is straight', () => {
    const other = squareRootAxis([10], 500, 20);
    const slope = (cost: number) => (other.at(0.1 * cost) - 500) / (axis.at(cost) - 60);
    for (const cost of [1, 7, 50]) assert.ok(Math.abs(slope(cost) - slope(25)) < 1e-9);
  });

  test('ticks read well and lie within', () => {
    assert.deepEqual(
      axis.ticks.map(({ value }) => value),
      [0, 2, 10, 20, 50],
    );
    assert.deepEqual(
      squareRootAxis([], 0, 100).ticks.map(({ value }) => value),
      [0, 0.00002, 0.0001, 0.0002, 0.0005, 0.001],
    );
  });
});

test('a question is what the address says, and no more', () => {
  const knobs = knobsOf(new URLSearchParams('threshold=2&policy=WhenEmpty&other=1&grace='));
  assert.deepEqual(knobs, { threshold: '2', policy: 'WhenEmpty' });
  assert.equal(questionPath('boundary', knobs), '/api/boundary?threshold=2&policy=WhenEmpty');
  assert.equal(questionPath('what-if', {}), '/api/what-if');
});
