import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { applyPriceOverlay, decodePriceOverlay } from '../../src/catalog/price-overlay.ts';
import type { ClusterObjects, InstanceType, PodObject } from '../../src/engine/cluster/objects.ts';
import { CAPACITY_TYPE, ON_DEMAND, SPOT } from '../../src/engine/cluster/well-known.ts';
import { cluster } from '../build/cluster.ts';
import { is } from '../build/constraints.ts';
import { nodePool } from '../build/node-pool.ts';
import { type PodSketch, pod } from '../build/pod.ts';
import { rules } from '../build/policy.ts';
import { GIB } from '../build/units.ts';
import { awsNode, awsType, awsTypes, onDemandPool } from './aws.ts';
import { clusterAfterPlan, planOf } from './searched.ts';
import { money, movesOf } from './summary.ts';

function pods(on: string, count: number, sketch: PodSketch): PodObject[] {
  return Array.from({ length: count }, (_, i) => pod(`${on}-${i}`, { on, ...sketch }));
}

test('S35: a node that most replicas have left is exchanged for one of the right size (aws#1266)', () => {
  const objects = cluster({
    instanceTypes: awsTypes('c5a.large', 'c5a.xlarge', 'c5a.2xlarge', 'c5a.4xlarge', 'c5a.8xlarge'),
    nodePools: [onDemandPool('default')],
    machines: [awsNode('node', 'c5a.8xlarge')],
    pods: [pod('base', { on: 'node', cpu: 2110, memory: GIB }), ...pods('node', 3, { cpu: 1000, memory: GIB })],
  });
  const plan = planOf(objects, rules());
  assert.deepEqual(movesOf(plan), ['replace node by c5a.2xlarge']);
  assert.equal(money(plan), '1.232 → 0.308');
  // At 27,110 m of 31,850 m it is left alone.
  const before = { ...objects, pods: [...objects.pods, ...pods('more', 22, { cpu: 1000 }).map(on('node'))] };
  assert.deepEqual(movesOf(planOf(before, rules())), []);
});

function on(nodeName: string): (p: PodObject) => PodObject {
  return (p) => ({ ...p, nodeName });
}

describe('S37: what discounts make of prices (aws#3860)', () => {
  /** m5d.12xlarge on demand under a savings plan at $1.30/h, spot at the price given. */
  function atPrices(rulesOf: readonly object[]): readonly InstanceType[] {
    return applyPriceOverlay([awsType('m5d.12xlarge')], decodePriceOverlay('overlay', rulesOf)).types;
  }
  const discounted = { capacityType: 'on-demand', price: '1.30' };
  const spotAt = (price: string) => ({ capacityType: 'spot', price });

  function moves(instanceTypes: readonly InstanceType[], capacityType: string): string[] {
    const objects = cluster({
      instanceTypes,
      nodePools: [nodePool('default', { requirements: [is(CAPACITY_TYPE, 'In', SPOT, ON_DEMAND)] })],
      machines: [awsNode('node', 'm5d.12xlarge', { capacityType })],
      pods: pods('node', 4, { cpu: 8000, memory: 20 * GIB }),
    });
    return planOf(objects, rules()).moves.map((m) => `${m.kind} by ${m.replacements[0].capacityTypes.join()}`);
  }

  test('by list prices spot is always cheaper', () => {
    assert.deepEqual(moves(atPrices([spotAt('1.06')]), ON_DEMAND), ['replace by spot']);
    assert.deepEqual(moves(atPrices([spotAt('1.56')]), ON_DEMAND), ['replace by spot']);
  });

  test('against the savings plan it is not, once it has risen', () => {
    assert.deepEqual(moves(atPrices([discounted, spotAt('1.06')]), ON_DEMAND), ['replace by spot']);
    assert.deepEqual(moves(atPrices([discounted, spotAt('1.56')]), ON_DEMAND), []);
  });
});

test('S13: plans one after the other never end more expensive, and each moves a pod at most once (aws#7146)', () => {
  const load: readonly (readonly [string, number, string, PodSketch])[] = [
    ['large', 7, 'm6a.large', { cpu: 600, memory: 2 * GIB }],
    ['flex', 4, 'm7i-flex.xlarge', { cpu: 900, memory: 4 * GIB }],
    ['big', 3, 'm7i-flex.2xlarge', { cpu: 1500, memory: 5 * GIB }],
  ];
  const nodes = load.flatMap(([prefix, count, type, sketch]) =>
    Array.from({ length: count }, (_, i) => ({ name: `${prefix}-${i}`, type, sketch })),
  );
  let objects: ClusterObjects = cluster({
    instanceTypes: awsTypes('m6a.large', 'm6a.xlarge', 'm7i-flex.large', 'm7i-flex.xlarge', 'm7i-flex.2xlarge'),
    nodePools: [onDemandPool('default')],
    machines: nodes.map(({ name, type }) => awsNode(name, type)),
    pods: nodes.flatMap(({ name, sketch }, i) => pods(name, 1 + (i % 3), sketch)),
  });
  const by = rules({}, { maxReplacements: 3 });
  const prices: number[] = [];
  for (let round = 0; round < 10; round++) {
    const { totals, moves } = planOf(objects, by);
    prices.push(totals.centsPerHour);
    const evicted = moves.flatMap((m) => m.placements.map((p) => p.pod));
    assert.equal(new Set(evicted).size, evicted.length);
    if (moves.length === 0) break;
    objects = clusterAfterPlan(objects, by, `round-${round}`);
  }
  assert.equal(Math.round(prices[0] * 100), 25_200);
  assert.ok(prices.length > 1 && prices.length < 5, `settles at: ${prices}`);
  for (let i = 1; i < prices.length; i++) assert.ok(prices[i] < prices[i - 1]);
});
