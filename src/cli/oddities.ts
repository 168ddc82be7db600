import { parseGoDuration } from '../engine/cluster/go-duration.ts';
import type { ClusterObjects } from '../engine/cluster/objects.ts';

/** What is allowed in a cluster, and yet most often a slip of whoever wrote it. */
export function oddities(objects: Omit<ClusterObjects, 'instanceTypes'>): readonly string[] {
  if (objects.nodes.length + objects.nodeClaims.length === 0) return ['there are no nodes in the input'];
  return [...idlePools(objects), ...idleAnnotations(objects)];
}

function idlePools({ nodePools }: Pick<ClusterObjects, 'nodePools'>): readonly string[] {
  return nodePools
    .filter(({ ready, terminating }) => !ready && !terminating)
    .map(({ name }) => `NodePool ${name} has no condition Ready that is True: as in Karpenter, it launches no node`);
}

/** Karpenter sends an event for each; a plan that moves such a pod would not say why. */
function idleAnnotations({ pods }: Pick<ClusterObjects, 'pods'>): readonly string[] {
  const idle = pods.filter(({ doNotDisrupt }) => doNotDisrupt !== undefined && protectsNothing(doNotDisrupt));
  if (idle.length === 0) return [];
  const [{ namespace, name, doNotDisrupt }] = idle;
  const more = idle.length === 1 ? '' : ` (and ${idle.length - 1} more)`;
  return [
    `pod ${namespace}/${name}: karpenter.sh/do-not-disrupt ${JSON.stringify(doNotDisrupt)} protects nothing: "true" does, or a duration such as "8h"${more}`,
  ];
}

/** "false" is meant so. */
function protectsNothing(value: string): boolean {
  return value !== 'true' && value !== 'false' && !((parseGoDuration(value) ?? 0) > 0);
}
