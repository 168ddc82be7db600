import assert from 'node:assert/strict';
import { test } from 'node:test';
import { historyCurve, type PastMove } from './history-curve.ts';

const DAY_MS = 86_400_000;
const move = (day: number, savingsCentsPerHour: number, evictions: number): PastMove => ({
  atMs: day * DAY_MS,
  savingsCentsPerHour,
  disruptionCost: evictions + 1,
  evictions,
});

/** The document's example (0.6 cents for 5 pods), a deletion worth its while, an empty node. */
const MOVES = [move(0, 0.6, 5), move(1, 16, 3), move(2, 8.6, 0)];

test('what a threshold would have left of the past', () => {
  const { days, points } = historyCurve(MOVES, { keepSavings: 0.9 }, 4);
  assert.equal(days, 2);
  const at = (cents: number) => points.find(({ thresholdCents }) => thresholdCents === cents);
  assert.deepEqual(
    [0, 0.1, 0.2, 2, 5, 10].map((cents) => [at(cents)?.moves, at(cents)?.evictions]),
    [
      [3, 8],
      [3, 8],
      [2, 3],
      [2, 3],
      [1, 0],
      [0, 0],
    ],
  );
  assert.equal(at(0)?.evictionsPerPodDay, 1);
  assert.equal(at(0)?.kept, 1);
});

test('most of the savings: the highest threshold that keeps them; few evictions: the lowest that brings them', () => {
  const savings = historyCurve(MOVES, { keepSavings: 0.9 }, undefined);
  assert.deepEqual([savings.recommended.thresholdCents, savings.granted], [2, true]);
  const calm = historyCurve(MOVES, { maxEvictionsPerPodDay: 0.5 }, 4);
  assert.deepEqual([calm.recommended.thresholdCents, calm.granted], [0.2, true]);
  const both = historyCurve(MOVES, { maxEvictionsPerPodDay: 0.1, keepSavings: 0.9 }, 4);
  assert.equal(both.granted, false);
});

test('less than a day counts as one', () => {
  assert.equal(historyCurve([move(0, 1, 6)], { keepSavings: 1 }, undefined).points[0].evictionsPerDay, 6);
});
