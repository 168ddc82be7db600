import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { cluster } from '../../../test/build/cluster.ts';
import { instanceType } from '../../../test/build/instance-type.ts';
import { machine } from '../../../test/build/machine.ts';
import { pod } from '../../../test/build/pod.ts';
import { GIB } from '../../../test/build/units.ts';
import { allocateCost, groupCosts } from './allocation.ts';

/** m5.large in us-east-1. */
const TYPE = instanceType('m5.large', {
  cpu: 2000,
  memory: 8 * GIB,
  price: 0.096,
});

/**
 * OpenCost splits $0.096 by its default prices of $0.031611 a cpu and $0.004237 a GiB, whose ratio is 7.460703: a GiB
 * costs 0.096 / (2 × 7.460703 + 8) = $0.0041883, a cpu 7.460703 times as much, $0.0312472.
 */
const CENTS_PER_GIB = 0.418829;
const CENTS_PER_CPU = 3.124685;

function near(found: number | undefined, wanted: number): void {
  assert.ok(found !== undefined && Math.abs(found - wanted) < 1e-5, `${found}, not ${wanted}`);
}

test("a pod pays for its requests at OpenCost's prices, and unrequested capacity is idle", () => {
  const objects = cluster({
    instanceTypes: [TYPE],
    machines: [machine('a', { type: TYPE })],
    pods: [pod('web', { on: 'a', cpu: 500, memory: GIB }), pod('db', { on: 'a', cpu: 1000, memory: 4 * GIB })],
  });
  const { centsPerHour, pods, nodes, unpriced } = allocateCost(objects);
  near(centsPerHour, 9.6);
  near(pods[0].centsPerHour, 0.5 * CENTS_PER_CPU + CENTS_PER_GIB);
  near(pods[1].centsPerHour, CENTS_PER_CPU + 4 * CENTS_PER_GIB);
  near(nodes[0].idleCentsPerHour, 0.5 * CENTS_PER_CPU + 3 * CENTS_PER_GIB);
  assert.deepEqual(unpriced, []);
});

test('nodes without a price are named, and cost nothing here', () => {
  const objects = cluster({
    instanceTypes: [],
    machines: [machine('a', { type: TYPE })],
    pods: [pod('web', { on: 'a' })],
  });
  const { centsPerHour, pods, unpriced } = allocateCost(objects);
  assert.deepEqual([centsPerHour, pods[0].centsPerHour, unpriced], [0, 0, ['a']]);
});

test('pods that are over, or on no node, cost nothing', () => {
  const objects = cluster({
    instanceTypes: [TYPE],
    machines: [machine('a', { type: TYPE })],
    pods: [pod('done', { on: 'a', phase: 'Succeeded' }), pod('waiting', { phase: 'Pending' })],
  });
  assert.deepEqual(allocateCost(objects).pods, []);
});

test('on any cluster, pods and idle capacity add up to the price of the nodes', () => {
  const requests = fc.array(fc.record({ cpu: fc.nat(400), memory: fc.nat(GIB), node: fc.constantFrom('a', 'b') }), {
    maxLength: 4,
  });
  fc.assert(
    fc.property(requests, (given) => {
      const pods = given.map(({ cpu, memory, node }, i) =>
        pod(`p${i}`, { on: node, cpu, memory, namespace: `ns${i % 2}` }),
      );
      const machines = ['a', 'b'].map((name) => machine(name, { type: TYPE }));
      const allocation = allocateCost(cluster({ instanceTypes: [TYPE], machines, pods }));
      const groups = groupCosts(allocation.pods, (p) => p.namespace);
      const sum =
        groups.reduce((s, g) => s + g.centsPerHour, 0) + allocation.nodes.reduce((s, n) => s + n.idleCentsPerHour, 0);
      near(sum, allocation.centsPerHour);
      assert.equal(
        groups.reduce((s, g) => s + g.pods, 0),
        pods.length,
      );
    }),
  );
});
