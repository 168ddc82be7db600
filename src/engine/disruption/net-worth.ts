import type { Candidate } from './candidates.ts';
import { requiredSavings } from './required-savings.ts';

/** Least disruption cost: pods with a negative cost make it even negative. */
const LEAST_COST = 0.01;

/**
 * The value of removing the node per unit of disruption: its price less what its pool's threshold requires, in cents
 * per hour. An upper bound for any move of it alone, so a good order to try nodes in.
 */
export function netWorth(c: Candidate): number {
  return (c.price * 100 - requiredSavings([c]).requiredCents) / Math.max(c.disruptionCost, LEAST_COST);
}
