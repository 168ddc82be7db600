import type { CompiledCluster } from '../scheduling/compiled-cluster.ts';

/** Dollars per hour of a node that runs; 0 where the price is not known, and for nodes that are not tracked. */
export function nodePrice({ rows, types }: CompiledCluster, row: number): number {
  const { labels, tracked } = rows[row];
  if (!tracked) return 0;
  const price = types.quote(labels)?.price ?? 0;
  return price > 0 ? price : 0;
}
