import type { PodDisruptionBudgetObject } from '../engine/cluster/objects.ts';
import { compileSelector } from '../engine/selection/label-selector.ts';
import type { AppState } from './sim-pod.ts';

/**
 * A PodDisruptionBudget of an imported cluster. Only its status is known, so it requires as many ready pods as were
 * ready at the start, less the disruptions that it allowed then.
 */
export class ImportedBudget {
  private readonly imported: PodDisruptionBudgetObject;
  private readonly states: readonly AppState[];
  private readonly required: number;
  private shown: PodDisruptionBudgetObject;

  constructor(imported: PodDisruptionBudgetObject, states: readonly AppState[]) {
    this.imported = imported;
    this.shown = imported;
    this.states = states;
    this.required = this.ready - imported.disruptionsAllowed;
  }

  private get ready(): number {
    let ready = 0;
    for (const state of this.states) ready += state.ready;
    return ready;
  }

  /** Evictions allowed now. */
  get allowed(): number {
    return this.imported.fullyBlocking ? this.imported.disruptionsAllowed : Math.max(0, this.ready - this.required);
  }

  /** The object as of now. */
  get object(): PodDisruptionBudgetObject {
    const { allowed } = this;
    if (this.shown.disruptionsAllowed !== allowed)
      this.shown =
        allowed === this.imported.disruptionsAllowed
          ? this.imported
          : { ...this.imported, disruptionsAllowed: allowed };
    return this.shown;
  }
}

/** Connects budgets and the workloads that they select. To be called after all pods are imported. */
export function importBudgets(
  budgets: readonly PodDisruptionBudgetObject[],
  apps: readonly AppState[],
): readonly ImportedBudget[] {
  return budgets.map((budget) => {
    const selector = compileSelector(budget.selector);
    const guarded = apps.filter(
      ({ app }) => app.kind !== 'DaemonSet' && app.namespace === budget.namespace && selector.matches(app.labels),
    );
    const imported = new ImportedBudget(budget, guarded);
    for (const state of guarded) state.importedBudgets.push(imported);
    return imported;
  });
}
