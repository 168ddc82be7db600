import type { PodDisruptionBudgetObject } from '../engine/cluster/objects.ts';
import { compileSelector } from '../engine/selection/label-selector.ts';
import type { AppState } from './sim-pod.ts';

/**
 * A PodDisruptionBudget of a real cluster, of which only its status is known: as many of its pods have to stay ready as
 * were ready beyond what it allowed to go at the beginning.
 */
export class FoundBudget {
  private readonly found: PodDisruptionBudgetObject;
  private readonly states: readonly AppState[];
  private readonly required: number;
  private shown: PodDisruptionBudgetObject;

  constructor(found: PodDisruptionBudgetObject, states: readonly AppState[]) {
    this.found = found;
    this.shown = found;
    this.states = states;
    this.required = this.ready - found.disruptionsAllowed;
  }

  private get ready(): number {
    let ready = 0;
    for (const state of this.states) ready += state.ready;
    return ready;
  }

  /** Evictions that it allows now. */
  get allowed(): number {
    return this.found.fullyBlocking ? this.found.disruptionsAllowed : Math.max(0, this.ready - this.required);
  }

  /** As the API server shows it now. */
  get object(): PodDisruptionBudgetObject {
    const { allowed } = this;
    if (this.shown.disruptionsAllowed !== allowed)
      this.shown =
        allowed === this.found.disruptionsAllowed ? this.found : { ...this.found, disruptionsAllowed: allowed };
    return this.shown;
  }
}

/** Budgets with the workloads that they select, which learn of it. To be called when pods are in their places. */
export function findBudgets(
  budgets: readonly PodDisruptionBudgetObject[],
  apps: readonly AppState[],
): readonly FoundBudget[] {
  return budgets.map((budget) => {
    const selector = compileSelector(budget.selector);
    const guarded = apps.filter(
      ({ app }) => app.kind !== 'DaemonSet' && app.namespace === budget.namespace && selector.matches(app.labels),
    );
    const found = new FoundBudget(budget, guarded);
    for (const state of guarded) state.foundBudgets.push(found);
    return found;
  });
}
