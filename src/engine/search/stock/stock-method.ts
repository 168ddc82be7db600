import { type Candidate, savingsRatio } from '../../disruption/candidates.ts';
import type { Move } from '../../moves/move.ts';
import { BlockedMoves } from '../blocked-moves.ts';
import type { Method } from '../method.ts';
import type { SearchProblem } from '../problem.ts';

/** One of Karpenter's consolidation methods (karpenter-semantics §4): at most one move per pass. */
export interface StockMethod extends Method {
  /** `blocked` learns of moves that the savings threshold blocks. */
  propose(problem: SearchProblem, blocked?: BlockedMoves): Move | undefined;
}

export function stockMethod(name: Method['name'], propose: StockMethod['propose']): StockMethod {
  return {
    name,
    propose,
    // biome-ignore lint/correctness/useYield: it takes no time to speak of
    *search(problem) {
      const blocked = new BlockedMoves(problem);
      const move = propose(problem, blocked);
      return { moves: move === undefined ? [] : [move], blocked };
    },
  };
}

/** Most expensive per unit of disruption first; Karpenter leaves ties to chance, we go by name. */
export function bySavingsRatio(candidates: readonly Candidate[]): Candidate[] {
  return [...candidates].sort((a, b) => savingsRatio(b) - savingsRatio(a) || (a.name < b.name ? -1 : 1));
}

/** The first candidates of each pool, as many as its budget allows. */
export function withinBudgets(
  candidates: readonly Candidate[],
  budgets: ReadonlyMap<string, number>,
): readonly Candidate[] {
  const left = new Map(budgets);
  return candidates.filter(({ pool }) => {
    const own = left.get(pool.name) ?? 0;
    if (own === 0) return false;
    left.set(pool.name, own - 1);
    return true;
  });
}
