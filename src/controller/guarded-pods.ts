import type { PodDisruptionBudgetObject } from '../engine/cluster/objects.ts';
import type { CompiledCluster } from '../engine/scheduling/compiled-cluster.ts';

/** Pods on these rows whose eviction uses a PodDisruptionBudget, by budget; DaemonSets' pods are evicted too. */
export function guardedOn(
  { podsOfRow, pods, facts, budgets }: CompiledCluster,
  rows: readonly number[],
): Map<PodDisruptionBudgetObject, number> {
  const out = new Map<PodDisruptionBudgetObject, number>();
  for (const row of rows) {
    for (const pod of podsOfRow[row]) {
      for (const budget of budgets.guarding(pods[pod], facts[pod])) {
        if (budget.evictsUnhealthy && pods[pod].ready === 'False') continue;
        out.set(budget, (out.get(budget) ?? 0) + 1);
      }
    }
  }
  return out;
}
