import { nodePrice } from '../disruption/node-price.ts';
import type { CompiledCluster } from '../scheduling/compiled-cluster.ts';
import { clusterPacking, type PackingSizes, zonedPacking } from './cluster-packing.ts';
import { ColumnGeneration, type RoundLimits } from './column-generation.ts';
import type { LpSolver } from './linear-program.ts';
import { placePriceBound } from './place-prices.ts';
import { planScope } from './plan-scope.ts';
import { resourceBound } from './resource-bound.ts';

export interface Bound {
  /** The least cost of the cluster, whichever of the rows are removed. */
  readonly dollarsPerHour: number;
  /** resources: from sums of resources. configurations: from what fits together on one node. */
  readonly method: 'resources' | 'configurations';
  readonly rounds: number;
  /** More rounds would not raise it. */
  readonly converged: boolean;
}

export interface BoundOptions {
  /** Plans may have moves that fall into independent parts, as those of Karpenter's search do. */
  readonly bundled?: boolean;
  readonly sizes?: PackingSizes;
}

/** Subtracted so that rounding never lifts the bound. */
const ROUNDING = 1 - 1e-9;

/**
 * No cluster reached by removing some of these rows, and moving their pods to remaining or new nodes, costs less.
 * docs/bound.md says what is proven and what is left out.
 */
export function lowerBound(
  cluster: CompiledCluster,
  removable: readonly number[],
  solver: LpSolver,
  limits: RoundLimits,
  { bundled = false, sizes }: BoundOptions = {},
): Bound {
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
  const inAll = (extra: number) => Math.min(now, paid + extra * ROUNDING);
  const zoned = zonedPacking(cluster, scope);
  if (zoned.classes.length === 0) return { dollarsPerHour: inAll(0), method: 'resources', rounds: 0, converged: true };
  const resources = Math.max(resourceBound(zoned, solver).bound, placePriceBound(zoned, solver));
  const packing = clusterPacking(cluster, scope, sizes);
  const start = resourceBound(packing, solver);
  const { bound, rounds, converged } = new ColumnGeneration(packing, start, solver).run(limits);
  return bound > resources
    ? { dollarsPerHour: inAll(bound), method: 'configurations', rounds, converged }
    : { dollarsPerHour: inAll(resources), method: 'resources', rounds, converged };
}
