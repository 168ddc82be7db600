import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cluster, compiled } from '../../../test/build/cluster.ts';
import { is, podsOf, spread } from '../../../test/build/constraints.ts';
import { instanceType, SMALL } from '../../../test/build/instance-type.ts';
import { machine } from '../../../test/build/machine.ts';
import { nodePool } from '../../../test/build/node-pool.ts';
import { type PodSketch, pod } from '../../../test/build/pod.ts';
import { highsSolver } from '../../bound/highs-solver.ts';
import type { ClusterObjects } from '../cluster/objects.ts';
import { CAPACITY_TYPE, HOSTNAME, INSTANCE_TYPE, ON_DEMAND } from '../cluster/well-known.ts';
import { lowerBound } from './lower-bound.ts';

const solver = await highsSolver();

function boundOf(objects: ClusterObjects): number {
  const c = compiled(objects);
  return lowerBound(c, [...c.rows.keys()], solver);
}

/** Four tiny pods, one on each of four nodes of 0.1 dollars. */
function four(constraints: Partial<PodSketch>): ClusterObjects {
  const names = ['a', 'b', 'c', 'd'];
  return cluster({
    machines: names.map((name) => machine(name, { type: SMALL })),
    pods: names.map((on) => pod(`on-${on}`, { on, cpu: 100, memory: 0, labels: { app: 'web' }, ...constraints })),
    nodePools: [nodePool('default', { requirements: [is(CAPACITY_TYPE, 'In', ON_DEMAND)] })],
  });
}

for (const { name, constraints, dollars } of [
  {
    name: 'anti-affinity: a node each',
    constraints: { requiredAntiAffinity: [podsOf('web', HOSTNAME)] },
    dollars: 0.4,
  },
  {
    name: 'a spread over hosts: two on a node',
    constraints: { topologySpread: [spread('web', HOSTNAME, { maxSkew: 2 })] },
    dollars: 0.2,
  },
]) {
  test(name, () => {
    const bound = boundOf(four(constraints));
    assert.ok(Math.abs(bound - dollars) < 1e-6, `${bound} is not ${dollars}`);
  });
}

test('anti-affinity with other pods is no limit', () => {
  assert.ok(boundOf(four({ requiredAntiAffinity: [podsOf('other', HOSTNAME)] })) < 0.11);
});

const [cheap, dear] = [0.1, 0.4].map((price) => instanceType(`at-${price}`, { cpu: 4000, pods: 20, price }));
const only = ({ name }: { readonly name: string }) => [
  is(INSTANCE_TYPE, 'In', name),
  is(CAPACITY_TYPE, 'In', ON_DEMAND),
];

/** Three full nodes of the dear kind. */
function twoPools(limits: { readonly [resource: string]: number }): ClusterObjects {
  const names = ['a', 'b', 'c'];
  return cluster({
    machines: names.map((name) => machine(name, { type: dear, pool: 'dear' })),
    pods: names.flatMap((on) => [1, 2, 3, 4].map((n) => pod(`${on}-${n}`, { on, cpu: 1000, memory: 0 }))),
    nodePools: [
      nodePool('cheap', { requirements: only(cheap), limits }),
      nodePool('dear', { requirements: only(dear) }),
    ],
    instanceTypes: [cheap, dear],
  });
}

for (const { name, limits, dollars } of [
  { name: 'no limit', limits: {}, dollars: 3 * 0.1 },
  { name: 'cores for one node', limits: { cpu: 4000 }, dollars: 0.1 + 2 * 0.4 },
  { name: 'cores for less than a node', limits: { cpu: 1000 }, dollars: 0.25 * 0.1 + 2.75 * 0.4 },
  { name: 'two nodes', limits: { nodes: 2 }, dollars: 2 * 0.1 + 0.4 },
]) {
  test(`a pool's limits: ${name}`, () => {
    const bound = boundOf(twoPools(limits));
    assert.ok(Math.abs(bound - dollars) < 1e-6, `${bound} is not ${dollars}`);
  });
}
