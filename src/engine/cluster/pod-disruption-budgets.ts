import { compileSelector } from '../selection/label-selector.ts';
import { SelectorIndex } from '../selection/selector-index.ts';
import type { PodDisruptionBudgetObject, PodObject } from './objects.ts';
import { isDisruptable, isEvictable } from './pods.ts';

/** Which budgets of a list select a pod, by index. Valid for every list with the same selectors. */
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

  remembered(facts: BudgetFacts, { namespace, labels }: PodObject): readonly number[] {
    if (facts.budgetsBy !== this || facts.budgets === undefined) {
      facts.budgets = this.index.matching(namespace, labels);
      facts.budgetsBy = this;
    }
    return facts.budgets;
  }
}

/** Cached facts of a pod. */
interface BudgetFacts {
  /** Whether the pod may be disrupted needs a check. */
  readonly peculiar: boolean;
  budgets: readonly number[] | undefined;
  budgetsBy: BudgetSelectors | undefined;
}

/** PodDisruptionBudgets, queried pod by pod; `facts` of the pod cache the match of its labels. */
export class DisruptionBudgets {
  private readonly objects: readonly PodDisruptionBudgetObject[];
  private readonly selectors: BudgetSelectors;
  private readonly nowMs: number;

  constructor(
    objects: readonly PodDisruptionBudgetObject[],
    nowMs: number,
    selectors: BudgetSelectors = new BudgetSelectors(objects),
  ) {
    this.objects = objects;
    this.nowMs = nowMs;
    this.selectors = selectors;
  }

  /** Budgets that select the pod, by index. */
  selecting(pod: PodObject, facts: BudgetFacts): readonly number[] {
    return this.selectors.remembered(facts, pod);
  }

  /** Whether each of these budgets, by index, allows an eviction now. */
  allow(indexes: readonly number[]): boolean {
    return !indexes.some((i) => isExhausted(this.objects[i]));
  }

  /** Whether `letsGo` says the same of every pod that no time concerns. */
  letsGoAs({ objects, selectors }: DisruptionBudgets): boolean {
    return (
      selectors === this.selectors &&
      objects.every(
        ({ fullyBlocking, evictsUnhealthy }, i) =>
          fullyBlocking === this.objects[i].fullyBlocking && evictsUnhealthy === this.objects[i].evictsUnhealthy,
      )
    );
  }

  /** Budgets that evicting this pod would use; none for pods that are not evicted. */
  guarding(pod: PodObject, facts: BudgetFacts): readonly PodDisruptionBudgetObject[] {
    return this.evicting(pod, this.selectors.remembered(facts, pod));
  }

  /** Budgets that forbid evicting the pod now. Two or more always do: the eviction API refuses such pods. */
  blocking(pod: PodObject, facts: BudgetFacts): readonly PodDisruptionBudgetObject[] {
    return this.refusing(pod, facts, isExhausted);
  }

  /** Whether a pod that must move can: a budget that never allows an eviction keeps it on its node. */
  letsGo(pod: PodObject, facts: BudgetFacts): boolean {
    return (
      (!facts.peculiar || isDisruptable(pod, this.nowMs)) && this.refusing(pod, facts, isFullyBlocking).length === 0
    );
  }

  private refusing(
    pod: PodObject,
    facts: BudgetFacts,
    refuses: (b: PodDisruptionBudgetObject) => boolean,
  ): readonly PodDisruptionBudgetObject[] {
    const places = this.selectors.remembered(facts, pod);
    if (places.length === 0) return NONE;
    const budget = this.objects[places[0]];
    // Whether the pod is evicted at all is the most expensive check.
    if (places.length === 1 && (!refuses(budget) || (budget.evictsUnhealthy && pod.ready === 'False'))) return NONE;
    return this.evicting(pod, places);
  }

  private evicting(pod: PodObject, places: readonly number[]): readonly PodDisruptionBudgetObject[] {
    return places.length > 0 && isEvictable(pod, this.nowMs) ? places.map((i) => this.objects[i]) : NONE;
  }
}

function isExhausted({ disruptionsAllowed }: PodDisruptionBudgetObject): boolean {
  return disruptionsAllowed === 0;
}

function isFullyBlocking({ fullyBlocking }: PodDisruptionBudgetObject): boolean {
  return fullyBlocking;
}

const NONE: readonly PodDisruptionBudgetObject[] = [];
