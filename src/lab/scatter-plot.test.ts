import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { namedPolicy } from '../../test/build/lab.ts';
import { runs } from '../../test/build/runs.ts';
import type { TotalRow } from './comparison.ts';
import { onParetoFront } from './pareto-front.ts';
import { pointLabels } from './point-labels.ts';
import { scatter } from './scatter-chart.ts';
import { scatterPlot } from './scatter-plot.ts';

/** Rows with these costs and evictions. */
function rows(points: readonly (readonly [number, number])[]): TotalRow[] {
  const front = onParetoFront(points.map(([cost, evictions]) => [cost, evictions]));
  const of = (mean: number) => ({ mean, stdDev: 0 });
  return points.map(([cost, evictions], i) => ({
    policy: namedPolicy(`p${i}`),
    cost: of(cost),
    evictions: of(evictions),
    lostPodHours: of(0),
    reevictions: of(0),
    unavailablePodSeconds: of(0),
    onFront: front[i],
  }));
}

describe('the plot', () => {
  test('capitals are the front, stairs lead from one to the next', () => {
    const lines = scatterPlot(
      rows([
        [100, 0],
        [80, 20],
        [70, 60],
        [90, 80],
      ]),
      47,
    );
    assert.deepEqual(lines, [
      'cost',
      '$100.00 │A·········',
      '        │         ·',
      '        │         ·',
      '        │         ·',
      '        │         ·',
      '        │         ·                           d',
      '        │         ·',
      ' $85.00 │         ·',
      '        │         ·',
      '        │         B···················',
      '        │                            ·',
      '        │                            ·',
      '        │                            ·',
      '        │                            ·',
      ' $70.00 │                            C',
      '        └──────────────────────────────────────',
      '         0                         80 evictions',
    ]);
  });

  test('one policy, or several that are alike, stand in the middle', () => {
    for (const points of [
      [[5, 3]],
      [
        [5, 3],
        [5, 3],
      ],
    ] as const) {
      const lines = scatterPlot(rows(points));
      assert.equal(lines.filter((line) => /│ +A$/.test(line)).length, 1);
    }
  });

  test('fits 80 columns whatever the figures, and shows a letter for each spot', () => {
    const point = fc.tuple(fc.double({ min: 0, max: 1e7, noNaN: true }), fc.nat(1e7));
    fc.assert(
      fc.property(fc.array(point, { minLength: 1, maxLength: 40 }), (points) => {
        const lines = scatterPlot(rows(points));
        assert.ok(
          lines.every((line) => line.length <= 80),
          lines.join('\n'),
        );
        assert.match(
          lines
            .slice(1, -2)
            .map((line) => line.split('│')[1])
            .join(''),
          /[A-Z]/,
        );
      }),
      runs(100),
    );
  });
});

test('labels: the front from its calmest to its cheapest, then the others, then a plus', () => {
  const some = rows([
    [100, 0],
    [120, 50],
    [80, 20],
    [80, 20],
  ]);
  assert.deepEqual(pointLabels(some), ['A', 'd', 'B', 'C']);
  const many = rows(Array.from({ length: 30 }, (_, i) => [100 + i, i]));
  assert.equal(pointLabels(many).join(''), 'Abcdefghijklmnopqrstuvwxyz++++');
});

test('in the chart, points of the front are on top of others, and share their label', () => {
  const points: readonly (readonly [number, number])[] = [
    [100, 0],
    [80, 20],
    [80.01, 20],
  ];
  const { points: drawn } = scatter(rows(points), ['none', 'balanced', 'calm'], 800);
  const at = drawn.map(({ onFront, label }) => [onFront, label]);
  assert.deepEqual(at, [
    [false, ''],
    [true, 'none'],
    [true, 'balanced, calm'],
  ]);
});
