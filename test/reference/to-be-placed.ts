import type { ClusterObjects, PodObject } from '../../src/engine/cluster/objects.ts';
import { HOSTNAME } from '../../src/engine/cluster/well-known.ts';
import { selects } from './labels.ts';
import { type Host, hasEnded, isOf } from './world.ts';

/** Every pod that needs a place once these nodes are gone: theirs, those of nodes on their way out, and the pending ones. */
export function podsToBePlaced(
  objects: ClusterObjects,
  hosts: readonly Host[],
  removed: ReadonlySet<string>,
): PodObject[] {
  const leaving = new Set(hosts.filter((h) => h.deleting || removed.has(h.name)).map((h) => h.name));
  return [...podsMovingOff(objects, hosts, leaving), ...objects.pods.filter(waits)];
}

/** Of these nodes' pods, those that have to run elsewhere. */
export function podsMovingOff(
  objects: ClusterObjects,
  hosts: readonly Host[],
  names: ReadonlySet<string>,
): PodObject[] {
  return hosts
    .filter((h) => names.has(h.name))
    .flatMap((h) => h.pods)
    .filter((pod) => hasToMove(objects, pod));
}

function waits(pod: PodObject): boolean {
  // Karpenter launches nothing for a pod that insists on certain hosts, so simulations leave it out (karpenter-semantics §5).
  if (pod.constraints.requiredNodeTerms?.some((t) => t.matchExpressions?.some((r) => r.key === HOSTNAME))) return false;
  return (
    pod.nodeName === '' &&
    pod.unschedulable &&
    pod.nominatedNodeName === '' &&
    !isOf(pod, 'DaemonSet') &&
    !isOf(pod, 'Node')
  );
}

function hasToMove(objects: ClusterObjects, pod: PodObject): boolean {
  if (isOf(pod, 'DaemonSet') || isOf(pod, 'Node') || hasEnded(pod)) return false;
  if (pod.terminating && !isOf(pod, 'StatefulSet')) return false;
  return (pod.terminating || !isProtected(pod, objects.nowMs)) && !isHeldByBudget(objects, pod);
}

/** The random pods use three annotations: always, for 5 minutes and for 2 hours after the start. */
function isProtected(pod: PodObject, nowMs: number): boolean {
  const minutes = { true: Infinity, '5m': 5, '2h': 120 }[pod.doNotDisrupt ?? ''] ?? 0;
  return minutes > 0 && (pod.startedMs === undefined || nowMs - pod.startedMs < minutes * 60_000);
}

/** A budget that never allows an eviction keeps its pods out of simulations; terminating and protected pods are not evicted. */
function isHeldByBudget(objects: ClusterObjects, pod: PodObject): boolean {
  if (pod.terminating || isProtected(pod, objects.nowMs)) return false;
  if (pod.constraints.tolerations.some((t) => t.key === '' && (t.effect === '' || t.effect === 'NoSchedule')))
    return false;
  return objects.podDisruptionBudgets.some(
    (b) =>
      b.namespace === pod.namespace &&
      b.fullyBlocking &&
      selects(b.selector, pod.labels) &&
      !(b.evictsUnhealthy && pod.ready === 'False'),
  );
}
