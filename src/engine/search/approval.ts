import { disapproving } from '../disruption/balanced.ts';
import type { DisruptionReason } from '../disruption/budgets.ts';
import { type Candidate, isEmpty } from '../disruption/candidates.ts';
import { type Move, withoutKeptTypes } from '../policies/consolidate.ts';
import type { SearchProblem } from './problem.ts';

/** The gates for a move that come after its placement and its price: kept types, methods, Balanced score, budgets. */
export function approved(problem: SearchProblem, proposed: Move): Move | undefined {
  const several = proposed.candidates.length > 1;
  const move = several ? withoutKeptTypes(problem.simulation.cluster, proposed) : proposed;
  if (move === undefined || !methodsAllow(move) || !fitsBudgets(problem, move)) return undefined;
  if (move.candidates.every(isEmpty)) return move;
  return disapproving(move.candidates, move.savings, problem.totals) === undefined ? move : undefined;
}

/** Every node's pool must allow this kind of move: alone, together with others, or because there is next to nothing on it. */
function methodsAllow({ kind, candidates }: Move): boolean {
  return candidates.every(({ methods, policy }) => {
    if (kind === 'delete' && methods.emptiness) return true;
    if (candidates.length > 1) return methods.multi && candidates.length <= policy.multiNode.maxParallel;
    // Deletions that may only go together are put together when the plan is complete.
    return methods.single || (kind === 'delete' && methods.multi);
  });
}

/** More nodes of a pool than may go at once could never be carried out. */
function fitsBudgets({ budgets }: SearchProblem, { kind, candidates }: Move): boolean {
  if (candidates.length === 1) return (budgets[reasonFor(kind, candidates[0])].get(candidates[0].pool.name) ?? 0) > 0;
  for (const reason of ['Empty', 'Underutilized'] as const) {
    const counts = new Map<string, number>();
    for (const c of candidates) {
      if (reasonFor(kind, c) === reason) counts.set(c.pool.name, (counts.get(c.pool.name) ?? 0) + 1);
    }
    for (const [pool, count] of counts) if (count > (budgets[reason].get(pool) ?? 0)) return false;
  }
  return true;
}

/** Which of its pool's budgets a node draws on. */
export function reasonFor(kind: Move['kind'], { methods }: Candidate): Exclude<DisruptionReason, 'Drifted'> {
  return kind === 'delete' && methods.emptiness ? 'Empty' : 'Underutilized';
}
