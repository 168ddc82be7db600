import { nodePrice } from '../disruption/node-price.ts';
import type { CompiledCluster } from '../scheduling/compiled-cluster.ts';
import { clusterPacking } from './cluster-packing.ts';
import type { LpSolver } from './linear-program.ts';
import { placePriceBound } from './place-prices.ts';
import { planScope } from './plan-scope.ts';

export interface BoundOptions {
  /** Plans may have moves that fall into independent parts, as those of Karpenter's search do. */
  readonly bundled?: boolean;
}

/** Subtracted so that rounding never lifts the bound. */
const ROUNDING = 1 - 1e-9;

/**
 * The least cost of the cluster in dollars per hour: no cluster reached by removing some of these rows, and moving their pods to
 * remaining or new nodes, costs less. docs/bound.md says what is proven and what is left out.
 */
export function lowerBound(
  cluster: CompiledCluster,
  removable: readonly number[],
  solver: LpSolver,
  { bundled = false }: BoundOptions = {},
): number {
  const scope = planScope(cluster, removable, bundled);
  const mayGo = new Set(scope.removable);
  let paid = 0;
  let now = 0;
  for (let row = 0; row < cluster.rows.length; row++) {
    const price = nodePrice(cluster, row);
    now += price;
    if (!mayGo.has(row)) paid += price;
  }
  // Changing nothing is one of the plans, so the bound is never above the current price.
  return Math.min(now, paid + placePriceBound(clusterPacking(cluster, scope), solver) * ROUNDING);
}
