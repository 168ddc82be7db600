import assert from 'node:assert/strict';
import { test } from 'node:test';
import { namedPolicy } from '../../../../test/build/lab.ts';
import type { TotalRow } from '../../../lab/comparison.ts';
import { estimate } from '../../../lab/statistics.ts';
import { findingInWords } from './finding.ts';

const row = (name: string, cost: number, evictions: number, onFront = true, share = 1 - cost / 100): TotalRow => ({
  policy: namedPolicy(name),
  cost: estimate([cost]),
  savings: estimate([share]),
  evictions: estimate([evictions]),
  lostPodHours: { mean: 0, stdDev: 0 },
  reevictions: estimate([0]),
  unavailablePodSeconds: estimate([0]),
  onFront,
});

const NONE = row('none', 100, 0);

for (const { name, rows, words } of [
  {
    name: 'the two ends of the front, and not those who save nothing',
    rows: [NONE, row('stock', 90, 400), row('calm', 92, 30), row('dear', 95, 500, false)],
    words: 'Cheapest: stock saves 10.0 % for 400 evictions. Calmest: calm saves 8.0 % for 30 evictions.',
  },
  {
    name: 'one that is both',
    rows: [NONE, row('calm', 90, 1.5), row('stock', 95, 400, false)],
    words: 'calm saves 10.0 % for 1.5 evictions: nothing that was tried is cheaper or calmer.',
  },
  { name: 'no policy saves', rows: [NONE, row('stock', 101, 3, false)], words: 'No policy saves anything here.' },
  {
    name: 'no policy does anything',
    rows: [NONE, row('stock', 100, 0), row('calm', 100, 0)],
    words: 'No difference: nothing was consolidated under any policy.',
  },
  {
    name: 'savings unknown, for lack of a run without consolidation',
    rows: [row('stock', 90, 400), row('calm', 92, 30)].map((each) => ({ ...each, savings: undefined })),
    words: 'Cheapest: stock costs $90.00 for 400 evictions. Calmest: calm costs $92.00 for 30 evictions.',
  },
])
  test(name, () => assert.equal(findingInWords(rows), words));
