import { disapproving } from '../disruption/balanced.ts';
import type { DisruptionReason } from '../disruption/budgets.ts';
import { type Candidate, isEmpty } from '../disruption/candidates.ts';
import { withoutKeptTypes } from '../moves/kept-types.ts';
import type { Move } from '../moves/move.ts';
import type { SearchProblem } from './problem.ts';

/** The gates for a move after placement and price: kept types, methods, Balanced score, budgets. */
export function approved(problem: SearchProblem, proposed: Move): Move | undefined {
  const several = proposed.candidates.length > 1;
  const move = several ? withoutKeptTypes(problem.simulation, proposed) : proposed;
  return move !== undefined && isAllowed(problem, move, move.replacements.length) ? move : undefined;
}

type Approval = Pick<SearchProblem, 'budgets' | 'totals'>;

/** Whether methods, budgets and the Balanced score allow a move with that many new nodes. */
export function isAllowed(
  problem: Approval,
  move: Pick<Move, 'kind' | 'candidates' | 'savings'>,
  newNodes: number,
): boolean {
  const { kind, candidates, savings } = move;
  if (!methodsAllow(move, newNodes)) return false;
  if (!fitsBudgets(problem, kind, candidates) || !mayGoAtOnce(problem, candidates)) return false;
  return candidates.every(isEmpty) || disapproving(candidates, savings, problem.totals) === undefined;
}

/** Every node's pool must allow this kind of move: alone, with others, or because the node is nearly empty. */
function methodsAllow({ kind, candidates }: Pick<Move, 'kind' | 'candidates'>, newNodes: number): boolean {
  // As many new nodes as old ones would be several single-node replacements.
  const isFewer = newNodes < candidates.length;
  const withinParallel = isWithinParallel(candidates);
  return candidates.every((c) => {
    const { methods } = c;
    if (kind === 'delete' && methods.emptiness) return true;
    if (candidates.length > 1) return methods.multi && withinParallel(c) && (methods.single || isFewer);
    // Deletions that may only go jointly are combined when the plan is complete.
    return methods.single || (kind === 'delete' && methods.multi);
  });
}

/** No pool loses more nodes than its budget allows, for each reason. */
export function fitsBudgets(
  { budgets }: Pick<SearchProblem, 'budgets'>,
  kind: Move['kind'],
  candidates: readonly Candidate[],
): boolean {
  if (candidates.length === 1) return (budgets[reasonFor(kind, candidates[0])].get(candidates[0].pool.name) ?? 0) > 0;
  for (const [pool, own] of Map.groupBy(candidates, (c) => c.pool.name)) {
    const left = { Empty: budgets.Empty.get(pool) ?? 0, Underutilized: budgets.Underutilized.get(pool) ?? 0 };
    const empty = own.filter((c) => reasonFor(kind, c) === 'Empty').length;
    if (empty > left.Empty || own.length - empty > left.Underutilized) return false;
    // A node that goes for one reason counts against the other too.
    if (own.length > Math.max(left.Empty, left.Underutilized)) return false;
  }
  return true;
}

/** Whether nodes may go in one move at all, whatever its kind; known without a simulation. */
export function mayGoAtOnce({ budgets }: Pick<SearchProblem, 'budgets'>, candidates: readonly Candidate[]): boolean {
  if (candidates.length < 2) return true;
  for (const [pool, { length }] of Map.groupBy(candidates, (c) => c.pool.name)) {
    if (length > Math.max(budgets.Empty.get(pool) ?? 0, budgets.Underutilized.get(pool) ?? 0)) return false;
  }
  const withinParallel = isWithinParallel(candidates);
  return candidates.every((c) => c.methods.emptiness || (c.methods.multi && withinParallel(c)));
}

/** Whether at most multiNode.maxParallel nodes of a candidate's pool go at once; other pools' nodes do not count. */
function isWithinParallel(candidates: readonly Candidate[]): (c: Candidate) => boolean {
  const nodes = new Map<string, number>();
  for (const { pool } of candidates) nodes.set(pool.name, (nodes.get(pool.name) ?? 0) + 1);
  return ({ pool, policy }) => (nodes.get(pool.name) ?? 0) <= policy.multiNode.maxParallel;
}

/** The reason of its pool's budget that a node counts against. */
export function reasonFor(kind: Move['kind'], { methods }: Candidate): Exclude<DisruptionReason, 'Drifted'> {
  return kind === 'delete' && methods.emptiness ? 'Empty' : 'Underutilized';
}
