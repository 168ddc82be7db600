import { disapproving } from '../../disruption/balanced.ts';
import type { Candidate } from '../../disruption/candidates.ts';
import { consolidate } from '../../moves/consolidate.ts';
import { withoutKeptTypes } from '../../moves/kept-types.ts';
import type { Move } from '../../moves/move.ts';
import type { Simulation } from '../../scheduling/simulation.ts';
import type { SearchProblem } from '../problem.ts';
import { bySavingsRatio, hasNothingToMove, stockMethod, withinBudgets } from './stock-method.ts';

/** More than this many nodes are never tried at once; one more gets through, as in Karpenter. */
const MAX_NODES = 100;

export const multiNode = stockMethod('multi', (problem) =>
  largestPrefix(
    problem,
    problem.candidates.filter((c) => c.methods.multi && !hasNothingToMove(problem, c)),
  ),
);

/** Binary search over prefixes of one order for the largest set that goes together. */
export function largestPrefix(
  { simulation, budgets, totals }: Pick<SearchProblem, 'simulation' | 'budgets' | 'totals'>,
  candidates: readonly Candidate[],
): Move | undefined {
  const eligible = withinBudgets(bySavingsRatio(candidates), budgets.Underutilized);
  const { settings, pools } = simulation.cluster;
  if (eligible.length < 2 || (settings.compat && pools.length === 0)) return undefined;
  let low = 1;
  const most = Math.min(MAX_NODES, ...eligible.map((c) => c.policy.multiNode.maxParallel - 1));
  let high = eligible.length <= most ? eligible.length - 1 : most;
  let best: Move | undefined;
  while (low <= high) {
    const middle = (low + high) >>> 1;
    const move = together(simulation, eligible.slice(0, middle + 1));
    if (move !== undefined && disapproving(move.candidates, move.savings, totals) === undefined) {
      best = move;
      low = middle + 1;
    } else {
      high = middle - 1;
    }
  }
  return best;
}

function together(simulation: Simulation, candidates: readonly Candidate[]): Move | undefined {
  const rows = candidates.map((c) => c.row);
  if (simulation.unplaceable.outgrow(rows, 1)) return undefined;
  const result = consolidate(simulation, candidates);
  return 'move' in result ? withoutKeptTypes(simulation.cluster, result.move) : undefined;
}
