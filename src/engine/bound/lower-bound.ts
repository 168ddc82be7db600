import { nodePrice } from '../disruption/node-price.ts';
import type { CompiledCluster } from '../scheduling/compiled-cluster.ts';
import { clusterPacking, type PackingSizes } from './cluster-packing.ts';
import { ColumnGeneration, type RoundLimits } from './column-generation.ts';
import type { LpSolver } from './linear-program.ts';
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

/** Sums of resources need no merging: their program has a row per resource, whatever the number of classes. */
const UNMERGED: PackingSizes = { classes: Infinity, groups: Infinity };

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
  sizes?: PackingSizes,
): Bound {
  const mayGo = new Set(removable);
  let paid = 0;
  let now = 0;
  for (let row = 0; row < cluster.rows.length; row++) {
    const price = nodePrice(cluster, row);
    now += price;
    if (!mayGo.has(row)) paid += price;
  }
  // Changing nothing is one of the plans, so the bound is never above the current price.
  const inAll = (extra: number) => Math.min(now, paid + extra * ROUNDING);
  const exact = clusterPacking(cluster, [...mayGo], UNMERGED);
  if (exact.classes.length === 0) return { dollarsPerHour: inAll(0), method: 'resources', rounds: 0, converged: true };
  const resources = resourceBound(exact, solver);
  const packing = clusterPacking(cluster, [...mayGo], sizes);
  const start = resourceBound(packing, solver);
  const { bound, rounds, converged } = new ColumnGeneration(packing, start, solver).run(limits);
  return bound > resources.bound
    ? { dollarsPerHour: inAll(bound), method: 'configurations', rounds, converged }
    : { dollarsPerHour: inAll(resources.bound), method: 'resources', rounds, converged };
}
