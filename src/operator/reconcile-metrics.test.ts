import assert from 'node:assert/strict';
import { test } from 'node:test';
import { is } from '../../test/build/constraints.ts';
import { FakeCluster } from '../../test/build/fake-cluster.ts';
import { LARGE } from '../../test/build/instance-type.ts';
import { machine } from '../../test/build/machine.ts';
import { nodePool } from '../../test/build/node-pool.ts';
import { pod } from '../../test/build/pod.ts';
import { controllerOn } from '../../test/build/run-controller.ts';
import type { Command } from '../controller/command.ts';
import { CAPACITY_TYPE, ON_DEMAND } from '../engine/cluster/well-known.ts';
import { OperatorMetrics } from './metrics.ts';
import { measure, measureBlockers, methodOf, reevictions } from './reconcile-metrics.ts';

const pool = (name: string, disruption: object = { consolidateAfter: '0s' }) =>
  nodePool(name, { requirements: [is(CAPACITY_TYPE, 'In', ON_DEMAND)], templateLabels: { pool: name }, disruption });
const held = (name: string) => machine(`on-${name}`, { pool: name, type: LARGE, labels: { pool: name } });
const podFor = (name: string) => pod(`p-${name}`, { on: `on-${name}`, cpu: 3000, nodeSelector: { pool: name } });

/** Lines of ours that are not 0, without help and type. */
async function lines(metrics: OperatorMetrics, wanted: RegExp): Promise<readonly string[]> {
  const text = await metrics.registry.metrics();
  return text.split('\n').filter((line) => wanted.test(line) && !line.startsWith('#') && !line.endsWith(' 0'));
}

const strict = { consolidateAfter: '0s', consolidationSavingsThresholdCents: '100' };

test('a pass: what is refused, what everything costs, and the counter of the document', async () => {
  const port = new FakeCluster({
    nodePools: [pool('strict', strict), pool('lax')],
    machines: [held('strict'), held('lax')],
    pods: [podFor('strict'), podFor('lax')],
  });
  const metrics = new OperatorMetrics();
  let ms = 0;
  const report = await controllerOn(port, { mode: 'observe', clock: () => (ms += 500) }).reconcile();
  measure(metrics, report, port.view());
  measure(metrics, report, port.view());
  assert.deepEqual(
    await lines(metrics, /^karpenter_|^decant_(nodes|cost|planned|refused|ticks|proposals|candidates)/),
    [
      'karpenter_consolidation_threshold_blocked_total{nodepool="strict"} 2',
      'decant_ticks_total{result="pass"} 2',
      'decant_proposals{kind="replace",method="single"} 1',
      'decant_refused_nodes{code="savings-below-threshold"} 1',
      'decant_candidates 2',
      'decant_candidates_examined 2',
      'decant_nodes{nodepool="strict"} 1',
      'decant_nodes{nodepool="lax"} 1',
      'decant_cost_dollars_per_hour{nodepool="strict"} 0.4',
      'decant_cost_dollars_per_hour{nodepool="lax"} 0.4',
      'decant_planned_cost_dollars_per_hour{nodepool="strict"} 0.4',
      'decant_planned_cost_dollars_per_hour{nodepool="lax"} 0.2',
    ],
  );
  assert.deepEqual(await lines(metrics, /pass_duration_seconds_sum/), ['decant_pass_duration_seconds_sum 1']);
});

test('the counter of the document counts a pool once per pass, however many nodes were blocked', async () => {
  const port = new FakeCluster({
    nodePools: [pool('strict', strict)],
    machines: [held('strict')],
    pods: [podFor('strict')],
  });
  const metrics = new OperatorMetrics();
  const report = await controllerOn(port, { mode: 'observe' }).reconcile();
  assert.ok(report.pass !== undefined);
  const [refusal] = report.pass.thresholdBlocked.get('strict')?.values() ?? [];
  assert.ok(refusal !== undefined);
  const three = new Map(['a', 'b', 'c'].map((name) => [name, refusal]));
  measure(
    metrics,
    { ...report, pass: { ...report.pass, thresholdBlocked: new Map([['strict', three]]) } },
    port.view(),
  );
  assert.deepEqual(await lines(metrics, /^karpenter_/), [
    'karpenter_consolidation_threshold_blocked_total{nodepool="strict"} 1',
  ]);
});

test('a command from its beginning to its end', async () => {
  const port = new FakeCluster({ nodePools: [pool('web')], machines: [held('web')], pods: [podFor('web')] });
  const metrics = new OperatorMetrics();
  const controller = controllerOn(port);
  const open = new Set<string>();
  for (let i = 0; i < 60; i++) {
    measure(metrics, await controller.reconcile(), port.view());
    for (const line of await lines(metrics, /^decant_open_commands/)) open.add(line);
    port.advanceTo(port.nowMs + 5_000);
  }
  assert.deepEqual(
    [...open],
    [
      'decant_open_commands{phase="waiting"} 1',
      'decant_open_commands{phase="launching"} 1',
      'decant_open_commands{phase="draining"} 1',
    ],
  );
  assert.deepEqual(await lines(metrics, /^decant_(decisions|evictions|reevictions|predicted|realised)/), [
    'decant_decisions_total{kind="replace",method="single",outcome="begun"} 1',
    'decant_decisions_total{kind="replace",method="single",outcome="done"} 1',
    'decant_predicted_savings_dollars_per_hour_total 0.2',
    'decant_realised_savings_dollars_per_hour_total 0.2',
    'decant_evictions_total 1',
  ]);
  assert.deepEqual(await lines(metrics, /^decant_open_commands/), []);
});

test('what a cluster that is not known was like stands; pools that are gone go', async () => {
  const port = new FakeCluster({ nodePools: [pool('web'), pool('old')], machines: [held('web')], pods: [] });
  const metrics = new OperatorMetrics();
  const sketch = { mode: 'observe' as const, interlock: true };
  measure(metrics, await controllerOn(port, sketch).reconcile(), port.view());
  assert.deepEqual(await lines(metrics, /^decant_hindered/), ['decant_hindered_nodepools{reason="interlock"} 2']);
  port.synced = false;
  measure(metrics, await controllerOn(port, sketch).reconcile(), port.view());
  assert.deepEqual(await lines(metrics, /^decant_hindered/), ['decant_hindered_nodepools{reason="interlock"} 2']);
  port.synced = true;
  port.objects = { ...port.objects, nodePools: port.objects.nodePools.slice(0, 1) };
  measure(metrics, await controllerOn(port, sketch).reconcile(), port.view());
  assert.deepEqual(await lines(metrics, /nodepool="old"/), []);
});

test('a refusal that no node has any more is gone', async () => {
  const port = new FakeCluster({ nodePools: [pool('web')], machines: [held('web')], pods: [podFor('web')] });
  const metrics = new OperatorMetrics();
  const pass = async () => measure(metrics, await controllerOn(port, { mode: 'observe' }).reconcile(), port.view());
  port.changePod('p-web', () => ({ doNotDisrupt: 'true' }));
  await pass();
  assert.deepEqual(await lines(metrics, /^decant_refused/), ['decant_refused_nodes{code="pod-annotation"} 1']);
  port.changePod('p-web', () => ({ doNotDisrupt: undefined }));
  await pass();
  assert.deepEqual(await lines(metrics, /^decant_refused/), []);
});

const command = (id: string, sketch: Partial<Command>): Command => ({
  id,
  phase: 'draining',
  decidedMs: 0,
  phaseMs: 0,
  nodes: [{ node: 'n', nodeClaim: 'c', nodePool: 'p', centsPerHour: 1, pods: 1 }],
  replacements: [],
  workloads: {},
  predicted: { savingsCentsPerHour: 0, requiredCentsPerHour: 0, disruptionCost: 0, evictions: 0 },
  ...sketch,
});

test('pods that are evicted again: as many as their workload lost within 30 minutes', () => {
  const minute = 60_000;
  const journal = [
    command('1', { drainingMs: 0, workloads: { web: 9 } }),
    command('2', { drainingMs: 20 * minute, workloads: { web: 2, api: 5 } }),
    command('3', { drainingMs: 45 * minute, workloads: { web: 3, api: 1, db: 4 } }),
    command('4', { workloads: { web: 7 } }),
  ];
  assert.deepEqual(
    journal.map((c) => reevictions(c, journal)),
    [0, 2, 3, 0],
  );
});

test('a command is named after what it does', () => {
  const [node] = command('1', {}).nodes;
  const replacement = { nodeClaim: 'r', nodePool: 'p', requirements: [], requests: {}, centsPerHour: 1 };
  assert.equal(
    methodOf(
      command('1', {
        nodes: [
          { ...node, pods: 0 },
          { ...node, pods: 0 },
        ],
      }),
    ),
    'emptiness',
  );
  assert.equal(methodOf(command('1', {})), 'single');
  assert.equal(methodOf(command('1', { nodes: [{ ...node, pods: 0 }], replacements: [replacement] })), 'single');
  assert.equal(methodOf(command('1', { nodes: [node, { ...node, pods: 0 }] })), 'multi');
});

test('a taint that Karpenter strips from a node of an open command is counted when it is written again', async () => {
  const port = new FakeCluster({ nodePools: [pool('lax')], machines: [held('lax')], pods: [podFor('lax')] });
  const metrics = new OperatorMetrics();
  const controller = controllerOn(port);
  const reconcile = async () => measure(metrics, await controller.reconcile(), port.view());
  await reconcile();
  port.advanceTo(port.nowMs + 15_000);
  await reconcile();
  assert.deepEqual(await lines(metrics, /^decant_taints_restored/), []);
  port.giveBack(port.objects.nodeClaims[0].name);
  port.advanceTo(port.nowMs + 10_000);
  await reconcile();
  assert.deepEqual(await lines(metrics, /^decant_taints_restored/), ['decant_taints_restored_total 1']);
});

test('what blockers cost, by namespace and in all, and how old the figures are', async () => {
  const metrics = new OperatorMetrics();
  const prices = { plannedSavingsCentsPerHour: 0, totalCentsPerHour: 70, blockers: [], otherNodes: [] };
  const of = (namespace: string) => ({ namespace, aloneCentsPerHour: 10, jointCentsPerHour: 40 });
  measureBlockers(metrics, { ...prices, namespaces: [of('gone')] }, 1000);
  measureBlockers(metrics, { ...prices, namespaces: [of('shop')] }, 5000);
  assert.deepEqual(await lines(metrics, /^decant_block/), [
    'decant_blocked_cost_dollars_per_hour{namespace="shop",removed="alone"} 0.1',
    'decant_blocked_cost_dollars_per_hour{namespace="shop",removed="jointly"} 0.4',
    'decant_blockers_cost_dollars_per_hour 0.7',
    'decant_blockers_priced_timestamp_seconds 5',
  ]);
});
