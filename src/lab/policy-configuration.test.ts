import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { load, loadAll } from 'js-yaml';
import { namedPolicy } from '../../test/build/lab.ts';
import { POLICY_LABEL } from '../config/policy-label.ts';
import { nodePoolSelector, objectProblems } from '../config/policy-object.ts';
import { BUILT_IN_POLICIES } from './built-in-policies.ts';
import type { NamedPolicy } from './named-policy.ts';
import { configurationOf, type PoolBlock, policyConfiguration } from './policy-configuration.ts';

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

test('no consolidation, or Karpenter as it is', () => {
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

describe('for some pools of a cluster', () => {
  const policy = namedPolicy('p', { disruption: { consolidateAfter: '5m' }, switches: { 'pool-cooldown': '1m' } });
  const web = { name: 'web', block: { budgets: [{ nodes: '1' }] } };
  const batch = { name: 'batch', block: { consolidationPolicy: 'WhenEmpty' } };
  const long = { name: 'l'.repeat(100), block: {} };
  const pieces = (pools: readonly PoolBlock[], areAll: boolean, of = policy) =>
    configurationOf(of, pools, areAll).pieces.map(({ text }) => text);

  test('one policy for all that say the same, if there are no others', () => {
    assert.deepEqual(pieces([web, { ...web, name: 'api' }], true), texts(policy, [web.block]));
  });

  for (const [pools, areAll] of [
    [[web], false],
    [[web, batch, long], true],
  ] as const) {
    test(`otherwise one for each, by label: ${pools.map(({ name }) => name.slice(0, 5))}`, () => {
      const [, policies, labels] = pieces(pools, areAll);
      const objects = loadAll(policies) as { metadata: { name: string }; spec: Record<string, unknown> }[];
      const selected = objects.map(({ metadata: { name }, spec }) => {
        const object = { kind: 'ConsolidationPolicy' as const, apiVersion: undefined, name, spec };
        assert.deepEqual(objectProblems(object), []);
        return nodePoolSelector(object)?.matchLabels?.[POLICY_LABEL];
      });
      assert.deepEqual(
        objects.map(({ spec: { nodePoolSelector: _, ...block } }) => block),
        pools.map(({ block }) => ({ ...block, consolidateAfter: '5m' })),
      );
      assert.deepEqual(
        labels.trim().split('\n'),
        pools.map(({ name }, i) => `kubectl label nodepool ${name} ${POLICY_LABEL}=${selected[i]}`),
      );
    });
  }

  test('a name that would be a command is a word', () => {
    const [, , labels] = pieces([{ name: "a'; rm -rf ~", block: {} }], false);
    assert.equal(labels, "kubectl label nodepool 'a'\\''; rm -rf ~' 'decant.sh/policy=a'\\''; rm -rf ~'\n");
  });

  test('switches alone touch no pool', () => {
    assert.deepEqual(pieces([web, batch], true, namedPolicy('p', { switches: { 'pool-cooldown': '1m' } })), [
      'decant run \\\n  --pool-cooldown 1m\n',
    ]);
  });
});
