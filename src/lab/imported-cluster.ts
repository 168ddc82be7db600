import { InputError } from '../config/input-error.ts';
import type { ClusterObjects, InstanceType } from '../engine/cluster/objects.ts';
import { CAPACITY_TYPE, INSTANCE_TYPE, NODE_POOL, ZONE } from '../engine/cluster/well-known.ts';
import { importedScenario, type ReplicaTrend } from '../simulator/imported-scenario.ts';
import { Offerings } from '../simulator/offerings.ts';
import type { Scenario } from '../simulator/scenario.ts';
import { settingsOf } from './cluster-settings.ts';
import { launchable } from './workload.ts';

export interface ImportedCluster {
  readonly scenario: Scenario;
  readonly notices: readonly string[];
}

/** A simulation that starts with this cluster. Throws InputError if nothing in it can be simulated. */
export function importedCluster(cluster: ClusterObjects, shaping: ReplicaTrend): ImportedCluster {
  if (cluster.nodes.length + cluster.nodeClaims.length === 0)
    throw new InputError('the cluster has no nodes: there is nothing to simulate');
  if (cluster.nodePools.length === 0)
    throw new InputError('the cluster has no NodePool: nobody would launch nodes, and nobody consolidate');
  const objects = { ...cluster, instanceTypes: relevantTypes(cluster) };
  return { scenario: importedScenario('snapshot', objects, settingsOf({}), shaping), notices: unpriced(cluster) };
}

/** Warns of nodes without a price, most often because the catalog is of another region: all costs would be too low. */
function unpriced({ instanceTypes, nodePools, nodes }: ClusterObjects): readonly string[] {
  const offerings = new Offerings(instanceTypes, nodePools);
  const managed = nodes.map(({ labels }) => labels).filter((labels) => labels[NODE_POOL] !== undefined);
  const purchases = managed.map((labels) => [INSTANCE_TYPE, ZONE, CAPACITY_TYPE].map((key) => labels[key] ?? ''));
  const free = purchases.filter(([type, zone, capacityType]) => offerings.priceOf(type, zone, capacityType) === 0);
  if (free.length === 0) return [];
  const count = `${free.length} of ${managed.length} nodes of NodePools`;
  return [`${count} count as free: the catalog has no price of ${free[0].map((each) => each || '?').join(', ')}`];
}

/** Instance types that some NodePool can launch or some node is of. */
function relevantTypes({ instanceTypes, nodePools, nodes, nodeClaims }: ClusterObjects): readonly InstanceType[] {
  const wanted = new Set(launchable(instanceTypes, nodePools));
  const running = new Set([...nodes, ...nodeClaims].map(({ labels }) => labels[INSTANCE_TYPE]));
  return instanceTypes.filter((t) => wanted.has(t) || running.has(t.name));
}
