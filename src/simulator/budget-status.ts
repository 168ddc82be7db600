import type { PodDisruptionBudgetObject } from '../engine/cluster/objects.ts';
import type { DisruptionBudget } from './scenario.ts';
import type { AppState } from './sim-pod.ts';

/** Evictions that the workload's PodDisruptionBudget allows now; Infinity without one. */
export function evictionsAllowed({ app, desired, ready, foundBudgets }: AppState): number {
  // Several on one pod forbid everything: the eviction API refuses them.
  if (foundBudgets.length > 0) return foundBudgets.length > 1 ? 0 : foundBudgets[0].allowed;
  if (app.budget === undefined) return Number.POSITIVE_INFINITY;
  return desired === 0 ? 0 : Math.max(0, ready - leastHealthy(app.budget, desired));
}

/** As the disruption controller counts: percentages are rounded up. */
function leastHealthy({ minAvailable, maxUnavailable }: DisruptionBudget, expected: number): number {
  if (minAvailable !== undefined) return amount(minAvailable, expected);
  return Math.max(0, expected - amount(maxUnavailable ?? 0, expected));
}

function amount(value: number | string, of: number): number {
  return typeof value === 'number' ? value : Math.ceil((Number.parseFloat(value) * of) / 100);
}

/** `before`: what was shown of it last, whose selector is kept. */
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
