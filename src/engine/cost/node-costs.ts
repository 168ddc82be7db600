import { type CoveredBy, commitmentsOf, NOT_COVERED } from '../cluster/commitment.ts';
import { quoteOf } from '../cluster/node-price.ts';
import type { ClusterObjects, NodeObject } from '../cluster/objects.ts';
import { INSTANCE_TYPE } from '../cluster/well-known.ts';
import { coverage, withSpend } from './cluster-cost.ts';

export interface NodeCosts {
  /** Dollars per hour: the list price less what commitments pay for, at their rates. Absent without a price. */
  readonly byNode: ReadonlyMap<NodeObject, number>;
  /** Dollars per hour of commitments: what is paid, and what of it is used. */
  readonly committed: number;
  readonly used: number;
}

/** What each node costs. Nodes that take each other's place in a commitment share it by their prices. */
export function nodeCosts({ nodes, instanceTypes }: Pick<ClusterObjects, 'nodes' | 'instanceTypes'>): NodeCosts {
  const types = new Map(instanceTypes.map((type) => [type.name, type]));
  const quotes = nodes.flatMap((node) => {
    const quote = quoteOf(types.get(node.labels[INSTANCE_TYPE] ?? ''), node.labels);
    return quote === undefined ? [] : [{ node, coveredBy: NOT_COVERED, ...quote }];
  });
  const commitments = commitmentsOf(instanceTypes);
  if (commitments.length === 0)
    return { byNode: new Map(quotes.map(({ node, price }) => [node, price])), committed: 0, used: 0 };
  const spend = withSpend(
    new Map(),
    quotes.map(({ coveredBy, price }) => [coveredBy, price]),
  );
  const { bySpend, paidFor } = coverage(spend);
  const share = (coveredBy: CoveredBy): number => {
    const list = spend.get(coveredBy) ?? 0;
    const covered = bySpend.get(coveredBy) ?? 0;
    return list === 0 ? 1 : (list - covered + (paidFor.get(coveredBy) ?? 0)) / list;
  };
  return {
    byNode: new Map(quotes.map(({ node, price, coveredBy }) => [node, price * share(coveredBy)])),
    committed: commitments.reduce((sum, c) => sum + c.dollarsPerHour, 0),
    used: [...paidFor.values()].reduce((sum, dollars) => sum + dollars, 0),
  };
}
