import assert from 'node:assert/strict';
import { test } from 'node:test';
import { objectProblems, type PolicyObject } from './policy-object.ts';

function problems(sketch: Partial<PolicyObject>): string[] {
  const object: PolicyObject = { kind: 'NodePool', apiVersion: undefined, name: 'a', spec: {}, ...sketch };
  return objectProblems(object).map(({ object, field, allowed }) => `${object} ${field}: ${allowed}`);
}

test('a NodePool is good without a block, and its other fields are not ours to judge', () => {
  assert.deepEqual(problems({ apiVersion: 'karpenter.sh/v1', spec: undefined }), []);
  assert.deepEqual(problems({ spec: { template: 1, weight: 'x', disruption: { consolidateAfter: '30s' } } }), []);
});

test('a policy holds the block as its spec, beside a selector', () => {
  const policy = { kind: 'ConsolidationPolicy', apiVersion: 'decant.sh/v1alpha1' } as const;
  const nodePoolSelector = { matchLabels: { team: 'a' }, matchExpressions: [{ key: 'gpu', operator: 'DoesNotExist' }] };
  assert.deepEqual(problems({ ...policy, spec: { consolidateAfter: '30s', nodePoolSelector } }), []);
  assert.deepEqual(problems({ ...policy, spec: { nodePoolSelector: {} } }), []);
  assert.deepEqual(problems({ ...policy, spec: { consolidationGracePeriod: '5x' } }), [
    'ConsolidationPolicy/a spec.nodePoolSelector: a label selector; {} selects every NodePool',
    'ConsolidationPolicy/a spec.consolidationGracePeriod: a duration in h, m and s such as "30s" or "2h30m", or "Never"',
  ]);
});

test('selectors as the API has them', () => {
  const selecting = (nodePoolSelector: unknown) =>
    problems({ kind: 'ConsolidationPolicy', spec: { nodePoolSelector } });
  const expression = (each: unknown) => selecting({ matchExpressions: [each] });
  const at = 'ConsolidationPolicy/a spec.nodePoolSelector';
  assert.deepEqual(selecting({ matchLabel: {} }), [
    `${at}.matchLabel: no field of this name: did you mean matchLabels? The fields here are matchLabels, matchExpressions`,
  ]);
  assert.deepEqual(selecting({ matchLabels: { 'example.com/a': 1 } }), [
    `${at}.matchLabels["example.com/a"]: a string`,
  ]);
  assert.deepEqual(expression({ key: 'a', operator: 'Gt', values: ['1'] }), [
    `${at}.matchExpressions[0].operator: one of In, NotIn, Exists, DoesNotExist`,
  ]);
  assert.deepEqual(expression({ key: 'a', operator: 'In' }), [
    `${at}.matchExpressions[0].values: at least one value, as the operator is In`,
  ]);
  assert.deepEqual(expression({ key: 'a', operator: 'Exists', values: ['1'] }), [
    `${at}.matchExpressions[0].values: no values, as the operator is Exists`,
  ]);
});

test('versions that we do not know, and specs that are none', () => {
  assert.deepEqual(problems({ apiVersion: 'karpenter.sh/v1beta1' }), [
    'NodePool/a apiVersion: karpenter.sh/v1, the only version that is supported',
  ]);
  assert.deepEqual(problems({ spec: [] }), ['NodePool/a spec: an object']);
});
