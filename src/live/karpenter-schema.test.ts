import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FakeApi } from '../../test/build/fake-api.ts';
import { ApiError } from './api-client.ts';
import { schemaBeside } from './karpenter-schema.ts';

function published(reasons: readonly string[], policies: readonly string[]) {
  const budgets = { type: 'array', items: { properties: { reasons: { items: { enum: reasons } } } } };
  const disruption = { properties: { budgets, consolidationPolicy: { enum: policies } } };
  const nodePool = { properties: { spec: { properties: { disruption } } } };
  return { components: { schemas: { 'sh.karpenter.v1.NodeClaim': {}, 'sh.karpenter.v1.NodePool': nodePool } } };
}

test('what Karpenter’s CRDs tell of its version', async () => {
  const reasons = ['Underutilized', 'Empty', 'Drifted'];
  const policies = ['WhenEmpty', 'WhenEmptyOrUnderutilized'];
  const told = (answer: object) => schemaBeside(new FakeApi(() => answer), []);
  assert.equal(await told(published([...reasons, 'Unhealthy'], [...policies, 'Balanced'])), '1.15');
  assert.equal(await told(published(reasons, [...policies, 'Balanced'])), '1.14');
  assert.equal(await told(published(reasons, policies)), 'older');
  assert.equal(await told({}), undefined);
});

test('they are not asked where Karpenter’s Deployment is known, and need not be readable', async () => {
  const counts = { replicas: 2, readyReplicas: 2, owners: [] };
  const karpenter = { kind: 'Deployment', namespace: 'kube-system', name: 'karpenter', uid: 'k', ...counts } as const;
  const api = new FakeApi(() => {
    throw new ApiError('forbidden', { status: 403, reason: 'Forbidden' });
  });
  assert.equal(await schemaBeside(api, [{ ...karpenter, karpenter: { options: {} } }]), undefined);
  assert.equal(api.asked.length, 0);
  assert.equal(await schemaBeside(api, [karpenter]), undefined);
  assert.equal(api.asked.length, 1);
});
