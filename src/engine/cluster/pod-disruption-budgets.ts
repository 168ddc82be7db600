import { compileSelector } from '../selection/label-selector.ts';
import { SelectorIndex } from '../selection/selector-index.ts';
import type { PodDisruptionBudgetObject, PodObject } from './objects.ts';
import { isDisruptable, isEvictable, isReschedulable } from './pods.ts';

/** PodDisruptionBudgets, asked about one pod at a time. */
export class DisruptionBudgets {
  private readonly index = new SelectorIndex<PodDisruptionBudgetObject>();
  private readonly nowMs: number;

  constructor(objects: readonly PodDisruptionBudgetObject[], nowMs: number) {
    this.nowMs = nowMs;
    for (const object of objects) this.index.add([object.namespace], compileSelector(object.selector), object);
  }

  /** Budgets that the eviction of this pod would draw on; none for pods that are not evicted. */
  guarding(pod: PodObject): readonly PodDisruptionBudgetObject[] {
    const matching = this.index.matching(pod.namespace, pod.labels);
    return matching.length > 0 && isEvictable(pod, this.nowMs) ? matching : [];
  }

  /** Budgets that forbid evicting the pod now. Several on one pod always do: the eviction API refuses them. */
  blocking(pod: PodObject): readonly PodDisruptionBudgetObject[] {
    return this.refusing(pod, (b) => b.disruptionsAllowed === 0);
  }

  /** Has to move when its node goes, and can: a budget that never allows an eviction keeps it where it is. */
  isCurrentlyReschedulable(pod: PodObject): boolean {
    return (
      isReschedulable(pod) && isDisruptable(pod, this.nowMs) && this.refusing(pod, (b) => b.fullyBlocking).length === 0
    );
  }

  private refusing(
    pod: PodObject,
    refuses: (b: PodDisruptionBudgetObject) => boolean,
  ): readonly PodDisruptionBudgetObject[] {
    const matching = this.guarding(pod);
    if (matching.length !== 1) return matching;
    const [budget] = matching;
    if (budget.evictsUnhealthy && pod.ready === 'False') return [];
    return refuses(budget) ? matching : [];
  }
}
