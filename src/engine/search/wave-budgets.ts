import type { PodDisruptionBudgetObject } from '../cluster/objects.ts';
import { workloadNames } from '../disruption/workloads.ts';
import type { Move } from '../moves/move.ts';
import { reasonFor } from './approval.ts';
import type { SearchProblem } from './problem.ts';

/** What a move uses of one budget. */
export interface BudgetUse {
  /** Identifies the budget. */
  readonly of: unknown;
  readonly amount: number;
  readonly available: number;
}

/** Budgets as the moves of one wave use them up. */
export class WaveBudgets {
  private readonly used = new Map<unknown, number>();

  /** A move that needs more than a budget allows may go if no other move uses that budget. */
  allow(uses: readonly BudgetUse[]): boolean {
    return uses.every(({ of, amount, available }) => {
      const used = this.used.get(of) ?? 0;
      return used === 0 || used + amount <= available;
    });
  }

  use(uses: readonly BudgetUse[]): void {
    for (const { of, amount } of uses) this.used.set(of, (this.used.get(of) ?? 0) + amount);
  }

  giveBack(uses: readonly BudgetUse[]): void {
    for (const { of, amount } of uses) this.used.set(of, (this.used.get(of) ?? 0) - amount);
  }
}

/**
 * What a move uses of NodePools' budgets, of PodDisruptionBudgets and of the limit on workload evictions. Nodes that go for
 * one reason count against what is left for the other too, as in Karpenter: those of the tighter reason go first, then
 * both together must fit the looser one.
 */
export function budgetUsesOf({
  simulation,
  budgets,
  maxWorkloadEvictions,
}: SearchProblem): (move: Move) => readonly BudgetUse[] {
  const { cluster } = simulation;
  // Made for the first move: most plans that are composed are never put into waves.
  let workloadOf: ReturnType<typeof workloadNames> | undefined;
  return ({ kind, candidates }) => {
    const uses = new Map<unknown, BudgetUse>();
    const add = (of: unknown, available: number) =>
      uses.set(of, { of, amount: (uses.get(of)?.amount ?? 0) + 1, available });
    for (const c of candidates) {
      const reason = reasonFor(kind, c);
      const left = (of: typeof reason) => budgets[of].get(c.pool.name) ?? 0;
      add(`${reason} ${c.pool.name}`, left(reason));
      add(`any reason ${c.pool.name}`, Math.max(left('Empty'), left('Underutilized')));
      // DaemonSet pods are evicted too, and are not rescheduled.
      for (const pod of cluster.podsOfRow[c.row]) {
        const object = cluster.pods[pod];
        for (const budget of cluster.budgets.guarding(object, cluster.facts[pod])) {
          if (!isExempt(budget, object.ready)) add(budget, budget.disruptionsAllowed);
        }
      }
      if (maxWorkloadEvictions === 0) continue;
      workloadOf ??= workloadNames(cluster.objects.workloads);
      for (const pod of cluster.movableOfRow[c.row])
        add(`workload ${workloadOf(cluster.pods[pod])}`, maxWorkloadEvictions);
    }
    return [...uses.values()];
  };
}

/** A pod that is not ready does not count where the budget says so. */
function isExempt(budget: PodDisruptionBudgetObject, ready: string): boolean {
  return budget.evictsUnhealthy && ready === 'False';
}
