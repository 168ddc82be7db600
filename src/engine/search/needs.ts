import type { PodDisruptionBudgetObject } from '../cluster/objects.ts';
import { workloadNames } from '../disruption/workloads.ts';
import type { Move } from '../policies/consolidate.ts';
import { reasonFor } from './approval.ts';
import type { SearchProblem } from './problem.ts';

/** So much of something that only so much may be used of at once. */
export interface Need {
  readonly of: unknown;
  readonly amount: number;
  readonly available: number;
}

/** What is used up by moves that are made at the same time. */
export class Wave {
  private readonly used = new Map<unknown, number>();

  /** A move that needs more than there is may go if nobody else needs of the same. */
  takes(needs: readonly Need[]): boolean {
    return needs.every(({ of, amount, available }) => {
      const used = this.used.get(of) ?? 0;
      return used === 0 || used + amount <= available;
    });
  }

  take(needs: readonly Need[], sign: 1 | -1 = 1): void {
    for (const { of, amount } of needs) this.used.set(of, (this.used.get(of) ?? 0) + sign * amount);
  }
}

/**
 * What a move needs of NodePools' budgets, of PodDisruptionBudgets and of the brake on workloads. Nodes that go for one
 * reason count against what is left for the other too, as Karpenter has it: those of the tighter reason go first, then
 * both together must fit the looser one.
 */
export function needsOf({ simulation, budgets, maxWorkloadEvictions }: SearchProblem): (move: Move) => readonly Need[] {
  const { cluster } = simulation;
  // Made for the first move: most plans that are looked at are never put into waves.
  let workloadOf: ReturnType<typeof workloadNames> | undefined;
  return ({ kind, candidates }) => {
    const needs = new Map<unknown, Need>();
    const add = (of: unknown, available: number) =>
      needs.set(of, { of, amount: (needs.get(of)?.amount ?? 0) + 1, available });
    for (const c of candidates) {
      const reason = reasonFor(kind, c);
      const left = (of: typeof reason) => budgets[of].get(c.pool.name) ?? 0;
      add(`${reason} ${c.pool.name}`, left(reason));
      add(`any reason ${c.pool.name}`, Math.max(left('Empty'), left('Underutilized')));
      // DaemonSets' pods are evicted too, and come back nowhere.
      for (const pod of cluster.podsOfRow[c.row]) {
        const object = cluster.pods[pod];
        for (const budget of cluster.budgets.guarding(object)) {
          if (!isFree(budget, object.ready)) add(budget, budget.disruptionsAllowed);
        }
      }
      if (maxWorkloadEvictions === 0) continue;
      workloadOf ??= workloadNames(cluster.objects.workloads);
      for (const pod of cluster.movableOfRow[c.row])
        add(`workload ${workloadOf(cluster.pods[pod])}`, maxWorkloadEvictions);
    }
    return [...needs.values()];
  };
}

/** A pod that is not ready does not count where the budget says so. */
function isFree(budget: PodDisruptionBudgetObject, ready: string): boolean {
  return budget.evictsUnhealthy && ready === 'False';
}
