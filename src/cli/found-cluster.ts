import type { ClusterObjects, InstanceType } from '../engine/cluster/objects.ts';
import { CAPACITY_TYPE, INSTANCE_TYPE, NODE_POOL, ZONE } from '../engine/cluster/well-known.ts';
import { InputError } from '../kube/read/input-error.ts';
import { OfferingBook } from '../simulator/offering-book.ts';
import type { Scenario } from '../simulator/scenario.ts';
import { type Shaping, snapshotScenario } from '../simulator/snapshot-scenario.ts';
import { settingsOf } from './cluster-settings.ts';
import { type InputOptions, loadInput } from './load-input.ts';
import { launchable } from './load-workload.ts';
import { UsageError } from './usage-error.ts';

/** A cluster of one's own to begin with, and how it is to go on. */
export interface FoundClusterOptions extends InputOptions, Shaping {}

export interface FoundCluster {
  readonly scenario: Scenario;
  readonly notices: readonly string[];
}

/** Whether the options speak of a cluster of one's own: without -f, one that is asked for by its kubeconfig or context. */
export function hasFoundCluster({ file, kubeconfig, context }: FoundClusterOptions): boolean {
  return file !== undefined || kubeconfig !== undefined || context !== undefined;
}

/** The simulation that begins with the cluster that the options speak of. */
export async function loadFoundCluster(options: FoundClusterOptions): Promise<FoundCluster> {
  const { cluster, notices } = await loadInput(options);
  if (cluster.nodes.length + cluster.nodeClaims.length === 0)
    throw new InputError('the cluster has no nodes: there is nothing to simulate');
  if (cluster.nodePools.length === 0)
    throw new InputError('the cluster has no NodePool: nobody would launch nodes, and nobody consolidate');
  const objects = { ...cluster, instanceTypes: inPlay(cluster) };
  const { wave, growth } = options;
  const scenario = snapshotScenario('snapshot', objects, settingsOf({}), { wave, growth });
  return { scenario, notices: [...notices, ...unpriced(cluster)] };
}

/** Sums would be too low, and nobody would see why: most often the catalog is of another region. */
function unpriced({ instanceTypes, nodePools, nodes }: ClusterObjects): readonly string[] {
  const offerings = new OfferingBook(instanceTypes, nodePools);
  const managed = nodes.map(({ labels }) => labels).filter((labels) => labels[NODE_POOL] !== undefined);
  const purchases = managed.map((labels) => [INSTANCE_TYPE, ZONE, CAPACITY_TYPE].map((key) => labels[key] ?? ''));
  const free = purchases.filter(([type, zone, capacityType]) => offerings.priceOf(type, zone, capacityType) === 0);
  if (free.length === 0) return [];
  const count = `${free.length} of ${managed.length} nodes of NodePools`;
  return [`${count} count as free: the catalog has no price of ${free[0].map((each) => each || '?').join(', ')}`];
}

/** What only makes sense with a cluster of one's own. */
export function refuseFoundOptions(options: FoundClusterOptions): void {
  const flags = ['catalog', 'overlay', 'unavailable', 'now', 'wave', 'growth'] as const;
  const given = flags.find((flag) => options[flag] !== undefined);
  if (given !== undefined) throw new UsageError(`--${given} is for a cluster that is given with -f or --context`);
}

/** Types that no pool launches and no node is of play no part, and there are many. */
function inPlay({ instanceTypes, nodePools, nodes, nodeClaims }: ClusterObjects): readonly InstanceType[] {
  const wanted = new Set(launchable(instanceTypes, nodePools));
  const running = new Set([...nodes, ...nodeClaims].map(({ labels }) => labels[INSTANCE_TYPE]));
  return instanceTypes.filter((t) => wanted.has(t) || running.has(t.name));
}
