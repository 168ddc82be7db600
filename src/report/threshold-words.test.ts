import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AdaptiveLevel } from '../controller/adaptive-threshold.ts';
import { levelInWords } from './threshold-words.ts';

test('an adaptive threshold says why it is where it is', () => {
  const level = (why: AdaptiveLevel['why']): AdaptiveLevel => ({ cents: 0.75, why, sinceMs: 0, perPodDay: 2.5 });
  const words = (['start', 'journal', 'churn', 'stagnation', 'steady'] as const).map((why) => levelInWords(level(why)));
  assert.deepEqual(words, [
    'savings threshold begins at 0.75 cents',
    'savings threshold continues at 0.75 cents, from the last command',
    'savings threshold raised to 0.75 cents: 2.50 evictions per pod and day',
    'savings threshold lowered to 0.75 cents: it blocks moves, the cost does not fall, and there were only 2.50 evictions per pod and day',
    'savings threshold stays at 0.75 cents: 2.50 evictions per pod and day',
  ]);
});
