import type { ClusterObjects, InstanceType } from '../engine/cluster/objects.ts';
import { INSTANCE_TYPE } from '../engine/cluster/well-known.ts';
import { InputError } from '../kube/read/input-error.ts';
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
  return { scenario, notices };
}

/** What only makes sense with -f. */
export function refuseFoundOptions(options: FoundClusterOptions): void {
  const flags = ['catalog', 'overlay', 'unavailable', 'now', 'wave', 'growth'] as const;
  const given = flags.find((flag) => options[flag] !== undefined);
  if (given !== undefined) throw new UsageError(`--${given} is for a cluster that is given with -f`);
}

/** Types that no pool launches and no node is of play no part, and there are many. */
function inPlay({ instanceTypes, nodePools, nodes, nodeClaims }: ClusterObjects): readonly InstanceType[] {
  const wanted = new Set(launchable(instanceTypes, nodePools));
  const running = new Set([...nodes, ...nodeClaims].map(({ labels }) => labels[INSTANCE_TYPE]));
  return instanceTypes.filter((t) => wanted.has(t) || running.has(t.name));
}
