import type { Candidate } from '../../disruption/candidates.ts';
import { requiredSavings } from '../../disruption/required-savings.ts';
import type { NodeDemand, NodeDemands } from './node-demand.ts';

/** Which nodes are tried first. No order is best on every cluster, so a search tries several. */
export type OrderName = 'worth' | 'waste' | 'wasteful' | 'price';

/** The nodes in the order of that name; ties by disruption cost, then by name. */
export function inOrder(candidates: readonly Candidate[], demands: NodeDemands, order: OrderName): Candidate[] {
  const key = new Map(candidates.map((c) => [c, keyOf(c, demands.get(c) as NodeDemand, order)]));
  return [...candidates].sort(
    (a, b) =>
      (key.get(b) as number) - (key.get(a) as number) ||
      a.disruptionCost - b.disruptionCost ||
      (a.name < b.name ? -1 : 1),
  );
}

/** Greater is sooner. */
function keyOf(c: Candidate, { cents, fairCents }: NodeDemand, order: OrderName): number {
  switch (order) {
    case 'worth':
      return netWorth(c);
    case 'waste':
      return cents - fairCents;
    case 'wasteful':
      return (cents - fairCents) / Math.max(c.price, 1e-9);
    case 'price':
      return cents;
  }
}

/** Least disruption cost: pods with a negative cost make it even negative. */
const LEAST_COST = 0.01;

/**
 * The value of removing the node per unit of disruption: its price less what its pool's threshold requires, in cents
 * per hour. An upper bound for any move of it alone, so a good order to try nodes in.
 */
function netWorth(c: Candidate): number {
  return (c.price * 100 - requiredSavings([c]).requiredCents) / Math.max(c.disruptionCost, LEAST_COST);
}
