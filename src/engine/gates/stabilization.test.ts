import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { cluster } from '../../../test/build/cluster.ts';
import { pendingPod, pod } from '../../../test/build/pod.ts';
import { MINUTE_MS, NOW_MS } from '../../../test/build/units.ts';
import type { PodObject, WorkloadObject } from '../cluster/objects.ts';
import { refusalText } from '../refusal-text.ts';
import { stabilization } from './stabilization.ts';

function workload(kind: string, replicas: number, readyReplicas: number): WorkloadObject {
  return { kind, namespace: 'default', name: 'w', uid: `uid-${kind}`, owners: [], replicas, readyReplicas };
}

/** A minute after a node was removed, unless said otherwise. */
function ask(pods: readonly PodObject[], workloads: readonly WorkloadObject[] = [], agoMs?: number, windowMs?: number) {
  const removed = { lastRemovalMs: NOW_MS - (agoMs ?? MINUTE_MS) };
  return stabilization(removed, cluster({ pods, workloads }), windowMs ?? 5 * MINUTE_MS);
}

describe('after a node was removed, nothing else is for 5 minutes', () => {
  test('while pods are pending', () => {
    const refusal = ask([pendingPod('p'), pod('running', { on: 'n' })]);
    const expected = { code: 'stabilization', waitMs: 4 * MINUTE_MS, pendingPods: 1, unreadyWorkloads: 0 } as const;
    assert.deepEqual(refusal, expected);
    assert.equal(
      refusalText(expected),
      'a node was removed recently; pods pending: 1, workloads not ready: 0; nothing else is removed for 4 min, unless they recover',
    );
  });

  for (const kind of ['Deployment', 'ReplicaSet', 'StatefulSet', 'ReplicationController']) {
    test(`while a ${kind} has fewer ready pods than it wants`, () => {
      const refusal = ask([], [workload(kind, 3, 2), workload('Deployment', 2, 2)]);
      assert.deepEqual(refusal, {
        code: 'stabilization',
        waitMs: 4 * MINUTE_MS,
        pendingPods: 0,
        unreadyWorkloads: 1,
      });
      assert.equal(ask([], [workload(kind, 3, 3)]), undefined);
      assert.equal(ask([], [workload(kind, 0, 0)]), undefined);
    });
  }

  test('and not a moment longer', () => {
    assert.equal(ask([pendingPod('p')], [], 5 * MINUTE_MS - 1)?.code, 'stabilization');
    assert.equal(ask([pendingPod('p')], [], 5 * MINUTE_MS), undefined);
  });
});

describe('there is no pause', () => {
  test('if no pods are pending and all controllers are ready', () =>
    assert.equal(ask([pod('p', { on: 'n' })]), undefined));

  test('if no node was removed', () => {
    assert.equal(stabilization({}, cluster({ pods: [pendingPod('p')] }), 5 * MINUTE_MS), undefined);
  });

  test('for a Job, whose pods come and go', () => assert.equal(ask([], [workload('Job', 3, 0)]), undefined));

  test('for pods that are over, are leaving, or belong to a DaemonSet', () => {
    const pods = [
      pendingPod('over', { phase: 'Failed' }),
      pendingPod('leaving', { terminating: true }),
      pendingPod('daemon', { ownedBy: 'DaemonSet' }),
    ];
    assert.equal(ask(pods), undefined);
  });

  test('with a window of 0 s', () => assert.equal(ask([pendingPod('p')], [], 0, 0), undefined));
});
