import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Estimate } from '../../../lab/statistics.ts';
import { centsAt, chosenRow, POSITIONS } from './choice.ts';

const estimate = (mean: number): Estimate => ({ mean, stdDev: 0 });
const row = (name: string, dollars: number, evictions: number) => ({
  name,
  cost: estimate(dollars),
  evictions: estimate(evictions),
});

const ROWS = [row('cheap', 90, 400), row('calm', 92, 100), row('none', 120, 0)];

test('the more expensive an eviction, the fewer evictions the chosen policy has', () => {
  assert.equal(chosenRow(ROWS, 0)?.name, 'cheap');
  // calm costs 2 dollars more for 300 evictions less: 0.67 cents each.
  assert.equal(chosenRow(ROWS, 0.6)?.name, 'cheap');
  assert.equal(chosenRow(ROWS, 0.7)?.name, 'calm');
  assert.equal(chosenRow(ROWS, 30)?.name, 'none');
  const counts = Array.from({ length: POSITIONS }, (_, i) => chosenRow(ROWS, centsAt(i))!.evictions.mean);
  assert.deepEqual(
    [...counts].sort((a, b) => b - a),
    counts,
  );
  assert.equal(new Set(counts).size, 3, 'the slider reaches all of them');
});

test('the slider goes from nothing to ten dollars', () => {
  assert.deepEqual([0, 1, POSITIONS - 1].map(centsAt), [0, 0.1, 1000]);
});
