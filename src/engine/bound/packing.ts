import type { MovingClass } from './moving-pods.ts';
import type { Charges } from './pool-charges.ts';
import type { ZoneLimit } from './zone-limits.ts';

/** Nodes that are equal to all pods: same price, capacity and classes. */
export interface HostGroup {
  /** Dollars per hour for each one used. */
  readonly price: number;
  /** Infinity for launchable nodes. */
  readonly count: number;
  readonly capacity: Float64Array;
  /** '' where zones do not matter. */
  readonly zone: string;
  /** What each takes of limits that they share. */
  readonly charges: Charges;
  /** Classes that may run here and of which at least one pod fits, ascending. */
  readonly classes: readonly number[];
}

/**
 * The bound's view of a cluster: pods by class, hosts by group, and a price for each host used. Every plan for the
 * cluster is such a packing at the plan's price; so no plan is cheaper than the cheapest packing.
 */
export interface Packing {
  readonly classes: readonly MovingClass[];
  readonly hosts: readonly HostGroup[];
  readonly limits: readonly ZoneLimit[];
  /** By limit of a pool: what its new nodes may take in all. */
  readonly poolsLeft: readonly number[];
}

export function fitsInto(amounts: Float64Array, capacity: Float64Array): boolean {
  for (let d = 0; d < amounts.length; d++) if (amounts[d] > capacity[d]) return false;
  return true;
}
