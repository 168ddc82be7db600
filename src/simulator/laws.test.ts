import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { UNCONSTRAINED } from '../../test/build/constraints.ts';
import { LARGE, MEDIUM, SMALL } from '../../test/build/instance-type.ts';
import { nodePool } from '../../test/build/node-pool.ts';
import { daemon, deployment, exactly, flat, job, scenario, statefulSet } from '../../test/build/scenario.ts';
import { GIB } from '../../test/build/units.ts';
import type { ClusterObjects } from '../engine/cluster/objects.ts';
import { assess } from '../engine/gates/assessment.ts';
import { consolidate } from '../engine/moves/consolidate.ts';
import { IncrementalCluster } from '../engine/pass/incremental-cluster.ts';
import { compile } from '../engine/scheduling/compile.ts';
import type { CompiledCluster, CompileSettings } from '../engine/scheduling/compiled-cluster.ts';
import { Simulation } from '../engine/scheduling/simulation.ts';
import { STOCK_RULES, STOCK_SETTINGS } from '../engine/settings.ts';
import { evictionsAllowed } from './budget-status.ts';
import { ClusterObserver } from './cluster-observer.ts';
import { PodSizes } from './pod-sizes.ts';
import { RemovalBounds } from './removal-bounds.ts';
import { addTimes } from './resource-columns.ts';
import type { App, Scenario } from './scenario.ts';
import type { SimNode } from './sim-node.ts';
import { SimulatedCluster, type SimulationOptions } from './simulated-cluster.ts';

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;

const spread = (name: string, key: string): App['constraints'] => ({
  ...UNCONSTRAINED,
  topologySpread: [
    { topologyKey: key, maxSkew: 1, whenUnsatisfiable: 'DoNotSchedule', labelSelector: { matchLabels: { app: name } } },
  ],
});

const budget = fc.constantFrom(undefined, { maxUnavailable: 1 }, { maxUnavailable: '25%' }, { minAvailable: '50%' });
const size = fc.record({ cpu: fc.constantFrom(250, 500, 900, 1500), memory: fc.constantFrom(GIB / 2, GIB, 3 * GIB) });

const replicated = fc
  .record({
    size,
    budget,
    base: fc.integer({ min: 0, max: 12 }),
    step: fc.integer({ min: 0, max: 16 }),
    stepAt: fc.integer({ min: 1, max: 150 }),
    noise: fc.constantFrom(0, 0, 1),
    rollout: fc.boolean(),
    kind: fc.constantFrom('Deployment' as const, 'StatefulSet' as const),
    key: fc.constantFrom(undefined, 'topology.kubernetes.io/zone', 'kubernetes.io/hostname'),
  })
  .map(
    ({ size: { cpu, memory }, budget: pdb, base, step, stepAt, noise, rollout, kind, key }) =>
      (name: string): App => {
        const sketch = {
          cpu,
          memory,
          ...(pdb === undefined ? {} : { budget: pdb }),
          replicas: flat(base, { steps: [{ afterMs: stepAt * MINUTE_MS, replicas: step }], noise }),
          rollouts: rollout ? [{ afterMs: 40 * MINUTE_MS, everyMs: 50 * MINUTE_MS }] : [],
          ...(key === undefined ? {} : { constraints: spread(name, key) }),
        };
        return kind === 'Deployment' ? deployment(name, sketch) : statefulSet(name, sketch);
      },
  );

const batch = fc.record({ size, pods: fc.integer({ min: 1, max: 5 }), every: fc.constantFrom(7, 20) }).map(
  ({ size: { cpu, memory }, pods, every }) =>
    (name: string): App =>
      job(name, { cpu, memory, pods, everyMs: every * MINUTE_MS, runTime: { leastMs: 30_000, mostMs: 240_000 } }),
);

const scenarios = fc
  .record({
    apps: fc.array(fc.oneof({ weight: 3, arbitrary: replicated }, { weight: 1, arbitrary: batch }), {
      minLength: 1,
      maxLength: 5,
    }),
    agent: fc.boolean(),
    spot: fc.boolean(),
    expires: fc.boolean(),
    refusals: fc.constantFrom(0, 0.2),
    seed: fc.nat(1000),
  })
  .map(({ apps, agent, spot, expires, refusals, seed }): { seed: number; scenario: Scenario } => ({
    seed,
    scenario: scenario({
      instanceTypes: [SMALL, MEDIUM, LARGE],
      nodePools: [
        nodePool('default', {
          requirements: [{ key: 'karpenter.sh/capacity-type', operator: 'In', values: [spot ? 'spot' : 'on-demand'] }],
          consolidateAfterMs: 30_000,
          budgets: [{ nodes: '30%' }],
          ...(expires ? { expireAfterMs: 70 * MINUTE_MS } : {}),
        }),
      ],
      apps: [...apps.map((make, i) => make(`app-${i}`)), ...(agent ? [daemon('agent')] : [])],
      settings: {
        launchDelay: { leastMs: 20_000, mostMs: 50_000 },
        terminationDelay: exactly(3000),
        insufficientCapacityRate: refusals,
        spotInterruptionsPerDay: spot ? 20 : 0,
        drifts: [{ afterMs: 100 * MINUTE_MS, nodePool: 'default' }],
        priceChanges: [{ afterMs: 80 * MINUTE_MS, instanceTypes: 'sm', factor: 3 }],
        drains: [{ afterMs: 60 * MINUTE_MS, nodes: 1 }],
      },
    }),
  }));

/** Runs three hours and checks what must hold at every event. */
function runChecked({ scenario: given, seed }: { scenario: Scenario; seed: number }): SimulatedCluster {
  const cluster = new SimulatedCluster(given, { seed, consolidation: 'stock' });
  const { world } = cluster;
  const billed = new Map<string, number>();
  let dollars = 0;
  let prices = new Map<string, number>();
  const settle = (name: string) => {
    dollars += ((prices.get(name) ?? 0) * (world.nowMs - (billed.get(name) ?? 0))) / HOUR_MS;
    billed.set(name, world.nowMs);
  };
  const priceNow = () => {
    prices = new Map([...world.nodes.values()].map((n) => [n.name, n.price]));
  };
  // Before the ledger, which sets nodes to their new prices.
  world.listeners.unshift({ pricesChanged: () => [...world.nodes.keys()].forEach(settle) });
  world.listeners.push({
    pricesChanged: priceNow,
    nodeLaunched: (node) => {
      billed.set(node.name, world.nowMs);
      priceNow();
    },
    nodeGone: (node) => {
      settle(node.name);
      billed.delete(node.name);
    },
    podBound: (pod, node) => {
      assert.ok(
        node.free.every((amount) => amount >= 0),
        `${node.name} holds more than it has`,
      );
      assert.ok(node.readyMs !== undefined && !node.deleting, `${pod.object.name} on a node that is not there`);
    },
    podStopping: (pod, cause, wasReady) => {
      if (cause !== 'evicted' || !wasReady) return;
      const before = { ...pod.state, ready: pod.state.ready + 1 };
      assert.ok(evictionsAllowed(before) > 0, `${pod.object.name} was evicted against its budget`);
    },
  });
  for (let minute = 1; minute <= 180; minute++) {
    cluster.advanceTo(given.startMs + minute * MINUTE_MS);
    checkNothingLost(cluster);
  }
  [...billed.keys()].forEach(settle);
  const { costDollars } = cluster.ledger.summary();
  assert.ok(Math.abs(costDollars - dollars) <= 1e-9 * Math.max(1, dollars), `${costDollars} instead of ${dollars}`);
  return cluster;
}

/** Every replica that is wanted is there or on its way, and the view says what the world is. */
function checkNothingLost({ world }: SimulatedCluster): void {
  for (const state of world.apps) {
    const { app, desired, active, pods } = state;
    const rolling = [...pods].some((p) => p.revision !== state.revision);
    if (app.kind === 'StatefulSet') assert.ok(pods.size >= desired, `${app.name}: ${pods.size} of ${desired}`);
    else if (app.kind !== 'DaemonSet' && !rolling) assert.equal(active, desired, app.name);
    assert.equal(state.ready, [...pods].filter((p) => p.readyMs !== undefined && p.stopping === undefined).length);
  }
  for (const node of world.nodes.values()) {
    const used = node.allocatable.map((amount, i) => amount - node.free[i]);
    const wanted = new Float64Array(used.length);
    for (const pod of node.pods) addTimes(wanted, pod.state.requests, 1);
    assert.deepEqual(wanted, used, `${node.name} has lost count`);
  }
}

test('under any events: no pod is lost, no node is overfull, no budget is exceeded, and the cost is right', () => {
  fc.assert(
    fc.property(scenarios, (given) => {
      runChecked(given);
    }),
    { numRuns: 15 },
  );
});

function logOf(given: Scenario, options: SimulationOptions): string[] {
  const lines: string[] = [];
  const cluster = new SimulatedCluster(given, { ...options, log: (line) => lines.push(line) });
  cluster.advanceTo(given.startMs + 2 * HOUR_MS);
  return [...lines, JSON.stringify(cluster.ledger.summary())];
}

test('the same seed gives the same run to the letter, another seed another', () => {
  fc.assert(
    fc.property(scenarios, ({ scenario: given, seed }) => {
      assert.deepEqual(logOf(given, { seed, consolidation: 'stock' }), logOf(given, { seed, consolidation: 'stock' }));
    }),
    { numRuns: 5 },
  );
  const [{ scenario: given }] = fc.sample(scenarios, { numRuns: 1, seed: 5 });
  assert.notDeepEqual(
    logOf(given, { seed: 1, consolidation: 'stock' }),
    logOf(given, { seed: 2, consolidation: 'stock' }),
  );
});

test('the short cuts in front of stock Karpenter change nothing but the time it takes', (t) => {
  const cases = fc.sample(scenarios, { numRuns: 4, seed: 11 });
  const screened = cases.map(({ scenario: given, seed }) => logOf(given, { seed, consolidation: 'stock' }));
  t.mock.method(RemovalBounds.prototype, 'mayRemove', () => true);
  t.mock.method(RemovalBounds.prototype, 'largestPossibleGroup', (group: readonly unknown[]) => group.length);
  t.mock.method(IncrementalCluster.prototype, 'compile', (objects: ClusterObjects, settings: CompileSettings) =>
    compile(objects, settings),
  );
  const plain = cases.map(({ scenario: given, seed }) => logOf(given, { seed, consolidation: 'stock' }));
  assert.deepEqual(screened, plain);
  assert.ok(
    screened.some((lines) => lines.some((line) => line.includes('node-deleting') && line.endsWith('consolidation'))),
  );
});

/** Whether Karpenter would do something about these nodes together. */
function acts(cluster: CompiledCluster, nodes: readonly SimNode[]): boolean {
  const candidates = nodes.flatMap(({ name }) => {
    const assessment = assess(cluster, cluster.rowOfNode.get(name) ?? -1, STOCK_RULES);
    return 'candidate' in assessment ? [assessment.candidate] : [];
  });
  return candidates.length === nodes.length && 'move' in consolidate(new Simulation(cluster), candidates);
}

test('a removal that the bounds rule out is one that Karpenter would not make', () => {
  const seen = { ruledOut: 0, acting: 0 };
  for (const { scenario: given, seed } of fc.sample(scenarios, { numRuns: 16, seed: 7 })) {
    const cluster = new SimulatedCluster(given, { seed, consolidation: 'stock' });
    const { world } = cluster;
    const observer = new ClusterObserver(world);
    const sizes = new PodSizes(world);
    for (let minute = 2; minute <= 120; minute += 2) {
      cluster.advanceTo(given.startMs + minute * MINUTE_MS);
      const compiled = compile(observer.asKarpenterSees(), STOCK_SETTINGS);
      const screen = new RemovalBounds(world, sizes);
      for (const candidate of screen.candidates) {
        const ruledOut = !screen.mayRemove(candidate);
        const does = acts(compiled, [candidate.node]);
        assert.ok(!(ruledOut && does), `${candidate.node.name} after ${minute} minutes, seed ${seed}`);
        if (ruledOut) seen.ruledOut++;
        if (does) seen.acting++;
      }
    }
  }
  assert.ok(seen.ruledOut > 100 && seen.acting > 10, JSON.stringify(seen));
});
