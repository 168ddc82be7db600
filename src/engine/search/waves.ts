import type { PodDisruptionBudgetObject } from '../cluster/objects.ts';
import type { Candidate } from '../disruption/candidates.ts';
import { workloadNames } from '../disruption/workloads.ts';
import type { Move } from '../policies/consolidate.ts';
import { reasonFor } from './approval.ts';
import type { SearchProblem } from './problem.ts';
import { netCents } from './trials.ts';

/** A move and when it is made: all of one wave may run at once, the next begins when pods are ready again. */
export interface TimedMove {
  readonly move: Move;
  /** From 1. */
  readonly wave: number;
}

/**
 * Puts moves into waves so that each respects what NodePools' budgets, PodDisruptionBudgets and the brake on workloads
 * leave now. What is worth most per unit of disruption goes first. A move that alone takes more of a
 * PodDisruptionBudget than it leaves drains at the pace that the budget allows, with nobody else beside it.
 */
export function inWaves(problem: SearchProblem, moves: readonly Move[]): readonly TimedMove[] {
  const needs = needsOf(problem);
  const waves: Wave[] = [];
  const timed = byWorth(moves).map((move) => {
    const wanted = needs(move);
    let wave = waves.findIndex((w) => w.takes(wanted));
    if (wave < 0) wave = waves.push(new Wave()) - 1;
    waves[wave].take(wanted);
    return { move, wave: wave + 1 };
  });
  return timed.sort((a, b) => a.wave - b.wave);
}

function byWorth(moves: readonly Move[]): readonly Move[] {
  const worth = new Map(
    moves.map((move) => {
      const cost = move.candidates.reduce((sum, c) => sum + c.disruptionCost, 0);
      return [move, netCents(move) / Math.max(cost, 0.01)];
    }),
  );
  const nameOf = ({ candidates }: Move) => candidates[0].name;
  return [...moves].sort(
    (a, b) => (worth.get(b) as number) - (worth.get(a) as number) || (nameOf(a) < nameOf(b) ? -1 : 1),
  );
}

/** So much of something that only so much may be used of at once. */
interface Need {
  readonly of: unknown;
  readonly amount: number;
  readonly available: number;
}

class Wave {
  private readonly used = new Map<unknown, number>();

  takes(needs: readonly Need[]): boolean {
    return needs.every(({ of, amount, available }) => {
      const used = this.used.get(of) ?? 0;
      return used === 0 || used + amount <= available;
    });
  }

  take(needs: readonly Need[]): void {
    for (const { of, amount } of needs) this.used.set(of, (this.used.get(of) ?? 0) + amount);
  }
}

function needsOf({ simulation, budgets, maxWorkloadEvictions }: SearchProblem): (move: Move) => readonly Need[] {
  const { cluster } = simulation;
  const workloadOf = maxWorkloadEvictions === 0 ? undefined : workloadNames(cluster.objects.workloads);
  // One object per pool and reason, so that they can be keys.
  const keys = new Map<string, object>();
  const keyOf = (text: string) => {
    const known = keys.get(text) ?? { text };
    keys.set(text, known);
    return known;
  };
  return ({ kind, candidates }) => {
    const needs = new Map<unknown, Need>();
    const add = (of: unknown, available: number) =>
      needs.set(of, { of, amount: (needs.get(of)?.amount ?? 0) + 1, available });
    for (const c of candidates) {
      const reason = reasonFor(kind, c);
      add(keyOf(`${reason} ${c.pool.name}`), budgets[reason].get(c.pool.name) ?? 0);
      for (const pod of evicted(cluster.movableOfRow, c)) {
        const object = cluster.pods[pod];
        for (const budget of cluster.budgets.guarding(object)) {
          if (!isFree(budget, object.ready)) add(budget, budget.disruptionsAllowed);
        }
        if (workloadOf !== undefined) add(keyOf(`workload ${workloadOf(object)}`), maxWorkloadEvictions);
      }
    }
    return [...needs.values()];
  };
}

function evicted(movableOfRow: readonly (readonly number[])[], { row }: Candidate): readonly number[] {
  return movableOfRow[row];
}

/** A pod that is not ready does not count where the budget says so. */
function isFree(budget: PodDisruptionBudgetObject, ready: string): boolean {
  return budget.evictsUnhealthy && ready === 'False';
}
