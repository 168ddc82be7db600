import type { ClusterView } from '../../src/controller/cluster-port.ts';
import type { Command } from '../../src/controller/command.ts';
import { Controller } from '../../src/controller/controller.ts';
import type { ControllerOptions } from '../../src/controller/options.ts';
import { CAPACITY_TYPE, INSTANCE_TYPE, ZONE } from '../../src/engine/cluster/well-known.ts';
import { poolsUnderPolicies } from '../../src/live/pools-under-policies.ts';
import { ControlledCluster } from '../../src/simulator/controlled-cluster.ts';
import { importedScenario } from '../../src/simulator/imported-scenario.ts';
import { Offerings } from '../../src/simulator/offerings.ts';
import type { ClusterSettings } from '../../src/simulator/scenario.ts';
import { SimulatedCluster } from '../../src/simulator/simulated-cluster.ts';
import type { History } from './history.ts';

/** What consolidation made of a cluster, in figures that do not depend on who played the cluster. */
interface Ledger {
  readonly outcome: {
    readonly removed: readonly string[];
    /** Instance types of what came and stayed. */
    readonly launched: readonly string[];
    readonly centsPerHour: { readonly before: string; readonly after: string };
  };
  /** Those that were done: kind, nodes out, what they saved and evicted; nodes that came in between have no name in common. */
  readonly commands: readonly string[];
  /** Counted independently of the controller, and as in its journal. */
  readonly evictions: { readonly counted: number; readonly written: number };
}

export function ledgerOf(before: ClusterView, after: ClusterView, counted: number): Ledger {
  const had = new Set(before.objects.nodes.map(({ name }) => name));
  const has = new Set(after.objects.nodes.map(({ name }) => name));
  const came = after.objects.nodes.filter(({ name }) => !had.has(name));
  const done = after.commands.filter(({ phase }) => phase === 'done');
  const written = done.reduce((sum, { realised }) => sum + realised!.evictions, 0);
  return {
    outcome: {
      removed: [...had].filter((name) => !has.has(name)).sort(),
      launched: came.map(({ labels }) => labels[INSTANCE_TYPE]).sort(),
      centsPerHour: { before: centsPerHour(before), after: centsPerHour(after) },
    },
    commands: done.map((command) => inWords(command, had)).sort(),
    evictions: { counted, written },
  };
}

function inWords({ nodes, replacements, realised }: Command, had: ReadonlySet<string>): string {
  const kind = replacements.length === 0 ? 'delete' : 'replace';
  const names = nodes.map(({ node }) => (had.has(node) ? node : 'a new one')).sort();
  const { savingsCentsPerHour, evictions } = realised!;
  return `${kind} ${names.join(' ')}: ${savingsCentsPerHour.toFixed(3)} ¢/h, ${evictions} evicted`;
}

function centsPerHour({ objects }: ClusterView): string {
  const book = new Offerings(objects.instanceTypes, objects.nodePools);
  const prices = objects.nodes.map(({ labels }) =>
    book.priceOf(labels[INSTANCE_TYPE], labels[ZONE], labels[CAPACITY_TYPE]),
  );
  return (prices.reduce((a, b) => a + b, 0) * 100).toFixed(3);
}

/** Every evicted pod has a successor: pods of Deployments that came after the first moment of the ledger. */
export function successors(history: History, { objects }: ClusterView): number {
  const known = new Set(objects.pods.map(({ namespace, name }) => `${namespace}/${name}`));
  const came = new Set<string>();
  for (const { change } of history.moments()) {
    if (change.kind !== 'Pod') continue;
    const { namespace, name, creationTimestamp } = change.object.metadata;
    const key = `${namespace}/${name}`;
    if (namespace === 'default' && !known.has(key) && Date.parse(creationTimestamp) >= objects.nowMs - 1000)
      came.add(key);
  }
  return came.size;
}

/** As fast as KWOK is. */
const SETTINGS: ClusterSettings = {
  scoring: 'LeastAllocated',
  launchDelay: { leastMs: 500, mostMs: 1_500 },
  initDelay: { leastMs: 500, mostMs: 1_500 },
  terminationDelay: { leastMs: 500, mostMs: 1_500 },
  insufficientCapacityRate: 0,
  spotInterruptionsPerDay: 0,
  drifts: [],
  priceChanges: [],
  drains: [],
};
const LONG_ENOUGH_MS = 3_600_000;

/** The same cluster from the same moment on, the same controller, in virtual time. */
export async function simulatedLedger(before: ClusterView, options: ControllerOptions): Promise<Ledger> {
  const { pools: nodePools } = poolsUnderPolicies(before.objects, before.policies ?? []);
  const scenario = importedScenario('live', { ...before.objects, nodePools }, SETTINGS);
  const cluster = new SimulatedCluster(scenario, { seed: 1, consolidation: 'none' });
  const attended = new ControlledCluster(cluster, new Controller(cluster, { ...options, interlock: false }));
  await attended.advanceTo(cluster.nowMs + LONG_ENOUGH_MS);
  return ledgerOf(before, cluster.view(), cluster.ledger.summary().evictions);
}
