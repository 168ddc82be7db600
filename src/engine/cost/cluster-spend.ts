import type { CoveredBy } from '../cluster/commitment.ts';
import type { CompiledCluster } from '../scheduling/compiled-cluster.ts';
import { clusterCost, type Spend, withSpend } from './cluster-cost.ts';

/** What a node adds to the cluster's spend; a node that is being deleted adds nothing. */
export function rowSpend({ rows, types }: CompiledCluster, row: number): readonly (readonly [CoveredBy, number])[] {
  const { labels, tracked, deleting } = rows[row];
  if (!tracked || deleting) return [];
  const { price = 0, coveredBy } = types.quote(labels) ?? {};
  return types.spend(price, coveredBy);
}

/** undefined without commitments: prices add up then. */
export function spendOf(cluster: CompiledCluster, without: ReadonlySet<number> = new Set()): Spend | undefined {
  if (cluster.types.commitments.length === 0) return undefined;
  const rows = [...cluster.rows.keys()].filter((row) => !without.has(row));
  return withSpend(
    new Map(),
    rows.flatMap((row) => rowSpend(cluster, row)),
  );
}

export function withoutRows(cluster: CompiledCluster, spend: Spend, rows: readonly number[]): Spend {
  const removed = rows.flatMap((row) => rowSpend(cluster, row));
  return withSpend(
    spend,
    removed.map(([coveredBy, dollars]) => [coveredBy, -dollars]),
  );
}

/** Dollars per hour: rounding errors of sums, which are no savings. */
const NOISE = 1e-9;

/** Dollars per hour that the cluster costs more with one spend than with the other. */
export function costBetween({ types: { commitments } }: CompiledCluster, before: Spend, after: Spend): number {
  const difference = clusterCost(commitments, before) - clusterCost(commitments, after);
  return Math.abs(difference) < NOISE ? 0 : difference;
}
