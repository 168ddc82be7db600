import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cluster } from '../../../test/build/cluster.ts';
import { nodePool } from '../../../test/build/node-pool.ts';
import { rules } from '../../../test/build/policy.ts';
import { readPoolPolicy } from '../../config/read-pool-policy.ts';
import type { PoolPolicy } from '../../engine/disruption/pool-policy.ts';
import { underPatch } from '../../lab/pool-under-policy.ts';
import type { WhatIfQuestion } from '../api.ts';
import { policyOf } from './question.ts';
import { type Subject, subjectOf } from './subject.ts';
import { supposed } from './supposed.ts';

/** The block as the engine reads it; undefined: it is not allowed. */
function read(block: unknown): PoolPolicy | undefined {
  const reading = readPoolPolicy('NodePool/default', block);
  return 'policy' in reading ? reading.policy : undefined;
}

function underBlock(block: unknown): Subject {
  const objects = cluster({ nodePools: [nodePool('default'), nodePool('other')] });
  return subjectOf(objects, { ...rules(), policyOf: () => read(block)! }, { search: 'merged', maxReplacements: 1 });
}

const BLOCKS: readonly unknown[] = [
  {},
  { consolidationPolicy: 'WhenEmpty', consolidateAfter: '30s' },
  { consolidationPolicy: 'WhenCheaper', consolidationSavingsThresholdCents: '2' },
  { consolidation: { multiNode: { enabled: false }, emptiness: { emptyThreshold: '10%' } } },
  { consolidationPolicy: 'Balanced', balancedK: 3, consolidation: { singleNode: { enabled: false } } },
];
const QUESTIONS: readonly WhatIfQuestion[] = [
  { threshold: 1.5 },
  { grace: '1h30m' },
  { grace: 'Never' },
  { minPercent: 20 },
  { policy: 'WhenEmpty' },
  { policy: 'WhenCheaper' },
  { policy: 'WhenUnderutilized' },
  { policy: 'WhenUnderutilizedOrCheaper' },
  { policy: 'Balanced', threshold: 0.25 },
];

for (const question of QUESTIONS) {
  test(`${JSON.stringify(question)} decides as the configuration does that it is written down as`, () => {
    for (const block of BLOCKS) {
      const written = read(underPatch(block, policyOf(question).disruption));
      assert.deepEqual(supposed(underBlock(block), question).policies.get('default'), written, JSON.stringify(block));
    }
  });
}

test('one pool in question leaves the others alone', () => {
  const asked = supposed(underBlock({}), { threshold: 7, pool: 'other' }).policies;
  assert.deepEqual([asked.get('default')?.savingsThresholdCents, asked.get('other')?.savingsThresholdCents], [0, 7]);
});

test('the utilization gate is a switch', () => {
  const asked = supposed(underBlock({}), { utilization: 0.4 });
  assert.equal(asked.settings.utilizationThreshold, 0.4);
  assert.deepEqual(policyOf({ utilization: 0.4 }).switches, { 'scaledown-utilization-threshold': '0.4' });
});
