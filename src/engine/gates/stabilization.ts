import type { ClusterObjects, WorkloadObject } from '../cluster/objects.ts';
import { isWorkloadPod } from '../cluster/pods.ts';
import type { History } from '../disruption/history.ts';
import type { MoveRefusal } from '../refusal.ts';

/** Controllers that recreate evicted pods (cluster consolidation document, "Stabilization Window"). */
const STANDARD_CONTROLLERS = new Set(['Deployment', 'ReplicaSet', 'StatefulSet', 'ReplicationController']);

type Facts = Pick<ClusterObjects, 'nowMs' | 'pods' | 'workloads'>;

/**
 * After a removal, capacity that appears free may be needed by pods that are not back yet. So nothing is removed for a
 * while if pods are pending or a standard controller is not ready.
 */
export function stabilization(
  { lastRemovalMs }: Pick<History, 'lastRemovalMs'>,
  { nowMs, pods, workloads }: Facts,
  windowMs: number,
): MoveRefusal | undefined {
  if (lastRemovalMs === undefined) return undefined;
  const waitMs = lastRemovalMs + windowMs - nowMs;
  if (waitMs <= 0) return undefined;
  let pendingPods = 0;
  for (const pod of pods) if (pod.nodeName === '' && isWorkloadPod(pod)) pendingPods++;
  const unreadyWorkloads = workloads.filter(isUnready).length;
  return pendingPods + unreadyWorkloads === 0
    ? undefined
    : { code: 'stabilization', waitMs, pendingPods, unreadyWorkloads };
}

function isUnready({ kind, replicas, readyReplicas }: WorkloadObject): boolean {
  return STANDARD_CONTROLLERS.has(kind) && readyReplicas < replicas;
}
