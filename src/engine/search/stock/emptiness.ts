import { type Candidate, isEmpty } from '../../disruption/candidates.ts';
import { deletion } from '../../moves/consolidate.ts';
import type { Move } from '../../moves/move.ts';
import { MoveCost } from '../../moves/move-cost.ts';
import type { Simulation } from '../../scheduling/simulation.ts';
import { firstAlone } from './single-node.ts';
import { bySavingsRatio, stockMethod, withinBudgets } from './stock-method.ts';

/** All empty nodes that budgets allow; else the first nearly empty node (emptyThreshold) that can be deleted. */
export const emptiness = stockMethod('emptiness', (problem) => {
  const { candidates, budgets, simulation } = problem;
  const empty = deletionOfEmpty(simulation, spared(simulation, candidates.filter(isEmpty)), budgets.Empty);
  if (empty !== undefined) return empty;
  const nearlyEmpty = candidates.filter((c) => c.methods.emptiness && !isEmpty(c));
  return firstAlone(problem, nearlyEmpty, budgets.Empty, (move) => move.kind === 'delete');
});

/** As many as may go together, in order. */
function spared(simulation: Simulation, empty: readonly Candidate[]): readonly Candidate[] {
  if (simulation.gate === undefined) return empty;
  const chosen: Candidate[] = [];
  for (const c of bySavingsRatio(empty)) if ('move' in deletion(simulation, [...chosen, c])) chosen.push(c);
  return chosen;
}

export function deletionOfEmpty(
  simulation: Simulation,
  candidates: readonly Candidate[],
  budgets: ReadonlyMap<string, number>,
): Move | undefined {
  const chosen = withinBudgets(bySavingsRatio(candidates.filter(isEmpty)), budgets);
  if (chosen.length === 0) return undefined;
  const { worth: savings } = MoveCost.of(simulation, chosen);
  return { kind: 'delete', candidates: chosen, replacements: [], placements: [], savings };
}
