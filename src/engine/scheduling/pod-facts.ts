import type { PodObject } from '../cluster/objects.ts';
import type { BudgetSelectors } from '../cluster/pod-disruption-budgets.ts';
import {
  type CostAnnotations,
  evictionCost,
  isActive,
  isDaemonPod,
  isMirrorPod,
  isReschedulable,
  isTerminal,
} from '../cluster/pods.ts';
import type { RequestId } from '../cluster/request-table.ts';
import { originsIn } from '../cluster/same-list.ts';
import type { Membership } from './compiled-cluster.ts';
import type { MembershipAmong } from './memberships.ts';
import type { PodShape } from './pod-shapes.ts';
import type { PodVolumes, Volumes } from './volumes.ts';

/** Cached facts of a pod, valid as long as the pod is the same object and the foundations are unchanged. */
export interface PodFacts {
  readonly terminal: boolean;
  readonly active: boolean;
  readonly daemon: boolean;
  readonly mirror: boolean;
  /** UID of the DaemonSet that controls it, if any. */
  readonly daemonSet: string | undefined;
  /** Must be rescheduled; whether it may move is checked separately. */
  readonly reschedulable: boolean;
  readonly evictionCost: number;
  /** It has an annotation about its disruption, no controller, or data on its node. */
  readonly peculiar: boolean;
  readonly hasVolumes: boolean;
  /** Has required anti-affinity. */
  readonly repels: boolean;
  /** Number of its node's name; -1 without one. */
  readonly place: number;
  /** Computed on first use. */
  request: RequestId | undefined;
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

/** Facts of the pods of a cluster across passes. */
export class KnownPods {
  /** undefined in the first pass, which may be the only one. */
  private known: WeakMap<PodObject, PodFacts> | undefined;
  private readonly places = new Map<string, number>();
  private lastPods: readonly PodObject[] = [];
  private lastFacts: readonly PodFacts[] = [];
  private origins: { readonly before: readonly PodObject[]; readonly of: Int32Array } | undefined;
  private costs: CostAnnotations = { disruptionCost: true };

  of(pods: readonly PodObject[], costs: CostAnnotations): readonly PodFacts[] {
    const { disruptionCost, managesDeletionCost } = this.costs;
    if (costs.disruptionCost !== disruptionCost || costs.managesDeletionCost !== managesDeletionCost) this.forget();
    this.costs = costs;
    const facts = this.known === undefined ? pods.map((pod) => this.factsOf(pod)) : this.recalled(pods, this.known);
    this.known ??= new WeakMap();
    this.lastPods = pods;
    this.lastFacts = facts;
    return facts;
  }

  /** Most pods are those of the last list, which need no lookup. */
  private recalled(pods: readonly PodObject[], known: WeakMap<PodObject, PodFacts>): readonly PodFacts[] {
    const { lastFacts } = this;
    const origins = originsIn(this.lastPods, pods);
    this.origins = { before: this.lastPods, of: origins };
    return pods.map((pod, i) => (origins[i] >= 0 ? lastFacts[origins[i]] : this.lookUp(pod, known)));
  }

  /** By pod of the last list: its index in an earlier one, as `originsIn`. */
  originsSince(before: readonly PodObject[]): Int32Array {
    return this.origins?.before === before ? this.origins.of : originsIn(before, this.lastPods);
  }

  private lookUp(pod: PodObject, known: WeakMap<PodObject, PodFacts>): PodFacts {
    let facts = known.get(pod);
    if (facts === undefined) {
      facts = this.factsOf(pod);
      known.set(pod, facts);
    }
    return facts;
  }

  /** By node number: its current row, -1 for none. */
  rowsOfPlaces(rowOfNode: ReadonlyMap<string, number>): Int32Array {
    const out = new Int32Array(this.places.size).fill(-1);
    for (const [name, row] of rowOfNode) {
      const place = this.places.get(name);
      if (place !== undefined) out[place] = row;
    }
    return out;
  }

  /** Drops everything. */
  forget(): void {
    this.known = new WeakMap();
    this.places.clear();
    this.lastPods = [];
    this.lastFacts = [];
    this.origins = undefined;
  }

  private factsOf(pod: PodObject): PodFacts {
    return factsOf(pod, this.placeOf(pod.nodeName), this.costs);
  }

  private placeOf(nodeName: string): number {
    if (nodeName === '') return -1;
    let place = this.places.get(nodeName);
    if (place === undefined) {
      place = this.places.size;
      this.places.set(nodeName, place);
    }
    return place;
  }
}

/** `place`: the number of its node's name. */
function factsOf(pod: PodObject, place: number, costs?: CostAnnotations): PodFacts {
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
    reschedulable: isReschedulable(pod),
    evictionCost: evictionCost(pod, costs),
    peculiar:
      pod.doNotDisrupt !== undefined ||
      pod.doNotEvict !== undefined ||
      pod.safeToEvict !== undefined ||
      pod.localData !== undefined ||
      pod.move !== undefined ||
      controller === undefined,
    hasVolumes: pod.volumeClaims.length > 0,
    repels: pod.constraints.requiredAntiAffinity.length > 0,
    place,
    request: undefined,
    shape: undefined,
    volumes: undefined,
    volumesBy: undefined,
    membership: undefined,
    membershipBy: undefined,
    budgets: undefined,
    budgetsBy: undefined,
  };
}
