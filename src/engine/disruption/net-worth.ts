import type { Candidate } from './candidates.ts';
import { requiredSavings } from './required-savings.ts';

/** Below this, disruption is as good as none: pods that ask to go make it even negative. */
const LEAST_COST = 0.01;

/**
 * What removing the node is worth per unit of disruption: its price less what its pool's threshold asks
 * for, in cents per hour. The most that any move of it alone could bring, so an order to try nodes in.
 */
export function netWorth(c: Candidate): number {
  return (c.price * 100 - requiredSavings([c]).requiredCents) / Math.max(c.disruptionCost, LEAST_COST);
}
