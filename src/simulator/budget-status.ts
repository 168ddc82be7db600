import type { PodDisruptionBudgetObject } from '../engine/cluster/objects.ts';
import type { DisruptionBudget } from './scenario.ts';
import type { AppState } from './sim-pod.ts';

/** Evictions that the workload's PodDisruptionBudget allows now; Infinity without one. */
export function evictionsAllowed({ app, desired, ready, importedBudgets }: AppState): number {
  // The eviction API refuses a pod that several budgets select.
  if (importedBudgets.length > 0) return importedBudgets.length > 1 ? 0 : importedBudgets[0].allowed;
  if (app.budget === undefined) return Number.POSITIVE_INFINITY;
  return desired === 0 ? 0 : Math.max(0, ready - leastHealthy(app.budget, desired));
}

/** Rounds percentages up, like the disruption controller. */
function leastHealthy({ minAvailable, maxUnavailable }: DisruptionBudget, expected: number): number {
  if (minAvailable !== undefined) return amount(minAvailable, expected);
  return Math.max(0, expected - amount(maxUnavailable ?? 0, expected));
}

function amount(value: number | string, of: number): number {
  return typeof value === 'number' ? value : Math.ceil((Number.parseFloat(value) * of) / 100);
}

/** `before`: the previous object, whose selector is reused. */
export function budgetObject(
  state: AppState,
  before: PodDisruptionBudgetObject | undefined,
): PodDisruptionBudgetObject | undefined {
  const { namespace, name, labels, budget } = state.app;
  if (budget === undefined) return undefined;
  const { minAvailable, maxUnavailable } = budget;
  return {
    namespace,
    name,
    selector: before?.selector ?? { matchLabels: labels },
    disruptionsAllowed: evictionsAllowed(state),
    fullyBlocking: maxUnavailable === 0 || maxUnavailable === '0%' || minAvailable === '100%',
    evictsUnhealthy: false,
  };
}
