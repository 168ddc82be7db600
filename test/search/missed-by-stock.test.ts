import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { ClusterObjects, PodObject } from '../../src/engine/cluster/objects.ts';
import { HOSTNAME } from '../../src/engine/cluster/well-known.ts';
import type { Rules } from '../../src/engine/settings.ts';
import { cluster } from '../build/cluster.ts';
import { hostPort, is, nodeWith, taint, toleration } from '../build/constraints.ts';
import { instanceType } from '../build/instance-type.ts';
import { machine } from '../build/machine.ts';
import { type PodSketch, pod } from '../build/pod.ts';
import { rules } from '../build/policy.ts';
import { GIB } from '../build/units.ts';
import { awsNode, awsTypes, onDemandPool } from './aws.ts';
import { policyNamed, rulesByPool } from './fleet-rules.ts';
import { clusterAfterPlan, planOf } from './searched.ts';
import { money, movesOf } from './summary.ts';

const MIB = 2 ** 20;

function pods(on: string, count: number, sketch: PodSketch): PodObject[] {
  return Array.from({ length: count }, (_, i) => pod(`${on}-${i}`, { on, ...sketch }));
}

/** What both searches make of it. */
function both(objects: ClusterObjects, by: Rules = rules()) {
  return {
    merged: planOf(objects, by, { maxReplacements: 5 }),
    karpenter: planOf(objects, by, { search: 'karpenter' }),
  };
}

describe('S3: two nodes of one family for one of another (k#1962)', () => {
  // Half of the cpu and 90 % of the memory of c5a.xlarge: together 96 % and 84 % of m6a.xlarge.
  const light = { cpu: 470, memory: 1480 * MIB };
  const couple = {
    instanceTypes: awsTypes('c5a.xlarge', 'm6a.xlarge'),
    nodePools: [onDemandPool('default')],
    machines: [awsNode('a', 'c5a.xlarge'), awsNode('b', 'c5a.xlarge')],
    pods: [...pods('a', 4, light), ...pods('b', 4, light)],
  };

  test('one m6a.xlarge for both: .308 → .1728', () => {
    const { merged } = both(cluster(couple));
    assert.deepEqual(movesOf(merged), ['replace a b by m6a.xlarge']);
    assert.equal(money(merged), '0.308 → 0.1728');
  });

  test('stock finds it too, as long as no node that has to stay comes before them in its order', () => {
    assert.deepEqual(movesOf(both(cluster(couple)).karpenter), ['replace a b by m6a.xlarge']);
    const { merged, karpenter } = both(
      cluster({
        ...couple,
        machines: [...couple.machines, awsNode('stays', 'c5a.xlarge')],
        // Fewer pods, so it comes first; they fill it to 75 %, and nothing that is cheaper holds them.
        pods: [...couple.pods, ...pods('stays', 3, { cpu: 1000, memory: 1600 * MIB })],
      }),
    );
    assert.deepEqual(movesOf(karpenter), []);
    assert.deepEqual(movesOf(merged), ['replace a b by m6a.xlarge']);
  });
});

test('S4: a group that is no prefix of the order (PR3064)', () => {
  const wide = instanceType('wide', { cpu: 32_000, memory: 128 * GIB, pods: 100, price: 1.5 });
  const bound = { requiredNodeTerms: [nodeWith(is(HOSTNAME, 'In', 'bad'))] };
  const objects = cluster({
    instanceTypes: [wide],
    machines: ['good0', 'bad', 'good2'].map((name) => machine(name, { type: wide })),
    pods: [
      // The test has −2147483647, with which a node counts as empty.
      pod('first', { on: 'good0', cpu: 1000, deletionCost: '-100000000' }),
      pod('second', { on: 'bad', cpu: 1000, deletionCost: '0', ...bound }),
      pod('third', { on: 'good2', cpu: 1000, deletionCost: '2147483647' }),
    ],
  });
  // Single-node consolidation would find them one by one.
  const { merged, karpenter } = both(objects, rulesByPool({ default: policyNamed('WhenUnderutilized') }));
  assert.deepEqual(movesOf(karpenter), []);
  assert.deepEqual(movesOf(merged), ['delete good0 good2']);
});

test('S7: pools that cannot share nodes, interleaved in the order (k#853, k#2814)', () => {
  const KEY = 'example.com/partition';
  const partition = (value: string) =>
    onDemandPool(value, { taints: [taint(KEY, 'NoSchedule', value)], requirements: [is(KEY, 'In', value)] });
  const small = instanceType('small', { cpu: 2000, memory: 8 * GIB, price: 0.1 });
  const medium = instanceType('medium', { cpu: 4000, memory: 16 * GIB, price: 0.15 });
  const objects = cluster({
    instanceTypes: [small, medium],
    nodePools: [partition('one'), partition('two')],
    machines: ['one', 'two'].flatMap((value) =>
      ['a', 'b'].map((own) =>
        machine(`${own}-${value}`, {
          pool: value,
          type: small,
          labels: { [KEY]: value },
          taints: [taint(KEY, 'NoSchedule', value)],
        }),
      ),
    ),
    pods: ['one', 'two'].flatMap((value) =>
      ['a', 'b'].map((own) =>
        pod(`${own}-${value}`, {
          on: `${own}-${value}`,
          cpu: 1200,
          nodeSelector: { [KEY]: value },
          tolerations: [toleration(KEY, { operator: 'Equal', value })],
        }),
      ),
    ),
  });
  const { merged, karpenter } = both(objects);
  assert.deepEqual(movesOf(karpenter), []);
  assert.deepEqual(movesOf(merged).sort(), ['replace a-one b-one by medium', 'replace a-two b-two by medium']);
  assert.equal(money(merged), '0.4 → 0.3');
});

describe('S8: one node for several smaller ones (k#1442)', () => {
  test('t3a.xlarge and t3a.micro for two t3a.medium: .1598 → .0752', () => {
    const objects = cluster({
      instanceTypes: awsTypes('t3a.micro', 't3a.medium', 't3a.xlarge'),
      nodePools: [onDemandPool('default')],
      machines: [awsNode('xlarge', 't3a.xlarge'), awsNode('micro', 't3a.micro')],
      pods: [
        ...pods('xlarge', 3, { cpu: 940, memory: 1050 * MIB }),
        pod('job', { on: 'micro', cpu: 500, memory: 175 * MIB }),
      ],
    });
    const { merged, karpenter } = both(objects);
    assert.equal(money(merged), '0.1598 → 0.0752');
    const launched = merged.moves.flatMap((m) => m.replacements.map((r) => r.instanceTypes[0]));
    assert.deepEqual(launched, ['t3a.medium', 't3a.medium']);
    // Stock moves the one job, which keeps the xlarge for good.
    assert.equal(money(karpenter), '0.1598 → 0.1504');
  });

  test('two 8xlarge and one 4xlarge for three 2xlarge, where the pool of small nodes comes first', () => {
    const sized = (...names: readonly string[]) => is('node.kubernetes.io/instance-type', 'In', ...names);
    const objects = cluster({
      instanceTypes: awsTypes('c6a.2xlarge', 'c6a.4xlarge', 'c6a.8xlarge'),
      nodePools: [
        onDemandPool('small', { weight: 10, requirements: [sized('c6a.2xlarge')] }),
        onDemandPool('large', { requirements: [sized('c6a.4xlarge', 'c6a.8xlarge')] }),
      ],
      machines: [
        awsNode('a', 'c6a.8xlarge', { pool: 'large' }),
        awsNode('b', 'c6a.8xlarge', { pool: 'large' }),
        awsNode('c', 'c6a.4xlarge', { pool: 'large' }),
      ],
      // 17 % of the cpu each, on the large ones more memory than a 2xlarge has, and on each one pod with a host port.
      pods: [
        ...['a', 'b', 'c'].map((on) => pod(`edge-${on}`, { on, cpu: 900, memory: GIB, hostPorts: [hostPort(443)] })),
        ...pods('a', 5, { cpu: 900, memory: 2900 * MIB }),
        ...pods('b', 5, { cpu: 900, memory: 2900 * MIB }),
        ...pods('c', 2, { cpu: 900, memory: 1300 * MIB }),
      ],
    });
    const { merged, karpenter } = both(objects);
    assert.equal(money(merged), '3.06 → 0.918');
    // Stock makes one of them smaller and fills the 4xlarge with what is left over: there it stays.
    assert.equal(money(karpenter), '3.06 → 2.142');
  });
});

test('one node for three, where pods that keep apart share the others evenly', () => {
  const type = (name: string, cpu: number, price: number) => instanceType(name, { cpu, memory: 64 * GIB, price });
  const [small, middle, large] = [type('small', 4000, 0.15), type('middle', 8000, 0.45), type('large', 16_000, 0.57)];
  const objects = cluster({
    instanceTypes: [small, middle, large],
    nodePools: [onDemandPool('default')],
    machines: [machine('node', { type: large })],
    // On the first new node that takes them the others would make it a middle one.
    pods: [
      ...pods('node', 6, { cpu: 1000 }),
      ...['a', 'b', 'c'].map((name) => pod(name, { on: 'node', cpu: 1500, hostPorts: [hostPort(80)] })),
    ],
  });
  const { merged, karpenter } = both(objects);
  assert.deepEqual(movesOf(karpenter), []);
  assert.deepEqual(movesOf(merged), ['replace node by small small small']);
});

describe('S11: two nodes for one of the same price (aws#5903)', () => {
  const objects = cluster({
    instanceTypes: awsTypes('c6a.2xlarge', 'c6a.4xlarge'),
    nodePools: [onDemandPool('default')],
    machines: [awsNode('a', 'c6a.2xlarge'), awsNode('b', 'c6a.2xlarge')],
    pods: [...pods('a', 6, { cpu: 900, memory: GIB }), ...pods('b', 6, { cpu: 900, memory: GIB })],
  });

  test('is worth nothing by price alone', () => {
    const { merged, karpenter } = both(objects);
    assert.deepEqual([movesOf(merged), movesOf(karpenter)], [[], []]);
    assert.equal(money(merged), '0.612 → 0.612');
  });

  test('is worth the surcharge that one node less saves', () => {
    const { merged } = both(objects, rules({}, { nodeSurchargeCents: 1 }));
    assert.deepEqual(movesOf(merged), ['replace a b by c6a.4xlarge']);
    assert.equal(money(merged), '0.632 → 0.622');
  });

  test('and does not go back and forth: when it is done there is nothing to do, with the surcharge or without', () => {
    const surcharge = rules({}, { nodeSurchargeCents: 1, maxReplacements: 5 });
    const after = clusterAfterPlan(objects, surcharge);
    assert.deepEqual(movesOf(both(after, surcharge).merged), []);
    assert.deepEqual(movesOf(both(after).merged), []);
  });
});
