import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { capacityBuffer } from '../../../test/build/capacity-buffer.ts';
import { type ClusterSketch, cluster } from '../../../test/build/cluster.ts';
import { instanceType, SMALL } from '../../../test/build/instance-type.ts';
import { machine } from '../../../test/build/machine.ts';
import { nodePool } from '../../../test/build/node-pool.ts';
import { pod } from '../../../test/build/pod.ts';
import { rules } from '../../../test/build/policy.ts';
import { GIB } from '../../../test/build/units.ts';
import type { Owner } from '../cluster/objects.ts';
import type { PoolPolicy } from '../disruption/pool-policy.ts';
import { NodeTrials } from '../explanation/trial.ts';
import { findUnlocks } from '../explanation/unlocks.ts';
import { unlockWords } from '../explanation/words.ts';
import { plan } from '../plan.ts';

const FOUR = instanceType('four', { cpu: 4000, memory: 16 * GIB, pods: 20, price: 0.2 });

/** Nodes of 4 cpu, and nothing may be launched. */
function objectsOf(sketch: ClusterSketch) {
  return cluster({ instanceTypes: [FOUR], nodePools: [nodePool('default', { limits: { cpu: 0 } })], ...sketch });
}

function machines(...names: readonly string[]) {
  return names.map((name) => machine(name, { type: FOUR }));
}

function planOf(sketch: ClusterSketch, block: Partial<PoolPolicy>, search: 'merged' | 'karpenter' = 'merged') {
  const own = rules(block, { utilizationThreshold: 1 });
  const { moves, nodes } = plan(objectsOf(sketch), { rules: own, search, loadMs: 0 }, () => 0);
  const said = nodes.flatMap((n) => n.refusals.map((r) => `${n.name}: ${r.message}`));
  return { removed: moves.flatMap((m) => m.nodes).length, said };
}

/** Four nodes, each with one pod of 1 cpu: 12 of 16 are free. */
const FOUR_PODS: ClusterSketch = {
  machines: machines('a', 'b', 'c', 'd'),
  pods: ['a', 'b', 'c', 'd'].map((on) => pod(`on-${on}`, { on, cpu: 1000, memory: GIB })),
};

for (const search of ['merged', 'karpenter'] as const) {
  describe(`headroom and minNodes, ${search}`, () => {
    const removed = (block: Partial<PoolPolicy>, sketch = FOUR_PODS) => planOf(sketch, block, search).removed;

    test('an absolute amount, a percentage, and pods of a shape', () => {
      const need = (resource: 'cpu' | 'memory', amount: number, isPercent = false) =>
        removed({ headroom: [{ resource, amount, isPercent }] });
      assert.deepEqual([need('cpu', 0), need('cpu', 4000), need('cpu', 4001), need('cpu', 8001)], [3, 2, 1, 0]);
      assert.deepEqual([need('cpu', 50, true), need('cpu', 51, true), need('cpu', 67, true)], [2, 1, 0]);
      assert.deepEqual([need('memory', 60 * GIB), need('memory', 61 * GIB)], [0, 0]);
      const pods = (amount: number) =>
        removed({ headroom: [{ resource: 'pods', amount, isPercent: false, shape: { cpu: 2000, memory: GIB } }] });
      // A node with one pod holds one more of 2 cpu, with two pods one, with four none.
      assert.deepEqual([pods(0), pods(1), pods(4)], [3, 2, 0]);
    });

    test('minNodes', () => {
      assert.deepEqual(
        [0, 1, 2, 3, 4, 9].map((minNodes) => removed({ minNodes })),
        [3, 3, 2, 1, 0, 0],
      );
    });

    test('empty nodes are room too', () => {
      const empty = { machines: machines('a', 'b', 'c'), pods: [pod('p', { on: 'a', cpu: 1000 })] };
      const need = (amount: number) => removed({ headroom: [{ resource: 'cpu', amount, isPercent: false }] }, empty);
      assert.deepEqual([need(3000), need(3001), need(7001), need(12_000)], [2, 1, 0, 0]);
    });
  });
}

describe('what counts as room', () => {
  const need = { headroom: [{ resource: 'cpu', amount: 3000, isPercent: false }] } as const;

  test('the room of a CapacityBuffer, which is kept anyway', () => {
    const sketch = { ...FOUR_PODS, ...capacityBuffer({ cpu: 1500, replicas: 2 }) };
    assert.equal(planOf(sketch, {}).removed, planOf(sketch, need).removed);
    assert.ok(planOf(sketch, need).removed > 0);
  });

  test('not a cordoned node', () => {
    const cordoned = machine('c', {
      type: FOUR,
      taints: [{ key: 'node.kubernetes.io/unschedulable', value: '', effect: 'NoSchedule' }],
    });
    const pods = [pod('p', { on: 'a', cpu: 1000 }), { ...pod('q', { on: 'b', cpu: 1500 }), doNotDisrupt: 'true' }];
    const stays = { ...pod('r', { on: 'c', cpu: 100 }), doNotDisrupt: 'true' };
    assert.equal(planOf({ machines: machines('a', 'b'), pods }, need).removed, 0);
    assert.equal(planOf({ machines: [...machines('a', 'b'), cordoned], pods: [...pods, stays] }, need).removed, 0);
    assert.equal(planOf({ machines: machines('a', 'b', 'c'), pods: [...pods, stays] }, need).removed, 1);
  });
});

describe('maxShareOnOneNode', () => {
  const owner: Owner = { apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'web', uid: 'web', controller: true };
  const replicas = (...on: readonly string[]) =>
    on.map((node, i) => ({ ...pod(`web-${i}`, { on: node, cpu: 100 }), owners: [owner] }));
  const removed = (share: number, ...on: readonly string[]) =>
    planOf({ machines: machines('a', 'b', 'c', 'd'), pods: replicas(...on) }, { maxShareOnOneNode: share }).removed;

  test('a share of the replicas, rounded down, and always one', () => {
    const shares = [0.01, 0.25, 0.5, 0.75, 1];
    assert.deepEqual(
      shares.map((share) => removed(share, 'a', 'b', 'c', 'd')),
      [0, 0, 2, 2, 3],
    );
  });

  test('a single replica may go anywhere', () => {
    assert.equal(removed(0.01, 'a'), 3);
  });
});

test('refusals say what would be left, and explain says at which value the node would go', () => {
  const headroom: PoolPolicy['headroom'] = [{ resource: 'cpu', amount: 60, isPercent: true }];
  const own = rules({ headroom }, { utilizationThreshold: 1 });
  const two = { machines: machines('a', 'b'), pods: FOUR_PODS.pods?.slice(0, 2) };
  const { said } = planOf(two, { headroom });
  assert.deepEqual(said[0], 'a: NodePool "default" would have 2 cpu free, its headroom is 2400m (60 %)');
  const trials = new NodeTrials({ objects: objectsOf(two), rules: own }, 'a');
  const { unlocks } = findUnlocks(trials, trials.run());
  assert.deepEqual(
    unlocks.map((unlock) => unlockWords(unlock, 'n')),
    ['headroom.cpu ≤ 50 % for NodePool default: then deleted, saving 20 ¢/h'],
  );
  assert.deepEqual(planOf(two, { minNodes: 2 }).said[0], 'a: NodePool "default" would have 1 node, its minNodes is 2');
});

test('a node that Karpenter would launch for pods of a leaving node does not count', () => {
  const leaving = machine('l', { type: FOUR, deleting: true });
  const tooLarge = pod('q', { on: 'l', cpu: 3500 });
  const instanceTypes = [SMALL, FOUR];
  const small = machine('a', { type: SMALL });
  const sketch = { instanceTypes, nodePools: [nodePool('default')], machines: [leaving, small], pods: [tooLarge] };
  for (const search of ['merged', 'karpenter'] as const) {
    assert.equal(planOf(sketch, {}, search).removed, 1);
    assert.equal(planOf(sketch, { minNodes: 1 }, search).removed, 0);
  }
});
