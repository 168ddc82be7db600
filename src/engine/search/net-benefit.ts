import { isEmpty } from '../disruption/candidates.ts';
import { requiredSavings } from '../disruption/required-savings.ts';
import type { Move } from '../moves/move.ts';

/**
 * Cents per hour that a move saves beyond what its nodes' pools require of it: what the merged search maximises. Nothing is
 * required of empty nodes.
 */
export function netCents({ savings, candidates }: Move): number {
  return savings * 100 - requiredSavings(candidates.filter((c) => !isEmpty(c))).requiredCents;
}

export function totalNetCents(moves: readonly Move[]): number {
  return moves.reduce((sum, move) => sum + netCents(move), 0);
}
