import { InputError } from '../config/input-error.ts';
import type { ClusterObjects, InstanceType } from '../engine/cluster/objects.ts';
import { INSTANCE_TYPE } from '../engine/cluster/well-known.ts';
import { planPrices } from '../engine/plan-prices.ts';
import { importedScenario, type ReplicaTrend } from '../simulator/imported-scenario.ts';
import type { Scenario } from '../simulator/scenario.ts';
import { settingsOf } from './cluster-settings.ts';
import type { RecordedFigures } from './history/replay.ts';
import { launchable } from './workload.ts';

export interface ImportedInput {
  readonly scenario: Scenario;
  readonly notices: readonly string[];
  /** For a history: the recorded figures of the cluster. */
  readonly recorded?: RecordedFigures;
}

/** A simulation that starts with this cluster. Throws InputError if nothing in it can be simulated. */
export function importedCluster(cluster: ClusterObjects, shaping: ReplicaTrend): ImportedInput {
  if (cluster.nodes.length + cluster.nodeClaims.length === 0)
    throw new InputError('the cluster has no nodes to simulate');
  if (cluster.nodePools.length === 0)
    throw new InputError('the cluster has no NodePool: no node could be launched or consolidated');
  const objects = { ...cluster, instanceTypes: relevantTypes(cluster) };
  const notices = cluster.prices === undefined ? [] : planPrices(cluster, cluster.prices).warnings;
  return { scenario: importedScenario('snapshot', objects, settingsOf({}), shaping), notices };
}

/** Instance types that some NodePool can launch or some node is of. */
function relevantTypes({ instanceTypes, nodePools, nodes, nodeClaims }: ClusterObjects): readonly InstanceType[] {
  const wanted = new Set(launchable(instanceTypes, nodePools));
  const running = new Set([...nodes, ...nodeClaims].map(({ labels }) => labels[INSTANCE_TYPE]));
  return instanceTypes.filter((t) => wanted.has(t) || running.has(t.name));
}
