import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { experiment, namedPolicy, runSummary } from '../../test/build/lab.ts';
import { type ComparedRow, compared } from './comparison.ts';
import { tuningOf } from './tuning.ts';
import { bestForGoal, meetsGoal, outcomesOf, type TuningGoal } from './tuning-goal.ts';
import { goalText, recommendationText } from './tuning-text.ts';

/** [name, dollars, evictions] over two days, with 10 pods. */
const FIGURES: readonly (readonly [string, number, number])[] = [
  ['none', 100, 0],
  ['stock', 60, 80],
  ['eager', 50, 100],
  ['middle', 55, 40],
  ['calm', 70, 10],
];

function rows(): readonly ComparedRow[] {
  const policies = FIGURES.map(([name]) => namedPolicy(name));
  const results = FIGURES.map(([, costDollars, evictions], job) => ({
    job,
    summary: runSummary({ costDollars, evictions, pods: 10 }),
    elapsedMs: 0,
  }));
  return compared(experiment({ policies, seeds: 1, days: 2 }), results).workloads[0].rows;
}

const ROWS = rows();
const OUTCOMES = outcomesOf(ROWS, ROWS[0], 2);
const named = (name: string) => OUTCOMES.find(({ row }) => row.policy.name === name)!;

test('evictions per pod and day, and savings as a share of the most', () => {
  const { evictionsPerPodDay, savedDollars, kept } = named('middle');
  assert.deepEqual([evictionsPerPodDay, savedDollars, kept], [2, 45, 0.9]);
  assert.deepEqual([named('none').kept, named('eager').kept], [0, 1]);
});

test('where nothing saves anything there is nothing to keep', () => {
  const [none, stock] = ROWS;
  const [, outcome] = outcomesOf([none, { ...stock, cost: { mean: 120, stdDev: 0 } }], none, 2);
  assert.equal(outcome.kept, undefined);
  assert.ok(meetsGoal({ keepSavings: 1 }, outcome));
});

describe('the best for a wish', () => {
  const tried = ['eager', 'middle', 'calm'].map(named);
  const cases: readonly (readonly [string, TuningGoal, string, boolean])[] = [
    ['few evictions: the cheapest of those', { maxEvictionsPerPodDay: 2 }, 'middle', true],
    ['very few', { maxEvictionsPerPodDay: 0.5 }, 'calm', true],
    ['fewer than there are: the fewest', { maxEvictionsPerPodDay: 0.1 }, 'calm', false],
    ['most of the savings: the calmest of those', { keepSavings: 0.9 }, 'middle', true],
    ['a little of them', { keepSavings: 0.5 }, 'calm', true],
    ['both: the cheapest', { keepSavings: 0.5, maxEvictionsPerPodDay: 2 }, 'middle', true],
    ['both, and no such thing', { keepSavings: 0.95, maxEvictionsPerPodDay: 2 }, 'calm', false],
  ];
  for (const [name, wish, expected, granted] of cases) {
    test(name, () => {
      const best = bestForGoal(wish, tried);
      assert.deepEqual([best.row.policy.name, meetsGoal(wish, best)], [expected, granted]);
    });
  }
});

test('in words: what to do, what it costs, and what is there now', () => {
  const wish = { maxEvictionsPerPodDay: 2 };
  const input = { workload: 'web', days: 2, seeds: 1, wish, blocks: [], stopped: false };
  const tuning = tuningOf({ ...input, rows: ROWS, none: namedPolicy('none'), current: namedPolicy('stock') });
  assert.equal(
    tuning && recommendationText(tuning),
    'Recommended for web: middle. It costs $27.50 a day, $2.50 a day less than stock, with 20 evictions a day (2.00 per pod) instead of 40 evictions a day (4.00 per pod).',
  );
  assert.equal(goalText({ keepSavings: 0.9 }), 'at least 90 % of the possible savings');
});

test('without the run that everything is measured against, or with nothing tried, there is no answer', () => {
  const input = { workload: 'web', days: 2, seeds: 1, wish: { keepSavings: 1 }, blocks: [], stopped: true };
  const [none, current] = [namedPolicy('none'), namedPolicy('stock')];
  assert.equal(tuningOf({ ...input, rows: ROWS.slice(1), none, current }), undefined);
  assert.equal(tuningOf({ ...input, rows: ROWS.slice(0, 2), none, current }), undefined);
});
