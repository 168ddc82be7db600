import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pod } from '../../../test/build/pod.ts';
import type { Owner, WorkloadObject } from '../cluster/objects.ts';
import { workloadNames } from './workloads.ts';

function owner(kind: string, name: string, controller = true): Owner {
  return { apiVersion: 'apps/v1', kind, name, uid: `uid-${kind}-${name}`, controller };
}

function workload(kind: string, name: string, ...owners: readonly Owner[]): WorkloadObject {
  return { kind, namespace: 'default', name, uid: `uid-${kind}-${name}`, owners, replicas: 1, readyReplicas: 1 };
}

test('pods of two ReplicaSets of one Deployment are one workload', () => {
  const nameOf = workloadNames([
    workload('Deployment', 'shop'),
    workload('ReplicaSet', 'shop-1', owner('Deployment', 'shop')),
    workload('ReplicaSet', 'shop-2', owner('Deployment', 'shop')),
  ]);
  for (const set of ['shop-1', 'shop-2'])
    assert.equal(nameOf(pod('p', { ownedBy: 'ReplicaSet', owner: set })), 'Deployment default/shop');
});

test('what is above may be unknown: the highest that is named counts', () => {
  const nameOf = workloadNames([workload('ReplicaSet', 'shop-1', owner('Rollout', 'shop'))]);
  assert.equal(nameOf(pod('p', { owner: 'shop-1' })), 'Rollout default/shop');
  assert.equal(nameOf(pod('p', { ownedBy: 'StatefulSet', owner: 'db' })), 'StatefulSet default/db');
});

test('a pod without a controller is its own workload', () => {
  const alone = { ...pod('p'), owners: [owner('ReplicaSet', 'x', false)] };
  assert.equal(workloadNames([])(alone), 'Pod default/p');
});

test('circular owner references end', () => {
  const a = workload('ReplicaSet', 'a', owner('ReplicaSet', 'b'));
  const b = workload('ReplicaSet', 'b', owner('ReplicaSet', 'a'));
  assert.equal(workloadNames([a, b])(pod('p', { owner: 'a' })), 'ReplicaSet default/b');
});

test('static pods of one manifest are one workload on all nodes', () => {
  const onNode = (name: string, node: string) => ({ ...pod(name), owners: [owner('Node', node)] });
  const nameOf = workloadNames([]);
  for (const node of ['ip-10-0-0-1.ec2.internal', 'b'])
    assert.equal(nameOf(onNode(`kube-proxy-${node}`, node)), 'static Pod default/kube-proxy');
  assert.equal(nameOf(onNode('etcd', 'b')), 'static Pod default/etcd');
});
