import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Budget, PodObject } from '../../src/engine/cluster/objects.ts';
import { ZONE } from '../../src/engine/cluster/well-known.ts';
import type { PoolPolicy } from '../../src/engine/disruption/pool-policy.ts';
import { type ClusterSketch, cluster } from '../build/cluster.ts';
import { is, spread } from '../build/constraints.ts';
import { instanceType } from '../build/instance-type.ts';
import { machine } from '../build/machine.ts';
import { nodePool } from '../build/node-pool.ts';
import { type PodSketch, pod } from '../build/pod.ts';
import { policy } from '../build/policy.ts';
import { GIB } from '../build/units.ts';
import { onDemandPool } from './aws.ts';
import { policyNamed, rulesByPool } from './fleet-rules.ts';
import { planOf, problemOf, search } from './searched.ts';
import { movesOf } from './summary.ts';

const SMALL = instanceType('small', { cpu: 2000, memory: 8 * GIB, price: 0.1 });
const MEDIUM = instanceType('medium', { cpu: 4000, memory: 16 * GIB, price: 0.15 });
const LARGE = instanceType('large', { cpu: 8000, memory: 32 * GIB, price: 0.4 });

function onEach(nodes: readonly string[], sketch: PodSketch = {}): PodObject[] {
  return nodes.map((on) => pod(`on-${on}`, { on, ...sketch }));
}

const names = (count: number) => Array.from({ length: count }, (_, i) => `n${i}`);

/** Two small nodes, each too full for the other's pods, that one medium node holds: only a group of two pays. */
const COUPLE: ClusterSketch = {
  instanceTypes: [SMALL, MEDIUM],
  nodePools: [onDemandPool('default')],
  machines: ['a', 'b'].map((name) => machine(name, { type: SMALL })),
  pods: onEach(['a', 'b'], { cpu: 1200 }),
};

/** A large node that a small one would be enough for. */
const OVERSIZED: ClusterSketch = {
  instanceTypes: [SMALL, MEDIUM, LARGE],
  nodePools: [onDemandPool('default')],
  machines: [machine('large', { type: LARGE })],
  pods: onEach(['large'], { cpu: 1200 }),
};

/** Nodes with little on them, and one that stays and has room for all. */
function light(count: number, more: ClusterSketch = {}): ClusterSketch {
  const nodes = names(count);
  return {
    instanceTypes: [SMALL],
    nodePools: [nodePool('default', { limits: { cpu: 1 } })],
    machines: [
      ...nodes.map((name) => machine(name, { type: SMALL })),
      machine('roomy', {
        type: SMALL,
        doNotDisrupt: 'true',
        allocatable: { cpu: 64_000, memory: 256 * GIB, pods: 200 },
      }),
    ],
    pods: onEach(nodes, { cpu: 400, memory: GIB }),
    ...more,
  };
}

function moves(sketch: ClusterSketch, own: PoolPolicy, others: Readonly<Record<string, PoolPolicy>> = {}): string[] {
  return movesOf(planOf(cluster(sketch), rulesByPool({ default: own, ...others })));
}

describe('WhenCheaper: nodes one by one', () => {
  const own = policyNamed('WhenCheaper');
  test('never in a group', () => {
    assert.deepEqual(moves(COUPLE, policy()), ['replace a b by medium']);
    assert.deepEqual(moves(COUPLE, own), []);
  });
  test('exchanged alone', () => assert.deepEqual(moves(OVERSIZED, own), ['replace large by small']));
  test('deleted alone', () => assert.deepEqual(moves(light(3), own), ['delete n0', 'delete n1', 'delete n2']));
  test('empty ones together', () => assert.deepEqual(moves(light(3, { pods: [] }), own), ['delete n0 n1 n2']));
});

describe('WhenUnderutilized: nodes in groups', () => {
  const own = policyNamed('WhenUnderutilized');
  test('exchanged in a group', () => assert.deepEqual(moves(COUPLE, own), ['replace a b by medium']));
  test('never exchanged alone', () => assert.deepEqual(moves(OVERSIZED, own), []));
  test('deleted in one move', () => assert.deepEqual(moves(light(3), own), ['delete n0 n1 n2']));
  test('never deleted alone', () => assert.deepEqual(moves(light(1), own), []));
  test('empty ones, even alone', () => assert.deepEqual(moves(light(1, { pods: [] }), own), ['delete n0']));

  test('in parts of at most maxParallel, none of them left alone', () => {
    const sizes = (count: number, maxParallel: number) =>
      moves(light(count), policyNamed('WhenUnderutilized', { maxParallel })).map((m) => m.split(' ').length - 1);
    assert.deepEqual(sizes(7, 3), [2, 2, 3]);
    assert.deepEqual(sizes(4, 3), [2, 2]);
    // One is left over, and stays.
    assert.deepEqual(sizes(5, 2), [2, 2]);
    assert.deepEqual(sizes(3, 1), []);
  });

  test('together with a node of another pool that goes anyway', () => {
    const sketch = light(2, { nodePools: ['default', 'other'].map((n) => nodePool(n, { limits: { cpu: 1 } })) });
    const machines = (sketch.machines ?? []).map((m, i) =>
      i === 1 ? machine('n1', { type: SMALL, pool: 'other' }) : m,
    );
    const together = (other: PoolPolicy) => moves({ ...sketch, machines }, own, { other });
    assert.deepEqual(together(policy()), ['delete n0 n1']);
    assert.deepEqual(together(policyNamed('WhenCheaper')), ['delete n1']);
  });

  test('not where a budget lets them go only one by one', () => {
    const nodePools = [nodePool('default', { limits: { cpu: 1 }, budgets: [{ nodes: '1' }] })];
    assert.deepEqual(moves(light(3, { nodePools }), own), []);
  });

  test('what only fits after a node is left alone is no move', () => {
    const zones = is(ZONE, 'In', 'zone-b', 'zone-c');
    const web = { labels: { app: 'web' }, topologySpread: [spread('web', ZONE)] };
    const tight = (cpu: number) => ({ cpu, memory: 8 * GIB, pods: 20 });
    const sketch: ClusterSketch = {
      instanceTypes: [SMALL, LARGE],
      nodePools: [
        onDemandPool('default', { requirements: [zones] }),
        nodePool('group', { limits: { cpu: 1 }, requirements: [zones] }),
      ],
      machines: [
        machine('pair', { type: LARGE, zone: 'zone-b' }),
        machine('lone', { type: SMALL, zone: 'zone-b', pool: 'group', allocatable: tight(800) }),
        machine('stays', { type: SMALL, zone: 'zone-c', doNotDisrupt: 'true', allocatable: tight(900) }),
      ],
      pods: [
        pod('w1', { on: 'pair', cpu: 600, ...web }),
        pod('w2', { on: 'pair', cpu: 600, ...web }),
        pod('w3', { on: 'lone', cpu: 400, ...web }),
        pod('w4', { on: 'stays', cpu: 400, ...web }),
      ],
    };
    // With w3 in zone-c, a new node in zone-b could take both.
    assert.deepEqual(moves(sketch, policy(), { group: policy() }), ['delete lone', 'replace pair by small']);
    const problem = problemOf(cluster(sketch), rulesByPool({ default: policy(), group: own }));
    assert.deepEqual(search(problem).moves, []);
  });
});

describe('WhenEmpty', () => {
  test('empty nodes, and no others', () => {
    const sketch = light(3, { pods: onEach(['n1']) });
    assert.deepEqual(moves(sketch, policyNamed('WhenEmpty')), ['delete n0 n2']);
    assert.deepEqual(moves(OVERSIZED, policyNamed('WhenEmpty')), []);
  });

  test('with emptyThreshold nearly empty ones too, which are deleted and never exchanged', () => {
    // 20 % of the cpu and 12.5 % of the memory.
    const nearly = (emptyThreshold: number) => policyNamed('WhenEmpty', { emptyThreshold });
    assert.deepEqual(moves(light(2), nearly(0.2)), ['delete n0', 'delete n1']);
    assert.deepEqual(moves(light(2), nearly(0.1)), []);
    // 15 % of the cpu and 3 % of the memory.
    assert.deepEqual(moves(OVERSIZED, nearly(0.2)), []);
    assert.deepEqual(moves(OVERSIZED, policy({ emptiness: { enabled: true, emptyThreshold: 0.2 } })), [
      'replace large by small',
    ]);
  });
});

describe('the methods block', () => {
  test('without emptiness, empty nodes stay', () => {
    const off = policy({ emptiness: { enabled: false, emptyThreshold: 0 } });
    assert.deepEqual(moves(light(2, { pods: onEach(['n0']) }), off), ['delete n0']);
  });

  test('maxParallel holds for groups that are exchanged', () => {
    const nodes = names(4);
    const pods = onEach(nodes, { cpu: 1100 });
    const machines = nodes.map((name) => machine(name, { type: SMALL }));
    const huge = instanceType('huge', { cpu: 5000, memory: 64 * GIB, price: 0.2 });
    const sketch: ClusterSketch = { ...COUPLE, machines, pods, instanceTypes: [SMALL, huge] };
    assert.deepEqual(moves(sketch, policy()), ['replace n0 n1 n2 n3 by huge']);
    assert.deepEqual(moves(sketch, policyNamed('WhenUnderutilizedOrCheaper', { maxParallel: 3 })), [
      'replace n0 n1 n2 by huge',
      'delete n3',
    ]);
  });
});

describe('budgets of a pool', () => {
  const blocked = (budgets: readonly Budget[], pods: readonly PodObject[]) => {
    const nodePools = [nodePool('default', { limits: { cpu: 1 }, budgets })];
    const plan = planOf(cluster(light(2, { nodePools, pods })), rulesByPool({ default: policy() }));
    return {
      moves: movesOf(plan),
      refusals: plan.nodes
        .filter((n) => n.name !== 'roomy')
        .flatMap((n) => n.refusals.map((r) => `${r.code} ${r.reason}`)),
    };
  };
  const used = onEach(['n0', 'n1'], { cpu: 400 });

  test('of 0: nothing moves, and every node says so', () => {
    assert.deepEqual(blocked([{ nodes: '0' }], used), {
      moves: [],
      refusals: ['budget Underutilized', 'budget Underutilized'],
    });
    assert.deepEqual(blocked([{ nodes: '0' }], []), { moves: [], refusals: ['budget Empty', 'budget Empty'] });
  });

  test('of 0 for one reason: the other goes on', () => {
    const one = onEach(['n0'], { cpu: 400 });
    assert.deepEqual(blocked([{ nodes: '0', reasons: ['Underutilized'] }], one), {
      moves: ['delete n1'],
      refusals: ['budget Underutilized'],
    });
    assert.deepEqual(blocked([{ nodes: '0', reasons: ['Empty'] }], one), {
      moves: ['delete n0'],
      refusals: ['budget Empty'],
    });
  });

  test('of 1: one node in each wave, for both reasons', () => {
    const nodePools = [nodePool('default', { limits: { cpu: 1 }, budgets: [{ nodes: '1' }] })];
    const sketch = light(3, { nodePools, pods: onEach(['n0', 'n1'], { cpu: 400 }) });
    const plan = planOf(cluster(sketch), rulesByPool({ default: policy() }));
    assert.deepEqual(
      plan.moves.map((m) => `${m.wave} ${m.nodes}`),
      ['1 n2', '2 n0', '3 n1'],
    );
  });
});
