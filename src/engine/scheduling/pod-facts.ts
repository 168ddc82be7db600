import { getOrInsert } from '../cluster/get-or-insert.ts';
import type { Labels, PodObject } from '../cluster/objects.ts';
import type { BudgetSelectors } from '../cluster/pod-disruption-budgets.ts';
import {
  type CostAnnotations,
  evictionCost,
  isActive,
  isDaemonPod,
  isMirrorPod,
  isOfJob,
  isReschedulable,
  isTerminal,
} from '../cluster/pods.ts';
import { originsIn } from '../cluster/same-list.ts';
import type { Membership } from './compiled-cluster.ts';
import type { MembershipAmong } from './memberships.ts';
import type { PodShape } from './pod-shapes.ts';
import type { PodVolumes, Volumes } from './volumes.ts';

/**
 * What is known about a pod, valid as long as the foundations are unchanged. Pods that are alike share one object: a cluster of
 * 100,000 pods has a few thousand.
 */
export interface PodFacts {
  readonly terminal: boolean;
  readonly active: boolean;
  readonly daemon: boolean;
  readonly mirror: boolean;
  /** UID of the DaemonSet that controls it, if any. */
  readonly daemonSet: string | undefined;
  /** A Job controls it. */
  readonly ofJob: boolean;
  /** Must be rescheduled; whether it may move is checked separately. */
  readonly reschedulable: boolean;
  readonly evictionCost: number;
  /** It has an annotation about its disruption, no controller, or data on its node. */
  readonly peculiar: boolean;
  readonly hasVolumes: boolean;
  /** Has required anti-affinity. */
  readonly repels: boolean;
  /** Computed on first use; of a pod with volumes, by those of `volumesBy`. */
  shape: PodShape | undefined;
  volumes: PodVolumes | undefined;
  volumesBy: Volumes | undefined;
  membership: Membership | undefined;
  /** The memberships it was computed by. */
  membershipBy: MembershipAmong | undefined;
  /** Indexes of budgets that select it. */
  budgets: readonly number[] | undefined;
  budgetsBy: BudgetSelectors | undefined;
}

/** Facts of the pods; the list of the call before, and by pod its index in that one, as `originsIn`. */
interface Recalled {
  readonly facts: readonly PodFacts[];
  readonly before: readonly PodObject[];
  readonly origins: Int32Array;
}

/** Pods that are looked up before others get a turn. */
const PODS_AT_ONCE = 16_384;

/** Facts of the pods of a cluster across passes. */
export class KnownPods {
  private lastPods: readonly PodObject[] = [];
  private lastFacts: readonly PodFacts[] = [];
  private kinds = new WeakMap<Labels, Kind[]>();
  private costs: CostAnnotations = { disruptionCost: true };

  *of(pods: readonly PodObject[], costs: CostAnnotations): Generator<void, Recalled> {
    const { disruptionCost, managesDeletionCost } = this.costs;
    if (costs.disruptionCost !== disruptionCost || costs.managesDeletionCost !== managesDeletionCost) this.forget();
    this.costs = costs;
    const { lastPods: before, lastFacts } = this;
    // Most pods are those of the last list.
    const origins = originsIn(before, pods);
    const facts: PodFacts[] = [];
    for (const [i, pod] of pods.entries()) {
      if (i % PODS_AT_ONCE === 0) yield;
      facts.push(origins[i] >= 0 ? lastFacts[origins[i]] : this.factsOf(pod));
    }
    this.lastPods = pods;
    this.lastFacts = facts;
    return { facts, before, origins };
  }

  /** Drops everything. */
  forget(): void {
    this.kinds = new WeakMap();
    this.lastPods = [];
    this.lastFacts = [];
  }

  private factsOf(pod: PodObject): PodFacts {
    const own = getOrInsert(this.kinds, pod.labels, () => []);
    const isOwn = isPeculiar(pod) || pod.volumeClaims.length > 0;
    const known = isOwn ? undefined : own.find(({ example }) => isAlike(example, pod));
    if (known !== undefined) return known.facts;
    const facts = factsOf(pod, this.costs);
    if (!isOwn && own.length < MOST_KINDS) own.push({ example: pod, facts });
    return facts;
  }
}

/** With the same labels. Pods beyond have facts of their own, so that looking for a kind costs little. */
const MOST_KINDS = 8;

interface Kind {
  readonly example: PodObject;
  readonly facts: PodFacts;
}

/** What is known about the pods is the same; they have the same labels, and neither is peculiar or has volumes. */
function isAlike(a: PodObject, b: PodObject): boolean {
  return (
    a.namespace === b.namespace &&
    a.owners === b.owners &&
    a.constraints === b.constraints &&
    a.phase === b.phase &&
    a.terminating === b.terminating &&
    a.priority === b.priority &&
    a.deletionCost === b.deletionCost &&
    a.disruptionCost === b.disruptionCost
  );
}

function factsOf(pod: PodObject, costs: CostAnnotations): PodFacts {
  const active = isActive(pod);
  const daemon = isDaemonPod(pod);
  const mirror = isMirrorPod(pod);
  const controller = pod.owners.find((owner) => owner.controller);
  return {
    terminal: isTerminal(pod),
    active,
    daemon,
    mirror,
    daemonSet: controller?.kind === 'DaemonSet' ? controller.uid : undefined,
    ofJob: isOfJob(pod),
    reschedulable: isReschedulable(pod),
    evictionCost: evictionCost(pod, costs),
    peculiar: isPeculiar(pod),
    hasVolumes: pod.volumeClaims.length > 0,
    repels: pod.constraints.requiredAntiAffinity.length > 0,
    shape: undefined,
    volumes: undefined,
    volumesBy: undefined,
    membership: undefined,
    membershipBy: undefined,
    budgets: undefined,
    budgetsBy: undefined,
  };
}

function isPeculiar({ doNotDisrupt, doNotEvict, safeToEvict, localData, move, owners }: PodObject): boolean {
  return (
    doNotDisrupt !== undefined ||
    doNotEvict !== undefined ||
    safeToEvict !== undefined ||
    localData !== undefined ||
    move !== undefined ||
    !owners.some((owner) => owner.controller)
  );
}
