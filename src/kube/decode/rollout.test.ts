import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { DeploymentRollout } from '../../engine/cluster/scaling-objects.ts';
import { parsedRow } from '../read/parsed-row.ts';
import { DEPLOYMENT, WorkloadDecoder } from './workload.ts';

const DONE = { observedGeneration: 4, replicas: 1, updatedReplicas: 1, availableReplicas: 1, readyReplicas: 1 };

function rollout(spec: object, more: { metadata?: object; status?: object } = {}): DeploymentRollout | undefined {
  const { metadata, status = DONE } = more;
  const object = {
    kind: 'Deployment',
    metadata: { name: 'web', namespace: 'shop', generation: 4, ...metadata },
    spec: { replicas: 1, template: { metadata: {}, spec: { containers: [] } }, ...spec },
    status,
  };
  return new WorkloadDecoder().decode(parsedRow(object, DEPLOYMENT)).rollout;
}

function rolling(maxSurge: unknown, maxUnavailable: unknown, replicas = 1) {
  const strategy = { type: 'RollingUpdate', rollingUpdate: { maxSurge, maxUnavailable } };
  return Object.values(rollout({ replicas, strategy })?.rolling ?? {});
}

test('surge is rounded up and unavailability down, and both are never 0', () => {
  assert.deepEqual(rollout({})?.rolling, { maxSurge: 1, maxUnavailable: 0 });
  assert.deepEqual(rolling('25%', '25%', 3), [1, 0]);
  assert.deepEqual(rolling('30%', '50%', 4), [2, 2]);
  assert.deepEqual(rolling(0, '25%'), [0, 1]);
  assert.deepEqual(rolling(0, 1), [0, 1]);
  assert.deepEqual(rolling(1, 1), [1, 1]);
  assert.equal(rollout({ strategy: { type: 'Recreate' } })?.rolling, undefined);
});

test('a percentage that is none makes the Deployment undecodable', () => {
  assert.throws(() => rolling('a lot', 0), { path: 'spec.strategy.rollingUpdate.maxSurge' });
});

test('settled: seen by its controller, complete, of the current template, not paused', () => {
  assert.equal(rollout({})?.isSettled, true);
  for (const status of [
    {},
    { ...DONE, observedGeneration: 3 },
    { ...DONE, updatedReplicas: 0 },
    { ...DONE, availableReplicas: 0 },
    { ...DONE, replicas: 2 },
  ])
    assert.equal(rollout({}, { status })?.isSettled, false);
  const paused = rollout({ paused: true });
  assert.deepEqual([paused?.paused, paused?.isSettled], [true, false]);
});

test('what else manages it', () => {
  const by = (metadata: object) => rollout({}, { metadata })?.managedBy;
  assert.equal(by({}), undefined);
  assert.equal(by({ annotations: { 'argocd.argoproj.io/tracking-id': 'x:apps/Deployment:shop/web' } }), 'Argo CD');
  assert.equal(by({ labels: { 'argocd.argoproj.io/instance': 'shop' } }), 'Argo CD');
  assert.equal(by({ labels: { 'kustomize.toolkit.fluxcd.io/name': 'shop' } }), 'Flux');
  assert.equal(by({ labels: { 'helm.toolkit.fluxcd.io/name': 'shop' } }), 'Flux');
  assert.equal(by({ annotations: { 'meta.helm.sh/release-name': 'shop' } }), 'Helm');
  assert.equal(by({ labels: { 'app.kubernetes.io/managed-by': 'pulumi' } }), 'pulumi');
  const owner = { apiVersion: 'example.com/v1', kind: 'Database', name: 'main', uid: 'u', controller: true };
  assert.equal(by({ ownerReferences: [owner] }), 'Database main');
});

test('annotations of users and of Decant', () => {
  const template = { metadata: { annotations: { 'decant.sh/restarted-by': 'c1' } }, spec: { containers: [] } };
  const annotations = { 'decant.sh/move': 'rollout', 'decant.sh/extra-replica': 'c2' };
  const { move, restartedBy, extraReplica } = rollout({ template }, { metadata: { annotations } }) ?? {};
  assert.deepEqual([move, restartedBy, extraReplica], ['rollout', 'c1', 'c2']);
});
