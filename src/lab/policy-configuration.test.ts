import assert from 'node:assert/strict';
import { test } from 'node:test';
import { load } from 'js-yaml';
import { namedPolicy } from '../../test/build/lab.ts';
import { objectProblems } from '../config/policy-object.ts';
import { BUILT_IN_POLICIES } from './built-in-policies.ts';
import type { NamedPolicy } from './named-policy.ts';
import { policyConfiguration } from './policy-configuration.ts';

function texts(policy: NamedPolicy, blocks: readonly unknown[] = []): readonly string[] {
  return policyConfiguration(policy, blocks).pieces.map(({ text }) => text);
}

test('a patch of the NodePool, a ConsolidationPolicy, and the switches', () => {
  const policy = namedPolicy('threshold=1 grace=5m', {
    search: 'karpenter',
    disruption: { consolidationSavingsThresholdCents: '1', consolidationGracePeriod: '5m' },
    switches: { 'pool-cooldown': '5m' },
  });
  assert.deepEqual(texts(policy), [
    `spec:
  disruption:
    consolidationSavingsThresholdCents: '1'
    consolidationGracePeriod: 5m
`,
    `apiVersion: decant.sh/v1alpha1
kind: ConsolidationPolicy
metadata:
  name: threshold-1-grace-5m
spec:
  nodePoolSelector: {}
  consolidationSavingsThresholdCents: '1'
  consolidationGracePeriod: 5m
`,
    `decant run \\
  --search karpenter \\
  --pool-cooldown 5m
`,
  ]);
});

test('where all pools say the same, the ConsolidationPolicy says that too, and the policy’s own fields go before it', () => {
  const policy = namedPolicy('p', { disruption: { consolidateAfter: '5m' } });
  const block = { consolidateAfter: '30s', budgets: [{ nodes: '1' }] };
  const spec = 'spec:\n  nodePoolSelector: {}\n  consolidateAfter: 5m\n';
  assert.ok(texts(policy, [block])[1].endsWith(`${spec}  budgets:\n    - nodes: '1'\n`));
  assert.ok(texts(policy, [block, {}])[1].endsWith(spec));
});

test('nobody consolidates, or Karpenter as it is', () => {
  assert.deepEqual(texts(namedPolicy('none', { controller: 'none' })), [
    'spec:\n  disruption:\n    consolidateAfter: Never\n',
  ]);
  assert.deepEqual(texts(namedPolicy('stock', { controller: 'stock' })), []);
});

test('what is pasted is valid, strings that look like numbers included', () => {
  for (const policy of BUILT_IN_POLICIES) {
    for (const text of texts(policy).filter((each) => !each.startsWith('decant run'))) {
      const { kind = 'NodePool', spec } = load(text) as { kind?: 'ConsolidationPolicy'; spec: unknown };
      assert.deepEqual(objectProblems({ kind, apiVersion: undefined, name: 'x', spec }), []);
    }
  }
});
