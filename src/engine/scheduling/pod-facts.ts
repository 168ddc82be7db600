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
import type { Membership } from './compiled-cluster.ts';
import type { MembershipAmong } from './memberships.ts';
import type { PodShape } from './pod-shapes.ts';

/** What is asked of every pod again and again, the same for as long as the pod is the same object and foundations stand. */
export interface PodFacts {
  readonly terminal: boolean;
  readonly active: boolean;
  readonly daemon: boolean;
  readonly mirror: boolean;
  /** UID of the DaemonSet that controls it; undefined: none does. */
  readonly daemonSet: string | undefined;
  /** Somebody would miss it; whether it may move is another question. */
  readonly reschedulable: boolean;
  readonly evictionCost: number;
  /** It has an annotation against disruption, no controller, or data on its node. */
  readonly peculiar: boolean;
  readonly hasVolumes: boolean;
  /** Others are kept away from where it is. */
  readonly repels: boolean;
  /** Number of the name of its node; -1: it has none. */
  readonly place: number;
  /** Known once asked for. */
  request: RequestId | undefined;
  /** The same, of a pod without volumes. */
  shape: PodShape | undefined;
  membership: Membership | undefined;
  /** Who said so. */
  membershipBy: MembershipAmong | undefined;
  /** Budgets that select it, by their places in the list. */
  budgets: readonly number[] | undefined;
  budgetsBy: BudgetSelectors | undefined;
}

/** As many pods may have gone from one place of the list. */
const NEAR = 256;
const FEW_STRANGERS = 32;

/** Facts of the pods of a cluster that is looked at again and again. */
export class KnownPods {
  /** undefined: this is the first look, and perhaps the only one. */
  private known: WeakMap<PodObject, PodFacts> | undefined;
  private readonly places = new Map<string, number>();
  private lastPods: readonly PodObject[] = [];
  private lastFacts: readonly PodFacts[] = [];

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

  /** From one look to the next few pods come, go or change, and the others keep their order: those need not be looked up. */
  private recalled(pods: readonly PodObject[], known: WeakMap<PodObject, PodFacts>): readonly PodFacts[] {
    const { lastPods, lastFacts } = this;
    const facts = new Array<PodFacts>(pods.length);
    let at = 0;
    let strangers = 0;
    for (let i = 0; i < pods.length; i++) {
      const pod = pods[i];
      // Where every other pod is a stranger the order is another one, and there is nothing to gain.
      if (lastPods[at] !== pod && strangers <= FEW_STRANGERS + i / 4) {
        const found = indexNear(lastPods, pod, at);
        if (found < 0) strangers++;
        else at = found;
      }
      if (lastPods[at] === pod) facts[i] = lastFacts[at++];
      else {
        facts[i] = this.lookUp(pod, known);
        // It stood there in the last look and has changed; otherwise it has come between.
        if (lastPods[at]?.name === pod.name) at++;
      }
    }
    return facts;
  }

  private lookUp(pod: PodObject, known: WeakMap<PodObject, PodFacts>): PodFacts {
    let facts = known.get(pod);
    if (facts === undefined) {
      facts = this.factsOf(pod);
      known.set(pod, facts);
    }
    return facts;
  }

  /** By place: the row that has it now, -1 for none. */
  rowsOfPlaces(rowOfNode: ReadonlyMap<string, number>): Int32Array {
    const out = new Int32Array(this.places.size).fill(-1);
    for (const [name, row] of rowOfNode) {
      const place = this.places.get(name);
      if (place !== undefined) out[place] = row;
    }
    return out;
  }

  /** Of none of them anything is known any more. */
  forget(): void {
    this.known = new WeakMap();
    this.places.clear();
    this.lastPods = [];
    this.lastFacts = [];
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

function indexNear(pods: readonly PodObject[], pod: PodObject, from: number): number {
  const end = Math.min(pods.length, from + NEAR);
  for (let i = from; i < end; i++) if (pods[i] === pod) return i;
  return -1;
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
      controller === undefined,
    hasVolumes: pod.volumeClaims.length > 0,
    repels: pod.constraints.requiredAntiAffinity.length > 0,
    place,
    request: undefined,
    shape: undefined,
    membership: undefined,
    membershipBy: undefined,
    budgets: undefined,
    budgetsBy: undefined,
  };
}
