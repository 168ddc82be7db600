import { compileSelector } from '../selection/label-selector.ts';
import { SelectorIndex } from '../selection/selector-index.ts';
import type { PodDisruptionBudgetObject, PodObject } from './objects.ts';
import { isDisruptable, isEvictable, isReschedulable } from './pods.ts';

/** Which budgets of a list select a pod, by their places in it. Good for every list with the same selectors. */
export class BudgetSelectors {
  private readonly index = new SelectorIndex<number>();
  private readonly objects: readonly PodDisruptionBudgetObject[];

  constructor(objects: readonly PodDisruptionBudgetObject[]) {
    this.objects = objects;
    for (let i = 0; i < objects.length; i++)
      this.index.add([objects[i].namespace], compileSelector(objects[i].selector), i);
  }

  areThoseOf(objects: readonly PodDisruptionBudgetObject[]): boolean {
    if (objects === this.objects) return true;
    if (objects.length !== this.objects.length) return false;
    for (let i = 0; i < objects.length; i++) {
      const { namespace, selector } = this.objects[i];
      if (objects[i].selector !== selector || objects[i].namespace !== namespace) return false;
    }
    return true;
  }

  /** Pods with the same labels get the same array. */
  matching({ namespace, labels }: PodObject): readonly number[] {
    return this.index.matching(namespace, labels);
  }
}

/** PodDisruptionBudgets, asked about one pod at a time. */
export class DisruptionBudgets {
  private readonly objects: readonly PodDisruptionBudgetObject[];
  private readonly selectors: BudgetSelectors;
  private readonly nowMs: number;
  private readonly lists = new Map<readonly number[], readonly PodDisruptionBudgetObject[]>();

  constructor(
    objects: readonly PodDisruptionBudgetObject[],
    nowMs: number,
    selectors: BudgetSelectors = new BudgetSelectors(objects),
  ) {
    this.objects = objects;
    this.nowMs = nowMs;
    this.selectors = selectors;
  }

  private matching(pod: PodObject): readonly PodDisruptionBudgetObject[] {
    const places = this.selectors.matching(pod);
    if (places.length === 0) return NONE;
    let list = this.lists.get(places);
    if (list === undefined) {
      list = places.map((i) => this.objects[i]);
      this.lists.set(places, list);
    }
    return list;
  }

  /** Budgets that the eviction of this pod would draw on; none for pods that are not evicted. */
  guarding(pod: PodObject): readonly PodDisruptionBudgetObject[] {
    const matching = this.matching(pod);
    return matching.length > 0 && isEvictable(pod, this.nowMs) ? matching : NONE;
  }

  /** Budgets that forbid evicting the pod now. Several on one pod always do: the eviction API refuses them. */
  blocking(pod: PodObject): readonly PodDisruptionBudgetObject[] {
    return this.refusing(pod, (b) => b.disruptionsAllowed === 0);
  }

  /** Has to move when its node goes, and can: a budget that never allows an eviction keeps it where it is. */
  isCurrentlyReschedulable(pod: PodObject): boolean {
    return isReschedulable(pod) && this.letsGo(pod);
  }

  /** The same of a pod that would have to move. */
  letsGo(pod: PodObject): boolean {
    return isDisruptable(pod, this.nowMs) && this.refusing(pod, isFullyBlocking).length === 0;
  }

  private refusing(
    pod: PodObject,
    refuses: (b: PodDisruptionBudgetObject) => boolean,
  ): readonly PodDisruptionBudgetObject[] {
    const matching = this.matching(pod);
    if (matching.length === 0) return NONE;
    const [budget] = matching;
    // Whether the pod is evicted at all takes longest to tell.
    if (matching.length === 1 && (!refuses(budget) || (budget.evictsUnhealthy && pod.ready === 'False'))) return NONE;
    return isEvictable(pod, this.nowMs) ? matching : NONE;
  }
}

function isFullyBlocking({ fullyBlocking }: PodDisruptionBudgetObject): boolean {
  return fullyBlocking;
}

const NONE: readonly PodDisruptionBudgetObject[] = [];
