import type { PodDisruptionBudgetObject } from '../cluster/objects.ts';
import { consolidationBudgets } from '../disruption/budgets.ts';
import { workloadNames } from '../disruption/workloads.ts';
import type { Move } from '../moves/move.ts';
import { reasonFor } from './approval.ts';
import type { SearchProblem } from './problem.ts';

type Budgets = SearchProblem['budgets'];

/** What a move uses of one budget. */
export interface BudgetUse {
  /** Identifies the budget. */
  readonly of: unknown;
  readonly amount: number;
  readonly available: number;
  /** A single move may not exceed it either. */
  readonly isStrict?: boolean;
}

/** Budgets as the moves of one wave use them up. */
export class WaveBudgets {
  private readonly used = new Map<unknown, number>();

  /** A move that needs more than a budget allows may go if no other move uses that budget, unless it is strict. */
  allow(uses: readonly BudgetUse[]): boolean {
    return uses.every(({ of, amount, available, isStrict = false }) => {
      const used = this.used.get(of) ?? 0;
      return (used === 0 && !isStrict) || used + amount <= available;
    });
  }

  use(uses: readonly BudgetUse[]): void {
    for (const { of, amount } of uses) this.used.set(of, (this.used.get(of) ?? 0) + amount);
  }

  giveBack(uses: readonly BudgetUse[]): void {
    for (const { of, amount } of uses) this.used.set(of, (this.used.get(of) ?? 0) - amount);
  }
}

/** What a move uses of NodePools' budgets, of PodDisruptionBudgets and of the limit on workload evictions. */
export function budgetUsesOf(problem: SearchProblem): (move: Move) => readonly BudgetUse[] {
  const podUses = podUsesOf(problem);
  return (move) => [...poolUses(problem.budgets, move), ...podUses(move)];
}

/**
 * Of NodePools' budgets. Nodes that go for one reason count against what is left for the other too, as in Karpenter: those of
 * the tighter reason go first, then both together must fit the looser one.
 */
export function poolUses(budgets: Budgets, { kind, candidates }: Move): readonly BudgetUse[] {
  const uses = new Uses();
  for (const c of candidates) {
    const reason = reasonFor(kind, c);
    const left = (of: typeof reason) => budgets[of].get(c.pool.name) ?? 0;
    uses.add(`${reason} ${c.pool.name}`, left(reason), true);
    uses.add(`any reason ${c.pool.name}`, Math.max(left('Empty'), left('Underutilized')), true);
  }
  return uses.all;
}

/** Of PodDisruptionBudgets and of the limit on workload evictions. */
export function podUsesOf({ simulation, maxWorkloadEvictions }: SearchProblem): (move: Move) => readonly BudgetUse[] {
  const { cluster } = simulation;
  // Made for the first move: most plans that are composed are never put into waves.
  let workloadOf: ReturnType<typeof workloadNames> | undefined;
  return ({ candidates }) => {
    const uses = new Uses();
    for (const { row } of candidates) {
      // DaemonSet pods are evicted too, and are not rescheduled.
      for (const pod of cluster.podsOfRow[row]) {
        const object = cluster.pods[pod];
        for (const budget of cluster.budgets.guarding(object, cluster.facts[pod])) {
          if (!isExempt(budget, object.ready)) uses.add(budget, budget.disruptionsAllowed);
        }
      }
      if (maxWorkloadEvictions === 0) continue;
      workloadOf ??= workloadNames(cluster.objects.workloads);
      for (const pod of cluster.movableOfRow[row])
        uses.add(`workload ${workloadOf(cluster.pods[pod])}`, maxWorkloadEvictions);
    }
    return uses.all;
  };
}

class Uses {
  private readonly byBudget = new Map<unknown, BudgetUse>();

  get all(): readonly BudgetUse[] {
    return [...this.byBudget.values()];
  }

  add(of: unknown, available: number, isStrict = false): void {
    const { amount = 0 } = this.byBudget.get(of) ?? {};
    this.byBudget.set(of, { of, amount: amount + 1, available, isStrict });
  }
}

/** A pod that is not ready does not count where the budget says so. */
function isExempt(budget: PodDisruptionBudgetObject, ready: string): boolean {
  return budget.evictsUnhealthy && ready === 'False';
}

/**
 * Budgets of pools when these moves are made: percentages are of fewer nodes then. Never more than now, because new nodes may be
 * in another pool than expected.
 */
export function budgetsAfter({ simulation, budgets }: SearchProblem, moves: Iterable<Move>): Budgets {
  const { objects, rows, templates } = simulation.cluster;
  const more = new Map<string, number>();
  const add = (pool: string, nodes: number) => more.set(pool, (more.get(pool) ?? 0) + nodes);
  for (const { candidates, replacements } of moves) {
    for (const { pool } of candidates) add(pool.name, -1);
    for (const { template } of replacements) add(templates[template].pool.name, 1);
  }
  if (more.size === 0) return budgets;
  const then = consolidationBudgets(objects, rows, more);
  const fewer = (reason: keyof Budgets) =>
    new Map([...budgets[reason]].map(([pool, now]) => [pool, Math.min(now, then[reason].get(pool) ?? 0)]));
  return { Empty: fewer('Empty'), Underutilized: fewer('Underutilized') };
}
