import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cluster, compiled, rowOf } from '../../../test/build/cluster.ts';
import { is, nodeWith, taint } from '../../../test/build/constraints.ts';
import { instanceType, LARGE, offering, reservedOffering, SMALL } from '../../../test/build/instance-type.ts';
import { machine } from '../../../test/build/machine.ts';
import { nodePool } from '../../../test/build/node-pool.ts';
import { daemonSet, pod } from '../../../test/build/pod.ts';
import { highsSolver } from '../../bound/highs-solver.ts';
import type { ClusterObjects } from '../cluster/objects.ts';
import {
  CAPACITY_TYPE,
  HOSTNAME,
  INSTANCE_TYPE,
  ON_DEMAND,
  RESERVATION_ID,
  RESERVED,
  ZONE,
} from '../cluster/well-known.ts';
import { Simulation } from '../scheduling/simulation.ts';
import type { LpSolver } from './linear-program.ts';
import { lowerBound } from './lower-bound.ts';

const solver = await highsSolver();
const BROKEN: LpSolver = { solve: () => undefined };
/** Small, medium and large at 0.1, 0.2 and 0.4 dollars. */
const onDemand = nodePool('default', { requirements: [is(CAPACITY_TYPE, 'In', ON_DEMAND)] });

function boundOf(objects: ClusterObjects, removable: readonly string[] | 'all' = 'all', lp = solver): number {
  const c = compiled(objects);
  const rows = removable === 'all' ? [...c.rows.keys()] : removable.map((name) => rowOf(c, name));
  return lowerBound(c, rows, lp);
}

function near(actual: number, expected: number): void {
  assert.ok(Math.abs(actual - expected) < 1e-4 * Math.max(1e-3, expected), `${actual} is not ${expected}`);
}

test('nodes that stay are paid for, empty ones that may go are not', () => {
  const machines = [machine('stays'), machine('goes', { type: LARGE })];
  const bound = boundOf(cluster({ machines, nodePools: [onDemand] }), ['goes']);
  assert.equal(bound, 0.2);
});

test('nothing may be removed: what is paid now', () => {
  const machines = [machine('a'), machine('b', { type: LARGE })];
  near(boundOf(cluster({ machines, pods: [pod('p', { on: 'a' })] }), []), 0.6);
});

test('pods move to what is free on a node that stays', () => {
  const machines = [machine('stays'), machine('goes')];
  const pods = [pod('p', { on: 'goes', cpu: 3000 })];
  near(boundOf(cluster({ machines, pods, nodePools: [onDemand] }), ['goes']), 0.2);
});

test('and to a new node as far as that is full', () => {
  const machines = [machine('stays'), machine('goes')];
  const pods = [pod('p', { on: 'goes', cpu: 2000 }), pod('q', { on: 'stays', cpu: 3000 })];
  near(boundOf(cluster({ machines, pods, nodePools: [onDemand] }), ['goes']), 0.2 + 0.1);
});

test('parts of pods on parts of nodes', () => {
  const pods = [
    pod('tiny', { on: 'a', cpu: 100 }),
    ...['p', 'q', 'r'].map((name) => pod(name, { on: 'a', cpu: 1500 })),
  ];
  const objects = cluster({ machines: [machine('a', { type: LARGE })], pods, nodePools: [onDemand] });
  near(boundOf(objects), (4.6 / 4) * 0.2);
  assert.equal(boundOf(objects, 'all', BROKEN), 0);
});

test('a pod that can be nowhere else keeps its node', () => {
  const machines = [machine('a', { type: LARGE })];
  const pods = [pod('p', { on: 'a', cpu: 100, nodeSelector: { [HOSTNAME]: 'a' } })];
  near(boundOf(cluster({ machines, pods, nodePools: [onDemand] })), 0.4);
});

test('a pod may stay on a node that could not take it today', () => {
  const machines = [machine('a', { type: SMALL, taints: [taint('new')] })];
  const pods = [pod('p', { on: 'a', nodeSelector: { [INSTANCE_TYPE]: 'small' } }), pod('q', { on: 'a', cpu: 1500 })];
  const pools = [
    nodePool('default', { requirements: [is(INSTANCE_TYPE, 'In', 'large'), is(CAPACITY_TYPE, 'In', ON_DEMAND)] }),
  ];
  near(boundOf(cluster({ machines, pods, nodePools: pools })), 0.1);
});

test('every alternative of a required node affinity counts, not only the last', () => {
  const requiredNodeTerms = ['small', 'large'].map((type) => nodeWith(is(INSTANCE_TYPE, 'In', type)));
  const pods = [pod('p', { on: 'a', requiredNodeTerms })];
  const bound = boundOf(cluster({ machines: [machine('a', { type: LARGE })], pods, nodePools: [onDemand] }));
  assert.ok(bound <= 0.1, `${bound}`);
});

test('where a pod must be decides what it costs', () => {
  const types = [
    instanceType('t', { offerings: [offering('zone-a', ON_DEMAND, 0.5), offering('zone-b', ON_DEMAND, 0.1)] }),
  ];
  const at = (zone: string) =>
    cluster({
      machines: [machine('a', { type: types[0], zone: 'zone-a' })],
      instanceTypes: types,
      pods: [pod('p', { on: 'a', cpu: 4000, nodeSelector: zone === '' ? {} : { [ZONE]: zone } })],
    });
  near(boundOf(at('zone-a')), 0.5);
  near(boundOf(at('')), 0.1);
});

for (const { cpu, price, what } of [
  { cpu: 1900, price: 0.1, what: 'just leave enough of a small node' },
  { cpu: 1901, price: 0.2, what: 'leave too little of it' },
]) {
  test(`DaemonSets ${what}`, () => {
    const objects = cluster({
      machines: [machine('a', { type: LARGE })],
      pods: [pod('p', { on: 'a', cpu })],
      daemonSets: [daemonSet('agent', { cpu: 100 })],
      nodePools: [onDemand],
    });
    near(boundOf(objects), price);
  });
}

const TIER = 'example.com/tier';

/** One pod asks for a label that no pool gives; the other, which is placed first, merely does not mind it. */
const anyTier = pod('any', { on: 'a', cpu: 1000, requiredNodeTerms: [nodeWith(is(TIER, 'NotIn', 'silver'))] });
const goldTier = pod('gold', { on: 'b', cpu: 900, nodeSelector: { [TIER]: 'gold' } });

test('a label that another pod leaves open on a new node counts as there', () => {
  const machines = ['a', 'b'].map((name) => machine(name, { type: LARGE, labels: { [TIER]: 'gold' } }));
  const c = compiled(cluster({ machines, pods: [anyTier, goldTier], nodePools: [onDemand] }));
  const together = new Simulation(c).removing([0, 1], ({ claims }) => claims.map((claim) => claim.pods.length));
  assert.deepEqual(together, [2]);
  near(lowerBound(c, [0, 1], solver), 0.1);
});

test('in compat, on a node that exists as well', () => {
  const machines = [
    ...['a', 'b'].map((name) => machine(name, { type: LARGE, labels: { [TIER]: 'gold' } })),
    machine('stays'),
  ];
  const objects = cluster({ machines, pods: [anyTier, goldTier], nodePools: [onDemand] });
  const rowsWith = (compat: boolean) => {
    const c = compiled(objects, compat);
    const rows = ['a', 'b'].map((name) => rowOf(c, name));
    const moved = new Simulation(c).removing(rows, ({ placements }) => placements.length);
    return { moved, bound: lowerBound(c, rows, solver) };
  };
  const karpenters = rowsWith(true);
  assert.equal(karpenters.moved, 2);
  near(karpenters.bound, 0.2);
  const ours = rowsWith(false);
  assert.equal(ours.moved, 1);
  assert.ok(ours.bound > 0.2);
});

test('no pod is placed on a node that is being removed', () => {
  const machines = [machine('leaving', { deleting: true }), machine('goes', { type: LARGE })];
  const objects = cluster({ machines, pods: [pod('p', { on: 'goes', cpu: 2000 })], nodePools: [onDemand] });
  near(boundOf(objects, ['goes']), 0.2 + 0.1);
});

const reservable = instanceType('t', {
  offerings: [offering('zone-a', ON_DEMAND, 0.2), reservedOffering('zone-a', 'r-1', 1)],
});

test('a reservation has a limited number of slots', () => {
  const names = ['a', 'b', 'c'];
  const objects = cluster({
    machines: names.map((name) => machine(name, { type: reservable })),
    pods: names.map((name) => pod(`on-${name}`, { on: name, cpu: 4000 })),
    instanceTypes: [reservable],
  });
  near(boundOf(objects), 0.4);
});

test('a reserved node that goes leaves its slot to another', () => {
  const labels = { [RESERVATION_ID]: 'r-1' };
  const objects = cluster({
    machines: [
      machine('a', { type: reservable, capacityType: RESERVED, labels, taints: [taint('new')] }),
      machine('b', { type: reservable }),
      machine('c', { type: reservable }),
    ],
    // Nobody else may come to a. Its pod fits beside that of b, on a slot of two.
    pods: [pod('small', { on: 'a', cpu: 100 }), pod('q', { on: 'b', cpu: 3900 }), pod('r', { on: 'c', cpu: 4000 })],
    instanceTypes: [reservable],
  });
  assert.equal(boundOf(objects), 0);
});

test('never above the price of today', () => {
  const machines = [machine('a', { type: SMALL }), machine('b', { type: SMALL })];
  const pods = [pod('p', { on: 'a', cpu: 1900 }), pod('q', { on: 'b', cpu: 1900 })];
  const bound = boundOf(cluster({ machines, pods, nodePools: [onDemand] }));
  assert.ok(bound <= 0.2);
  near(bound, 0.2);
});
