import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { is } from '../../test/build/constraints.ts';
import { FakeCluster, type FakeClusterOptions } from '../../test/build/fake-cluster.ts';
import { instanceType, LARGE } from '../../test/build/instance-type.ts';
import { machine } from '../../test/build/machine.ts';
import { nodePool } from '../../test/build/node-pool.ts';
import { pod } from '../../test/build/pod.ts';
import { type ControllerSketch, controllerOn } from '../../test/build/run-controller.ts';
import { GIB } from '../../test/build/units.ts';
import type { ReconcileReport } from '../controller/report.ts';
import { CAPACITY_TYPE, INITIALIZED, ON_DEMAND } from '../engine/cluster/well-known.ts';
import { eventsOf } from './event-list.ts';

const ON_DEMAND_ONLY = [is(CAPACITY_TYPE, 'In', ON_DEMAND)];
const pool = (disruption: object = { consolidateAfter: '0s' }) =>
  nodePool('default', { requirements: ON_DEMAND_ONLY, disruption });

type Sketch = ConstructorParameters<typeof FakeCluster>[0];

async function told(sketch: Sketch, how: ControllerSketch = {}, options: FakeClusterOptions = {}) {
  const port = new FakeCluster(sketch, options);
  return saidOf(port, await controllerOn(port, { mode: 'observe', ...how }).reconcile(), how.mode);
}

function saidOf(port: FakeCluster, report: ReconcileReport, mode: 'observe' | 'act' = 'observe'): readonly string[] {
  return eventsOf(report, port.view()!, mode).map((e) => `${e.on.kind}/${e.on.name} ${e.reason}: ${e.note}`);
}

/** Each alone has somewhere to go, or nothing cheaper; together they have one of six cpus. */
const PAIR = {
  machines: [machine('a', { type: LARGE }), machine('b', { type: LARGE })],
  pods: [pod('p', { on: 'a', cpu: 4500 }), pod('q', { on: 'b', cpu: 1500 })],
  instanceTypes: [LARGE, instanceType('six', { cpu: 6500, memory: 24 * GIB, price: 0.3 })],
};

test('nodes that go together get no event that they stay', async () => {
  const together = pool({ consolidateAfter: '0s', consolidationPolicy: 'WhenUnderutilized' });
  const said = await told({ nodePools: [together], ...PAIR });
  assert.deepEqual(
    said.map((line) => line.split(':')[0]),
    ['NodeClaim/claim-a ConsolidationCandidate', 'NodeClaim/claim-b ConsolidationCandidate'],
  );
});

describe('of nodes that stay', () => {
  test('a pool whose nodes go only together, and a node without others to go with', async () => {
    const together = pool({ consolidateAfter: '0s', consolidationPolicy: 'WhenUnderutilized' });
    const [a] = PAIR.machines;
    const said = await told({
      ...PAIR,
      nodePools: [together],
      machines: [a],
      pods: [pod('p', { on: 'a', cpu: 1000 })],
    });
    assert.deepEqual(said, [
      'NodeClaim/claim-a Unconsolidatable: NodePool "default" removes nodes only together with others (policy WhenUnderutilized)',
    ]);
  });

  test('blocked by their pods, in the words of the refusal', async () => {
    const said = await told({
      nodePools: [pool()],
      machines: [machine('a', { type: LARGE })],
      pods: [pod('p', { on: 'a', cpu: 3000, doNotDisrupt: 'true' })],
    });
    assert.deepEqual(said, [
      'NodeClaim/claim-a DisruptionBlocked: pod default/p has the annotation karpenter.sh/do-not-disrupt: "true"',
    ]);
  });

  test('the savings threshold, in the words of its document', async () => {
    const [said] = await told({
      nodePools: [pool({ consolidateAfter: '0s', consolidationSavingsThresholdCents: '100' })],
      machines: [machine('a', { type: LARGE })],
      pods: [pod('p', { on: 'a', cpu: 3000 })],
    });
    assert.match(
      said,
      /^NodeClaim\/claim-a Unconsolidatable: consolidation blocked: savings 20\.0 cents\/hr below required [0-9.]+ cents\/hr \(disruption_cost=[0-9.]+, threshold=100\)$/,
    );
  });

  test('a budget that is used up is said of the pool too', async () => {
    const said = await told({
      nodePools: [{ ...pool(), budgets: [{ nodes: '0' }] }],
      machines: [machine('a')],
      pods: [],
    });
    assert.equal(said[0], 'NodePool/default DisruptionBlocked: No allowed disruptions due to blocking budget');
    assert.match(
      said[1],
      /^NodeClaim\/claim-a Unconsolidatable: the disruption budget of NodePool "default" allows no more/,
    );
  });

  test('nothing of nodes that come or go', async () => {
    const machines = [machine('new', { without: [INITIALIZED] }), machine('old', { deleting: true })];
    const roomy = { ...pool(), budgets: [{ nodes: '5' }] };
    assert.deepEqual(await told({ nodePools: [roomy], machines, pods: [] }), []);
  });
});

describe('of pools that are not ours', () => {
  test('interlock: once on the pool, and what would be done on the nodes', async () => {
    const said = await told({ nodePools: [pool()], machines: [machine('a')], pods: [] }, { interlock: true });
    assert.match(said[0], /^NodePool\/default ConsolidationInterlocked: Karpenter consolidates this NodePool itself/);
    assert.match(
      said[1],
      /^NodeClaim\/claim-a ConsolidationCandidate: Consolidation candidate, not acted on: removes empty node a/,
    );
    assert.equal(said.length, 2);
  });

  test('two policies: which, and nothing about its nodes', async () => {
    const policies = ['one', 'two'].map((name) => ({
      kind: 'ConsolidationPolicy' as const,
      apiVersion: 'decant.sh/v1alpha1',
      name,
      spec: { nodePoolSelector: {} },
    }));
    const said = await told({ nodePools: [pool()], machines: [machine('a')], pods: [] }, {}, { policies });
    assert.deepEqual(said, [
      'NodePool/default PolicyConflict: selected by 2 ConsolidationPolicies (one, two): no consolidation until only one selects it',
    ]);
  });

  test('a block that is no good, with object, field and what is allowed', async () => {
    const [said] = await told({ nodePools: [pool({ consolidateAfter: 'soon' })], machines: [machine('a')], pods: [] });
    assert.match(
      said,
      /^NodePool\/default InvalidPolicy: NodePool\/default: spec.disruption.consolidateAfter: "soon": allowed: /,
    );
  });
});

test('a command writes events on its nodes at every phase, and its result on the pool', async () => {
  const port = new FakeCluster({
    nodePools: [pool()],
    machines: [machine('a', { type: LARGE })],
    pods: [pod('p', { on: 'a', cpu: 3000 })],
  });
  const controller = controllerOn(port);
  const said = new Set<string>();
  for (let i = 0; i < 60; i++) {
    for (const line of saidOf(port, await controller.reconcile(), 'act')) said.add(line.replace(/:.*/, ''));
    port.advanceTo(port.nowMs + 5_000);
  }
  const claim = port.commands[0].replacements[0].nodeClaim;
  assert.deepEqual(
    [...said].filter((line) => !line.includes('Unconsolidatable')),
    [
      'NodeClaim/claim-a ConsolidationCandidate',
      'NodeClaim/claim-a DisruptionLaunching',
      `NodeClaim/${claim} DisruptionWaitingReadiness`,
      'NodeClaim/claim-a DisruptionTerminating',
      'NodePool/default Consolidated',
    ],
  );
});

test('an abandoned command says why', async () => {
  const port = new FakeCluster({ nodePools: [pool()], machines: [machine('a'), machine('b')], pods: [] });
  const controller = controllerOn(port);
  await controller.reconcile();
  port.objects = { ...port.objects, pods: [pod('late', { on: 'a', cpu: 100, doNotDisrupt: 'true' })] };
  port.advanceTo(port.nowMs + 15_000);
  const said = saidOf(port, await controller.reconcile(), 'act');
  assert.ok(said.some((line) => /^NodeClaim\/claim-a ConsolidationRejected: .*reason: pod annotation$/.test(line)));
});
