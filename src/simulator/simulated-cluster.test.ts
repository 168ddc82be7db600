import assert from 'node:assert/strict';
import { test } from 'node:test';
import { constrained } from '../../test/build/constraints.ts';
import { LARGE, MEDIUM, SMALL } from '../../test/build/instance-type.ts';
import { nodePool } from '../../test/build/node-pool.ts';
import {
  daemon,
  deployment,
  exactly,
  flat,
  job,
  type ScenarioSketch,
  scenario,
  statefulSet,
} from '../../test/build/scenario.ts';
import { GIB } from '../../test/build/units.ts';
import { SimulatedCluster, type SimulationOptions } from './simulated-cluster.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** Runs for this long and returns lines of the log without their times. */
function run(sketch: ScenarioSketch, minutes: number, options: Partial<SimulationOptions> = {}) {
  const given = scenario(sketch);
  const lines: string[] = [];
  const log = (line: string) => lines.push(line);
  const cluster = new SimulatedCluster(given, { seed: 1, consolidation: 'none', ...options, log });
  cluster.advanceTo(given.startMs + minutes * MINUTE_MS);
  return { cluster, lines, nodes: [...cluster.world.nodes.values()], summary: cluster.ledger.summary() };
}

function of(lines: readonly string[], what: string): string[] {
  return lines.filter((line) => line.split(' ')[1] === what);
}

test('pending pods get a node that fits them, once it has come up', () => {
  const { lines, nodes, summary } = run({ apps: [deployment('web', { replicas: flat(3) })] }, 5);
  assert.deepEqual(
    nodes.map((n) => n.type.name),
    ['small'],
  );
  // A second to batch, 40 s for the node to come, then the pods start.
  assert.match(of(lines, 'node-ready')[0], /^41000 /);
  assert.match(of(lines, 'pod-ready')[0], /^46000 /);
  assert.ok(Math.abs(summary.costDollars - (0.1 * (5 * MINUTE_MS - 1000)) / HOUR_MS) < 1e-12);
  assert.ok(Math.abs(summary.pendingP95Seconds / 41 - 1) < 0.02);
  assert.equal(summary.unavailablePodSeconds, 3 * 46);
});

test('a node for every DaemonSet, and a pod of it on every node', () => {
  const { nodes } = run({ apps: [deployment('web', { replicas: flat(20) }), daemon('agent')] }, 5);
  assert.ok(nodes.length > 1);
  for (const node of nodes) {
    assert.equal([...node.pods].filter((p) => p.state.app.name === 'agent').length, 1, node.name);
  }
});

test('a node that is deleted while it starts gets no DaemonSet pods', () => {
  const sketch = { apps: [deployment('web', { replicas: flat(3) }), daemon('agent')] };
  const given = scenario({ ...sketch, settings: { terminationDelay: exactly(10 * MINUTE_MS) } });
  const cluster = new SimulatedCluster(given, { seed: 1, consolidation: 'none' });
  cluster.advanceTo(given.startMs + 10_000);
  const [node] = cluster.world.nodes.values();
  cluster.world.deleteNode(node, 'by-hand');
  cluster.advanceTo(given.startMs + 5 * MINUTE_MS);
  assert.ok(node.readyMs !== undefined && !node.gone);
  assert.equal(node.pods.size, 0);
});

test('batch pods run to their end, again and again', () => {
  const { cluster, summary } = run({ apps: [job('report', { pods: 2, everyMs: 10 * MINUTE_MS })] }, 29);
  assert.equal(summary.podsCreated, 6);
  assert.equal(cluster.world.pods.size, 0);
  assert.equal(cluster.world.apps[0].desired, 0);
});

test('an evicted batch pod begins again', () => {
  const apps = [job('report', { runTime: exactly(30 * MINUTE_MS) })];
  const { summary, lines } = run({ apps, settings: { drains: [{ afterMs: 10 * MINUTE_MS, nodes: 1 }] } }, 60);
  assert.equal(summary.evictions, 1);
  assert.equal(summary.podsCreated, 2);
  assert.deepEqual(summary.evictionsByCause, { 'by-hand': 1 });
  assert.equal(of(lines, 'pod-stopping').filter((line) => line.endsWith('finished')).length, 1);
});

test("a StatefulSet's pod comes back under its name, when the one before it is gone", () => {
  const apps = [statefulSet('db', { replicas: flat(2), shutdown: exactly(20_000) })];
  const { lines } = run({ apps, settings: { drains: [{ afterMs: 10 * MINUTE_MS, nodes: 1 }] } }, 20);
  const after = lines.filter((line) => Number(line.split(' ')[0]) >= 10 * MINUTE_MS && line.includes('default/db-1'));
  const steps = after.map((line) => line.split(' ')[1]);
  assert.deepEqual(steps.slice(0, 3), ['pod-stopping', 'pod-gone', 'pod-created']);
});

test('budgets hold a drain up until others are ready', () => {
  const apps = [deployment('web', { replicas: flat(4), budget: { maxUnavailable: 1 }, startup: exactly(30_000) })];
  const { cluster, lines } = run({ apps, settings: { drains: [{ afterMs: 10 * MINUTE_MS, nodes: 1 }] } }, 30);
  const times = of(lines, 'pod-stopping').map((line) => Number(line.split(' ')[0]));
  assert.equal(times.length, 4);
  for (let i = 1; i < 4; i++) assert.ok(times[i] - times[i - 1] >= 30_000, 'one at a time');
  assert.equal(cluster.world.apps[0].ready, 4);
});

test('a rollout replaces every pod and never has less than three quarters ready', () => {
  const apps = [deployment('web', { replicas: flat(8), rollouts: [{ afterMs: 10 * MINUTE_MS }] })];
  const given = scenario({ apps });
  const cluster = new SimulatedCluster(given, { seed: 1, consolidation: 'none' });
  const [state] = cluster.world.apps;
  cluster.advanceTo(given.startMs + 10 * MINUTE_MS - 1);
  let least = state.ready;
  let most = state.active;
  cluster.world.listeners.push({
    podStopping: () => {
      least = Math.min(least, state.ready);
    },
    podCreated: () => {
      most = Math.max(most, state.active);
    },
  });
  cluster.advanceTo(given.startMs + 20 * MINUTE_MS);
  assert.equal(least, 6);
  assert.equal(most, 10);
  assert.equal(state.ready, 8);
  assert.ok([...state.pods].every((p) => p.revision === 2));
  assert.equal(cluster.ledger.summary().evictions, 0, 'a rollout is no eviction');
});

test('LeastAllocated spreads, MostAllocated packs', () => {
  const pods = (scoring: 'LeastAllocated' | 'MostAllocated') => {
    const apps = [
      deployment('base', { replicas: flat(2), cpu: 3000 }),
      deployment('late', { replicas: flat(0, { steps: [{ afterMs: 5 * MINUTE_MS, replicas: 4 }] }), cpu: 200 }),
    ];
    const { nodes } = run({ apps, instanceTypes: [MEDIUM], settings: { scoring } }, 10);
    return nodes.map((n) => n.pods.size).sort();
  };
  assert.deepEqual(pods('LeastAllocated'), [3, 3]);
  assert.deepEqual(pods('MostAllocated'), [1, 5]);
});

test('spread over zones holds at every moment', () => {
  const labelSelector = { matchLabels: { app: 'web' } };
  const zone = 'topology.kubernetes.io/zone';
  const constraints = constrained({
    topologySpread: [{ topologyKey: zone, maxSkew: 1, whenUnsatisfiable: 'DoNotSchedule', labelSelector }],
  });
  const { nodes } = run({ apps: [deployment('web', { replicas: flat(9), constraints })] }, 10);
  const byZone = new Map<string, number>();
  for (const { zone: z, pods } of nodes) byZone.set(z, (byZone.get(z) ?? 0) + pods.size);
  assert.deepEqual([...byZone.values()], [3, 3, 3]);
});

test('anti-affinity keeps apart, also those who do not ask for it', () => {
  const apart = { topologyKey: 'kubernetes.io/hostname', labelSelector: { matchLabels: { tier: 'db' } } };
  const apps = [
    deployment('loud', { replicas: flat(2), cpu: 100, constraints: constrained({ requiredAntiAffinity: [apart] }) }),
    deployment('db', { replicas: flat(2), cpu: 100, labels: { app: 'db', tier: 'db' } }),
  ];
  const { nodes, cluster } = run({ apps }, 10);
  for (const { pods } of nodes) assert.equal(new Set([...pods].map((p) => p.state.app.name)).size, 1);
  assert.ok(cluster.world.apps.every(({ ready }) => ready === 2));
});

test('a launch that is refused leaves a failed claim for a moment, and another offering is tried', () => {
  const apps = [deployment('web', { replicas: flat(2) })];
  const { summary, lines, cluster } = run({ apps, settings: { insufficientCapacityRate: 0.7 } }, 60, { seed: 2 });
  assert.ok(summary.launchesFailed > 0);
  assert.equal(of(lines, 'launch-failed').length, summary.launchesFailed);
  assert.equal(cluster.world.apps[0].ready, 2);
  assert.equal(cluster.world.failedClaims.size, 0);
});

test('spot nodes are interrupted at about their rate, and gone two minutes after the notice', () => {
  const pools = [
    nodePool('default', { requirements: [{ key: 'karpenter.sh/capacity-type', operator: 'In', values: ['spot'] }] }),
  ];
  const apps = [deployment('web', { replicas: flat(40), shutdown: exactly(10 * MINUTE_MS) })];
  const { lines, summary } = run({ apps, nodePools: pools, settings: { spotInterruptionsPerDay: 24 } }, 600);
  const notices = of(lines, 'node-deleting').map((line) => line.split(' '));
  const expected = (24 * summary.nodeHours) / 24;
  assert.ok(Math.abs(notices.length - expected) < 3 * Math.sqrt(expected), `${notices.length}, not about ${expected}`);
  for (const [atMs, , name] of notices) {
    const gone = of(lines, 'node-gone').find((line) => line.split(' ')[2] === name);
    if (gone !== undefined) assert.ok(Number(gone.split(' ')[0]) - Number(atMs) <= 2 * MINUTE_MS);
  }
  assert.deepEqual(Object.keys(summary.costByPool), ['default/spot']);
});

test('interruptions by the catalog: at the rate of the instance type, and none where it is unknown', () => {
  const nodePools = [
    nodePool('default', { requirements: [{ key: 'karpenter.sh/capacity-type', operator: 'In', values: ['spot'] }] }),
  ];
  const interrupted = (spotInterruptionsPerHour: number | undefined) => {
    const apps = [deployment('web', { replicas: flat(40) })];
    const instanceTypes = [{ ...MEDIUM, spotInterruptionsPerHour }];
    const settings = { spotInterruptionsPerDay: 'catalog' } as const;
    const { summary } = run({ apps, nodePools, instanceTypes, settings }, 120);
    return summary.evictionsByCause.interruption ?? 0;
  };
  assert.equal(interrupted(undefined), 0);
  assert.ok(interrupted(1) > 0);
});

test('nodes expire, drift and are drained by hand, and their pods go on elsewhere', () => {
  const pools = [nodePool('default', { expireAfterMs: 30 * MINUTE_MS, budgets: [{ nodes: '1' }] })];
  const apps = [deployment('web', { replicas: flat(12) })];
  const settings = { drifts: [{ afterMs: 10 * MINUTE_MS, nodePool: 'default' }] };
  const { summary, cluster } = run({ apps, nodePools: pools, settings }, 55);
  assert.ok(summary.evictionsByCause.drift >= 12);
  assert.ok(summary.evictionsByCause.expiration > 0);
  assert.equal(cluster.world.apps[0].ready, 12);
});

test('a price that changes counts from then on', () => {
  const apps = [deployment('web', { replicas: flat(3) })];
  const settings = { priceChanges: [{ afterMs: 31 * MINUTE_MS, instanceTypes: 'small', factor: 2 }] };
  const { summary } = run({ apps, settings }, 61);
  assert.ok(Math.abs(summary.costDollars - (0.1 * (31 * 60 - 1) + 0.2 * 30 * 60) / 3600) < 1e-12);
});

test('stock Karpenter removes what a scale-in leaves behind, and the pods that it moves twice are counted', () => {
  const replicas = flat(30, { steps: [{ afterMs: HOUR_MS, replicas: 3 }] });
  const sketch: ScenarioSketch = { apps: [deployment('web', { replicas })], instanceTypes: [LARGE, MEDIUM, SMALL] };
  const without = run(sketch, 180);
  const stock = run(sketch, 180, { consolidation: 'stock' });
  assert.ok(stock.summary.costDollars < without.summary.costDollars / 2);
  assert.deepEqual(
    stock.nodes.map((n) => n.type.name),
    ['small'],
  );
  assert.equal(without.summary.evictions, 0);
  assert.ok(stock.summary.evictions > 0 && stock.summary.commands > 0);
  assert.ok(
    Math.abs(stock.summary.realisedSavingsDollarsPerHour - stock.summary.predictedSavingsDollarsPerHour) < 1e-9,
  );
});

test('stock Karpenter validates: 15 s pass between the decision and the end of an empty node', () => {
  const replicas = flat(3, { steps: [{ afterMs: HOUR_MS, replicas: 0 }] });
  const { lines } = run({ apps: [deployment('web', { replicas })] }, 70, { consolidation: 'stock' });
  const stopped = Number(of(lines, 'pod-stopping')[0].split(' ')[0]);
  const deleted = Number(of(lines, 'node-deleting')[0].split(' ')[0]);
  // consolidateAfter is 1 minute, a pass every 10 s, and 15 s for validation.
  assert.ok(deleted - stopped >= 75_000 && deleted - stopped <= 85_000, String(deleted - stopped));
});

test('the port: what is done shows in the next view, and doing it again does no harm', async () => {
  const { cluster, nodes } = run({ apps: [deployment('web', { replicas: flat(2) })] }, 10);
  const before = cluster.view();
  assert.equal(cluster.view().objects, before.objects, 'nothing has changed');
  const [node] = nodes;
  await cluster.act({ kind: 'taint', node: node.name });
  await cluster.act({ kind: 'taint', node: node.name });
  const tainted = cluster.view().objects;
  assert.equal(tainted.nodes[0].taints.length, 1);
  assert.equal(tainted.pods[0], before.objects.pods[0], 'what has not changed is the same object');
  const replacement = {
    nodeClaim: 'cmd-1',
    nodePool: 'default',
    requirements: [{ key: 'node.kubernetes.io/instance-type', operator: 'In' as const, values: ['medium', 'large'] }],
    requests: { cpu: 4500, memory: GIB },
    centsPerHour: 40,
  };
  for (let i = 0; i < 2; i++) await cluster.act({ kind: 'create-node-claim', command: 'cmd', replacement });
  assert.equal(cluster.view().objects.nodeClaims.length, 2);
  assert.equal(cluster.world.nodes.get('cmd-1')?.type.name, 'large', 'the cheapest that holds what is meant for it');
  cluster.advanceTo(cluster.nowMs + MINUTE_MS);
  await cluster.act({ kind: 'delete-node-claim', command: 'cmd', nodeClaim: node.name });
  cluster.advanceTo(cluster.nowMs + MINUTE_MS);
  await cluster.act({ kind: 'delete-node-claim', command: 'cmd', nodeClaim: node.name });
  const after = cluster.view().objects;
  assert.deepEqual(
    after.nodes.map((n) => n.name),
    ['cmd-1'],
  );
  assert.ok(after.pods.every((p) => p.nodeName === 'cmd-1'));
});

test('the port: faults lose, repeat and fail to acknowledge actions', async () => {
  const faults = { lost: 0.3, unacknowledged: 0.3, repeated: 0.3 };
  const { cluster, nodes } = run({ apps: [deployment('web')] }, 10, { faults });
  let refused = 0;
  let done = 0;
  for (let i = 0; i < 200; i++) {
    const kind = i % 2 === 0 ? 'taint' : 'untaint';
    await cluster.act({ kind, node: nodes[0].name }).catch(() => refused++);
    if (nodes[0].tainted === (kind === 'taint')) done++;
  }
  assert.ok(refused > 80 && refused < 160, String(refused));
  assert.ok(done > 120, 'some of what was not acknowledged has happened');
});
