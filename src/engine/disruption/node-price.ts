import { CAPACITY_TYPE, ZONE } from '../cluster/well-known.ts';
import type { CompiledCluster } from '../scheduling/compiled-cluster.ts';

/** Dollars per hour of a node that runs; 0 where the price is not known, and for nodes that are not tracked. */
export function nodePrice({ rows, types }: CompiledCluster, row: number): number {
  const { labels, tracked } = rows[row];
  const type = types.ofNode(labels);
  if (type === undefined || !tracked) return 0;
  const price = types.priceOf(type, labels[ZONE] ?? '', labels[CAPACITY_TYPE] ?? '') ?? 0;
  return price > 0 ? price : 0;
}
