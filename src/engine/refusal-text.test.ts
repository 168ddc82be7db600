import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Refusal } from './refusal.ts';
import { refusalText } from './refusal-text.ts';

const threshold = (savingsCentsPerHour: number, requiredCentsPerHour = 6): Refusal => ({
  code: 'savings-below-threshold',
  savingsCentsPerHour,
  requiredCentsPerHour,
  disruptionCost: 6,
  threshold: 1,
});
const used = (utilization: number, limit = 0.75): Refusal => ({ code: 'utilization', utilization, threshold: limit });
const balanced = (score: number): Refusal => ({ code: 'balanced-score', nodePool: 'b', score, required: 0.5 });
const percent = (savingsPercent: number): Refusal => ({
  code: 'savings-below-percent',
  savingsPercent,
  requiredPercent: 20,
});
const type = (instanceType: string): Refusal => ({ code: 'unknown-instance-type', instanceType });
const LOG = '(disruption_cost=6.0, threshold=1)';

const WORDS: readonly (readonly [Refusal, string])[] = [
  [used(0.8), 'utilization 80 % is above the threshold of 75 %'],
  [used(0.753), 'utilization 75.3 % is above the threshold of 75.0 %'],
  [used(0.75001), 'utilization 75.001 % is above the threshold of 75.000 %'],
  [threshold(0.6), `consolidation blocked: savings 0.6 cents/hr below required 6.0 cents/hr ${LOG}`],
  [threshold(5.98), `consolidation blocked: savings 5.98 cents/hr below required 6.00 cents/hr ${LOG}`],
  [threshold(0, 0), `consolidation blocked: savings 0.0 cents/hr below required 0.0 cents/hr ${LOG}`],
  [
    { ...threshold(9), discountedCentsPerHour: 4.5 } as Refusal,
    `consolidation blocked: savings 9.0 cents/hr, discounted to 4.5 for the lifetime of the destination, below required 6.0 cents/hr ${LOG}`,
  ],
  [balanced(0.3249), 'policy Balanced of NodePool "b": score 0.32 below 0.50'],
  [balanced(0.4999), 'policy Balanced of NodePool "b": score 0.4999 below 0.5000'],
  [percent(12.34), 'saves 12.3 % of the price of what it removes, 20 % is required'],
  [percent(19.98), 'saves 19.98 % of the price of what it removes, 20 % is required'],
  [type('x9.huge'), 'instance type "x9.huge" is not in the catalog'],
  [
    { code: 'policy-when-empty', nodePool: 'b', pods: 1 },
    'NodePool "b" has consolidation policy WhenEmpty, and 1 pod runs here',
  ],
  [type(''), 'node does not have the label node.kubernetes.io/instance-type'],
];

for (const [refusal, words] of WORDS) test(words, () => assert.equal(refusalText(refusal), words));
