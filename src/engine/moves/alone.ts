import { disapproving, isBeyondBalance, type PoolTotals, type Score } from '../disruption/balanced.ts';
import type { Candidate } from '../disruption/candidates.ts';
import type { MoveRefusal } from '../refusal.ts';
import type { Outcome, Simulation } from '../scheduling/simulation.ts';
import { consolidate } from './consolidate.ts';
import type { Consolidation } from './move.ts';

/** Verdicts of earlier passes: `simulate` is called for unknown ones; `watch` gets the outcome before it is undone. */
export interface KnownVerdicts {
  consolidation(
    simulation: Simulation,
    candidate: Candidate,
    maxReplacements: number,
    simulate: (watch?: (outcome: Outcome) => void) => Consolidation,
  ): Consolidation;
}

/** The move of one candidate by itself, including the Balanced score. */
export function alone(
  simulation: Simulation,
  candidate: Candidate,
  totals: ReadonlyMap<string, PoolTotals>,
  maxReplacements = 1,
  known?: KnownVerdicts,
): Consolidation {
  const allowed = replacementsAllowed(candidate, maxReplacements);
  const simulate = (watch?: (outcome: Outcome) => void) =>
    consolidate(simulation, [candidate], { maxReplacements: allowed, watch });
  return balanced(
    candidate,
    totals,
    () => known?.consolidation(simulation, candidate, allowed, simulate) ?? simulate(),
  );
}

/** A nearly empty node of a pool with emptiness only may be deleted, not replaced. */
export function replacementsAllowed({ methods: { single, multi } }: Candidate, maxReplacements: number): number {
  return single || multi ? maxReplacements : 0;
}

/** The verdict, unless the candidate's pool is Balanced and disapproves, in which case it may not be computed. */
function balanced(
  candidate: Candidate,
  totals: ReadonlyMap<string, PoolTotals>,
  verdictOf: () => Consolidation,
): Consolidation {
  const beyond = isBeyondBalance(candidate, totals);
  if (beyond !== undefined) return { refusal: scoreRefusal(candidate.pool.name, beyond) };
  const result = verdictOf();
  if ('refusal' in result) return result;
  const against = disapproving([candidate], result.move.savings, totals);
  return against === undefined ? result : { refusal: scoreRefusal(against.nodePool, against) };
}

export function scoreRefusal(nodePool: string, { score, required }: Score): MoveRefusal {
  return { code: 'balanced-score', nodePool, score, required };
}
