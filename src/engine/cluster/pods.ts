import { toleratesAll } from '../selection/taints.ts';
import { parseGoDuration } from './go-duration.ts';
import { parseGoFloat } from './go-float.ts';
import type { PodObject } from './objects.ts';
import { DISRUPTED_TAINT } from './well-known.ts';

/** Pod predicates (karpenter-semantics, "Pod predicates"). */
export function isTerminal(pod: PodObject): boolean {
  return pod.phase === 'Failed' || pod.phase === 'Succeeded';
}

export function isActive(pod: PodObject): boolean {
  return !pod.terminating && !isTerminal(pod);
}

function isOwnedBy(pod: PodObject, apiVersion: string, kind: string): boolean {
  for (const owner of pod.owners) if (owner.kind === kind && owner.apiVersion === apiVersion) return true;
  return false;
}

export function isDaemonPod(pod: PodObject): boolean {
  return isOwnedBy(pod, 'apps/v1', 'DaemonSet');
}

export function isOfJob({ owners }: PodObject): boolean {
  return owners.some(({ controller, kind }) => controller && kind === 'Job');
}

export function isMirrorPod(pod: PodObject): boolean {
  return isOwnedBy(pod, 'v1', 'Node');
}

/** Neither a DaemonSet's nor the kubelet's own pod. */
export function isWorkloadPod(pod: PodObject): boolean {
  return isActive(pod) && !isDaemonPod(pod) && !isMirrorPod(pod);
}

/** Must run elsewhere if its node is removed. A StatefulSet's terminating pod is recreated, so it counts. */
export function isReschedulable(pod: PodObject): boolean {
  const wanted = isActive(pod) || (pod.terminating && isOwnedBy(pod, 'apps/v1', 'StatefulSet'));
  return wanted && !isDaemonPod(pod) && !isMirrorPod(pod);
}

/** Pending for capacity: the scheduler has found no place. */
export function isProvisionable(pod: PodObject): boolean {
  return (
    pod.unschedulable && pod.nodeName === '' && pod.nominatedNodeName === '' && !isDaemonPod(pod) && !isMirrorPod(pod)
  );
}

/** `do-not-disrupt` applies: "true", or a duration that has not passed since the pod started. */
function isProtected(pod: PodObject, nowMs: number): boolean {
  if (pod.doNotDisrupt === undefined) return false;
  if (pod.doNotDisrupt === 'true') return true;
  const duration = parseGoDuration(pod.doNotDisrupt);
  if (duration === undefined || duration <= 0) return false;
  return pod.startedMs === undefined || nowMs - pod.startedMs < duration;
}

export function isDisruptable(pod: PodObject, nowMs: number): boolean {
  return !isActive(pod) || !isProtected(pod, nowMs);
}

const DISRUPTED = [DISRUPTED_TAINT];

/** Draining its node calls the eviction API for it. */
export function isEvictable(pod: PodObject, nowMs: number): boolean {
  return (
    isActive(pod) &&
    !isMirrorPod(pod) &&
    !isProtected(pod, nowMs) &&
    !toleratesAll(DISRUPTED, pod.constraints.tolerations)
  );
}

const NEWEST: CostAnnotations = { disruptionCost: true };

/** A disruption-cost that is not a number still takes precedence over the deletion cost. */
function declaredCost(pod: PodObject, annotations: CostAnnotations): number | undefined {
  const { deletionCost, disruptionCost } = pod;
  if (!annotations.disruptionCost) return deletionCost === undefined ? undefined : parseGoFloat(deletionCost);
  if (disruptionCost !== undefined) return parseInt32(disruptionCost);
  return deletionCost === undefined || annotations.managesDeletionCost === true ? undefined : parseInt32(deletionCost);
}

/** As Go's ParseInt(text, 10, 32). */
function parseInt32(text: string): number | undefined {
  const value = /^[+-]?[0-9]+$/.test(text) ? Number(text) : Number.NaN;
  return value >= -(2 ** 31) && value < 2 ** 31 ? value : undefined;
}

const MAX_POD_COST = 10;

/** Annotations that declare the cost of an eviction. */
export interface CostAnnotations {
  /**
   * `karpenter.sh/disruption-cost` takes precedence over `pod-deletion-cost`; both are int32. false: any float in the
   * latter.
   */
  readonly disruptionCost: boolean;
  /** Karpenter writes `pod-deletion-cost` itself, so it does not come from a user. */
  readonly managesDeletionCost?: boolean;
}

/** The cost of evicting the pod, in pods: 1 by default, more with priority and declared cost, within ±10. */
export function evictionCost(pod: PodObject, annotations: CostAnnotations = NEWEST): number {
  let cost = 1 + (declaredCost(pod, annotations) ?? 0) / 2 ** 27;
  if (pod.priority !== undefined) cost += pod.priority / 2 ** 25;
  return Math.min(Math.max(cost, -MAX_POD_COST), MAX_POD_COST);
}

export function namespacedName({ namespace, name }: { readonly namespace: string; readonly name: string }): string {
  return `${namespace}/${name}`;
}
