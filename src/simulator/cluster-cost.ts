import { NOT_COVERED } from '../engine/cluster/commitment.ts';
import { clusterCost, withSpend } from '../engine/cost/cluster-cost.ts';
import type { SimNode } from './sim-node.ts';
import type { World } from './world.ts';

/** Dollars per hour of these nodes, and of the commitments that pay for some of them. */
export function costOfNodes({ offerings }: World, nodes: Iterable<SimNode>): number {
  const { commitments } = offerings;
  if (commitments.length === 0) {
    let sum = 0;
    for (const { price } of nodes) sum += price;
    return sum;
  }
  const spend = [...nodes].map(({ type, zone, capacityType, price }) => {
    const coveredBy = offerings.at(type.name, zone, capacityType)?.coveredBy ?? NOT_COVERED;
    return [coveredBy, price] as const;
  });
  return clusterCost(commitments, withSpend(new Map(), spend));
}
