import type { PoolTotals } from '../disruption/balanced.ts';
import { type Candidate, isEmpty } from '../disruption/candidates.ts';
import type { Assessment } from '../gates/assessment.ts';
import { singleNodeAllowed } from '../gates/single-node-allowed.ts';
import { alone, type KnownVerdicts } from '../moves/alone.ts';
import { deletion } from '../moves/consolidate.ts';
import type { Move } from '../moves/move.ts';
import type { MoveRefusal, NodeRefusal, Refusal } from '../refusal.ts';
import type { Simulation } from '../scheduling/simulation.ts';
import { reasonFor } from '../search/approval.ts';
import { isBlockedByThreshold } from '../search/blocked-moves.ts';
import type { SearchProblem } from '../search/problem.ts';
import type { Rules } from '../settings.ts';

/** The result for one node: whether it is a candidate, and its move alone. */
export interface NodeVerdict {
  readonly candidate: Candidate | undefined;
  /** It passed every gate for nodes. */
  readonly eligible: boolean;
  readonly refusals: readonly Refusal[];
  /** Alone, ignoring budgets; none if the pool allows multi-node moves only. */
  readonly move?: Move;
}

/** `byMethods`: why no method would remove it. */
export function verdictOn(
  simulation: Simulation,
  assessment: Assessment,
  byMethods: readonly NodeRefusal[],
  totals: ReadonlyMap<string, PoolTotals>,
  budgets: SearchProblem['budgets'],
  rules: Rules,
  known?: KnownVerdicts,
): NodeVerdict {
  if ('refusals' in assessment) return { candidate: undefined, eligible: false, refusals: assessment.refusals };
  const { candidate } = assessment;
  if (byMethods.length > 0) return { candidate, eligible: false, refusals: byMethods };
  if (isEmpty(candidate)) {
    const verdict = deletion(simulation, [candidate]);
    if ('refusal' in verdict) return { candidate, eligible: true, refusals: [verdict.refusal] };
    const { move } = verdict;
    return { candidate, eligible: true, refusals: overBudget(move.kind, candidate, budgets), move };
  }
  const verdict = alone(simulation, candidate, totals, rules.settings.maxReplacements, known);
  if ('refusal' in verdict)
    return { candidate, eligible: true, refusals: refusalsAlone(verdict.refusal, candidate, budgets) };
  const { move } = verdict;
  const forbidden = singleNodeAllowed(candidate, move.kind);
  const refusals = [...forbidden, ...overBudget(move.kind, candidate, budgets)];
  return forbidden.length > 0 ? { candidate, eligible: true, refusals } : { candidate, eligible: true, refusals, move };
}

/**
 * Why a candidate has no move alone. The savings threshold blocks only what nothing else forbids: a node that may not go alone
 * is refused for that, and a used-up budget is named beside the threshold.
 */
export function refusalsAlone(
  refusal: MoveRefusal,
  candidate: Candidate,
  budgets: SearchProblem['budgets'],
): readonly Refusal[] {
  if (!isBlockedByThreshold(refusal)) return [refusal];
  const { single, emptiness } = candidate.methods;
  if (!single && !emptiness) return singleNodeAllowed(candidate, 'replace');
  const kinds: readonly Move['kind'][] = single ? ['delete', 'replace'] : ['delete'];
  const full = kinds.map((kind) => overBudget(kind, candidate, budgets));
  return full.every(({ length }) => length > 0) ? [refusal, ...full[0]] : [refusal];
}

/** A pool whose budget allows nothing now. */
function overBudget(kind: Move['kind'], candidate: Candidate, budgets: SearchProblem['budgets']): readonly Refusal[] {
  const nodePool = candidate.pool.name;
  const reason = reasonFor(kind, candidate);
  return (budgets[reason].get(nodePool) ?? 0) > 0 ? [] : [{ code: 'budget', nodePool, reason }];
}
