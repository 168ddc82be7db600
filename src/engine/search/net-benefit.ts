import { requiredSavings } from '../disruption/required-savings.ts';
import type { Move } from '../moves/move.ts';

/** What moves are ranked by, in cents per hour. */
export interface Benefit {
  /** Savings beyond what the nodes' pools require. */
  readonly netCents: number;
  readonly savingsCents: number;
}

/** Cents per hour that a move saves beyond what its nodes' pools require of it. */
export function netCents({ savings, candidates }: Move): number {
  return savings * 100 - requiredSavings(candidates).requiredCents;
}

export const NO_BENEFIT: Benefit = { netCents: 0, savingsCents: 0 };

export function benefitOf(moves: readonly Move[]): Benefit {
  return sumOf(moves.map((move) => ({ netCents: netCents(move), savingsCents: move.savings * 100 })));
}

export function sumOf(benefits: Iterable<Benefit>): Benefit {
  let net = 0;
  let savings = 0;
  for (const { netCents: own, savingsCents } of benefits) {
    net += own;
    savings += savingsCents;
  }
  return { netCents: net, savingsCents: savings };
}

/** Noise of summing prices, in cents per hour. */
const NOISE = 1e-9;

/**
 * More net benefit, else more savings: a move that saves exactly what is required has no net benefit, passes every gate all
 * the same, and is worth making.
 */
export function isGreater(a: Benefit, b: Benefit, noise = NOISE): boolean {
  const more = a.netCents - b.netCents;
  return Math.abs(more) > noise ? more > 0 : a.savingsCents > b.savingsCents + noise;
}
