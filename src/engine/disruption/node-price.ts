import type { CompiledCluster } from '../scheduling/compiled-cluster.ts';

/** Dollars per hour of a running node; 0 if unknown, and for untracked nodes. */
export function nodePrice({ rows, types }: CompiledCluster, row: number): number {
  const { labels, tracked } = rows[row];
  if (!tracked) return 0;
  const price = types.quote(labels)?.price ?? 0;
  return price > 0 ? price : 0;
}
