import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { cluster } from '../../test/build/cluster.ts';
import { FakeCluster } from '../../test/build/fake-cluster.ts';
import { machine } from '../../test/build/machine.ts';
import { nodePool } from '../../test/build/node-pool.ts';
import { pod } from '../../test/build/pod.ts';
import { controllerOn } from '../../test/build/run-controller.ts';
import type { ClusterObjects, PodObject, WorkloadObject } from '../engine/cluster/objects.ts';
import { type Action, RejectedAction } from './cluster-port.ts';
import { ScaleIns } from './scale-ins.ts';
import { softTaintActions, steering, unsteeringActions } from './steering.ts';

const NODES = ['a', 'b', 'c'];
const OBJECTS = cluster({
  machines: NODES.map((name) => machine(name)),
  pods: [
    ...NODES.map((on) => pod(`web-${on}`, { on, owner: 'web' })),
    pod('single', { on: 'a', owner: 'single' }),
    pod('db-0', { on: 'a', ownedBy: 'StatefulSet', owner: 'db' }),
    pod('theirs-a', { on: 'a', owner: 'theirs', deletionCost: '5' }),
    pod('theirs-b', { on: 'b', owner: 'theirs' }),
  ],
});
const always = () => true;

/** Of pods and nodes. */
function steeringActions(
  objects: ClusterObjects,
  planned: readonly string[],
  isOurs: () => boolean,
  scalesIn: (pod: PodObject) => boolean = always,
): readonly Action[] {
  const { nodes, actions } = steering(objects, planned, isOurs, scalesIn);
  return [...softTaintActions(objects, ({ name }) => nodes.has(name)), ...actions];
}

/** What the API server would hold afterwards. */
function applied(objects: ClusterObjects, actions: readonly Action[]): ClusterObjects {
  let { nodes, pods } = objects;
  for (const action of actions) {
    if (action.kind === 'steer-node')
      nodes = nodes.map((node) => (node.name === action.node ? { ...node, steered: action.steered } : node));
    if (action.kind === 'steer-pod')
      pods = pods.map((each) => (each.uid === action.uid ? { ...each, steeredCost: action.cost } : each));
  }
  return { ...objects, nodes, pods };
}

function costs({ pods }: ClusterObjects): Record<string, number | undefined> {
  return Object.fromEntries(pods.map(({ name, steeredCost }) => [name, steeredCost]));
}

describe('steering', () => {
  test('taints nodes of the plan, and gives their pods the lowest deletion costs', () => {
    const after = applied(OBJECTS, steeringActions(OBJECTS, ['b', 'c'], always));
    assert.deepEqual(
      after.nodes.map(({ steered }) => steered ?? false),
      [false, true, true],
    );
    const { 'web-a': a, 'web-b': b, 'web-c': c } = costs(after);
    assert.ok(b === -10_000 && c === -9_999 && a !== undefined && a > -9000 && a <= 10_000);
  });

  test('says how many pods a node has when it gets or loses its taint, those of DaemonSets and ended ones aside', () => {
    const pods = [
      ...OBJECTS.pods,
      pod('agent-b', { on: 'b', ownedBy: 'DaemonSet', owner: 'agent' }),
      pod('over-b', { on: 'b', phase: 'Succeeded' }),
    ];
    const actions = softTaintActions({ ...OBJECTS, pods }, ({ name }) => name !== 'a');
    assert.deepEqual(
      actions.map((action) => action.kind === 'steer-node' && [action.node, action.steered, action.pods]),
      [
        ['b', true, 2],
        ['c', true, 1],
      ],
    );
  });

  test('leaves pods alone whose order does not matter, and costs that someone else set', () => {
    const after = costs(applied(OBJECTS, steeringActions(OBJECTS, ['a'], always)));
    assert.deepEqual([after.single, after['db-0'], after['theirs-a']], [undefined, undefined, undefined]);
    assert.notEqual(after['theirs-b'], undefined);
  });

  test('ranks pods of workloads that have scaled in; a rollout is no scale-in', () => {
    const top = (replicas: number): WorkloadObject => {
      return {
        kind: 'Deployment',
        namespace: 'default',
        name: 'web',
        uid: 'd',
        owners: [],
        replicas,
        readyReplicas: 0,
      };
    };
    const set = (replicas: number): WorkloadObject => ({
      ...top(replicas),
      kind: 'ReplicaSet',
      uid: 'uid-ReplicaSet-web',
      owners: [{ apiVersion: 'apps/v1', kind: 'Deployment', name: 'web', uid: 'd', controller: true }],
    });
    const scaleIns = new ScaleIns();
    const costsAt = (replicas: number, ofSet: number) => {
      const objects = { ...OBJECTS, workloads: [top(replicas), set(ofSet)] };
      scaleIns.observe(objects);
      return costs(applied(objects, steeringActions(objects, ['b'], always, scaleIns.of(objects))));
    };
    assert.equal(costsAt(3, 3)['web-b'], undefined);
    assert.equal(costsAt(3, 1)['web-b'], undefined);
    assert.deepEqual(
      [costsAt(2, 1)['web-b'], costsAt(4, 4)['web-b'], costsAt(4, 4)['theirs-b']],
      [-10_000, -10_000, undefined],
    );
    // A controller that starts with these costs writes nothing.
    const steered = { ...OBJECTS, workloads: [top(4), set(4)] };
    const left = applied(steered, steeringActions(steered, ['b'], always, scaleIns.of(steered)));
    const restarted = new ScaleIns();
    restarted.observe(left);
    assert.deepEqual(steeringActions(left, ['b'], always, restarted.of(left)), []);
    assert.deepEqual(costs(left)['web-b'], -10_000);
  });

  test('writes nothing again, and keeps the costs of other nodes when the plan changes', () => {
    const first = applied(OBJECTS, steeringActions(OBJECTS, ['b'], always));
    assert.deepEqual(steeringActions(first, ['b'], always), []);
    const second = applied(first, steeringActions(first, ['c'], always));
    assert.equal(costs(second)['web-a'], costs(first)['web-a']);
    assert.equal(costs(second)['web-c'], -10_000);
    assert.ok((costs(second)['web-b'] ?? 0) < (costs(second)['web-a'] ?? 0));
    assert.deepEqual(steeringActions(second, ['c'], always), []);
  });

  test('is removed from pools that are handed back, and while Karpenter manages deletion costs', () => {
    const steered = applied(OBJECTS, steeringActions(OBJECTS, ['b'], always));
    for (const actions of [
      steeringActions(steered, ['b'], () => false),
      steeringActions({ ...steered, options: { ...steered.options, managesDeletionCost: true } }, ['b'], always),
    ]) {
      const after = applied(steered, actions);
      assert.ok(after.nodes.every((node) => !node.steered));
      assert.ok(after.pods.every(({ steeredCost }) => steeredCost === undefined));
    }
  });

  test('stays within a rate, and finishes in later passes', () => {
    const pods = NODES.flatMap((on) =>
      Array.from({ length: 60 }, (_, i) => pod(`web-${on}-${i}`, { on, owner: 'web' })),
    );
    let objects = { ...OBJECTS, pods };
    const writes: number[] = [];
    for (let pass = 0; pass < 3; pass++) {
      const actions = steeringActions(objects, ['b'], always);
      writes.push(actions.filter(({ kind }) => kind === 'steer-pod').length);
      objects = { ...applied(objects, actions), pods: [...applied(objects, actions).pods] };
    }
    assert.deepEqual(writes, [100, 80, 0]);
  });

  test('turned off: the costs of an earlier process go, costs of others stay', async () => {
    const steered = applied(OBJECTS, steeringActions(OBJECTS, ['b'], always));
    const after = applied(steered, unsteeringActions(steered.pods));
    assert.ok(after.pods.every(({ steeredCost }) => steeredCost === undefined));
    assert.equal(after.pods.find(({ name }) => name === 'theirs-a')?.deletionCost, '5');
    assert.deepEqual(unsteeringActions(after.pods), []);
  });
});

describe('a controller that does not steer', () => {
  const left = () =>
    new FakeCluster({
      nodePools: [nodePool('default')],
      machines: [machine('a'), machine('b')],
      pods: ['a', 'b'].map((on) => pod(`web-${on}`, { on, cpu: 1500, steeredCost: 7 })),
    });

  test('removes deletion costs that are left, and counts its writes', async () => {
    const port = left();
    const { steeringWrites, failures } = await controllerOn(port).reconcile();
    assert.deepEqual([steeringWrites.pods, failures], [2, []]);
    assert.ok(port.objects.pods.every(({ steeredCost }) => steeredCost === undefined));
  });

  /** Writes to pods that were tried while each fails with this error. */
  async function triesDespite(error: Error): Promise<number> {
    const port = left();
    let tries = 0;
    const { act } = port;
    port.act = async (action) => {
      if (action.kind !== 'steer-pod') return act.call(port, action);
      tries++;
      throw error;
    };
    const controller = controllerOn(port);
    for (let i = 0; i < 3; i++) {
      await controller.reconcile();
      port.advanceTo(port.nowMs + 10 * 60_000);
    }
    return tries;
  }

  test('tries once if it may not patch pods, and again after any other error', async () => {
    assert.equal(await triesDespite(new RejectedAction('forbidden')), 1);
    assert.ok((await triesDespite(new Error('connection reset'))) > 1);
  });
});
