import { disapproving } from '../../disruption/balanced.ts';
import { type Candidate, isEmpty } from '../../disruption/candidates.ts';
import { consolidate } from '../../moves/consolidate.ts';
import { withoutKeptTypes } from '../../moves/kept-types.ts';
import type { Move } from '../../moves/move.ts';
import type { Simulation } from '../../scheduling/simulation.ts';
import { resultOf } from '../../steps.ts';
import type { BlockedMoves } from '../blocked-moves.ts';
import type { SearchProblem } from '../problem.ts';
import { bySavingsRatio, stockMethod, withinBudgets } from './stock-method.ts';

/** Stock tries no more than this many nodes at once, and one more gets through. */
const MAX_NODES = 100;

export const multiNode = stockMethod('multi', (problem, blocked) =>
  largestPrefix(problem, movableTogether(problem.candidates), blocked),
);

export function movableTogether(candidates: readonly Candidate[]): readonly Candidate[] {
  return candidates.filter((c) => c.methods.multi && !isEmpty(c));
}

type Question = Pick<SearchProblem, 'simulation' | 'budgets' | 'totals'>;

/** Binary search over prefixes of one order for the largest set that goes together. */
export function largestPrefix(
  question: Question,
  candidates: readonly Candidate[],
  blocked?: BlockedMoves,
): Move | undefined {
  return resultOf(largestPrefixSteps(question, candidates, blocked));
}

/** As `largestPrefix`, with a pause after each set that was tried. */
export function* largestPrefixSteps(
  { simulation, budgets, totals }: Question,
  candidates: readonly Candidate[],
  blocked?: BlockedMoves,
): Generator<void, Move | undefined> {
  const { settings, pools } = simulation.cluster;
  const eligible = withinBudgets(bySavingsRatio(candidates), limitsOf(candidates, budgets.Underutilized));
  if (eligible.length < 2 || (settings.compat && pools.length === 0)) return undefined;
  let low = 1;
  const most = settings.compat ? MAX_NODES : Infinity;
  let high = eligible.length <= most ? eligible.length - 1 : most;
  let best: Move | undefined;
  while (low <= high) {
    const middle = (low + high) >>> 1;
    const move = together(simulation, eligible.slice(0, middle + 1), blocked);
    if (move !== undefined && disapproving(move.candidates, move.savings, totals) === undefined) {
      best = move;
      low = middle + 1;
    } else {
      high = middle - 1;
    }
    yield;
  }
  return best;
}

/** Nodes of each pool that may go at once: by its budget and its multiNode.maxParallel. */
function limitsOf(candidates: readonly Candidate[], budgets: ReadonlyMap<string, number>): ReadonlyMap<string, number> {
  const most = new Map(candidates.map(({ pool, policy }) => [pool.name, policy.multiNode.maxParallel]));
  return new Map([...budgets].map(([pool, left]) => [pool, Math.min(left, most.get(pool) ?? 0)]));
}

function together(
  simulation: Simulation,
  candidates: readonly Candidate[],
  blocked: BlockedMoves | undefined,
): Move | undefined {
  const result = consolidate(simulation, candidates);
  if ('move' in result) return withoutKeptTypes(simulation, result.move);
  blocked?.note(candidates, result.refusal, 1);
  return undefined;
}
