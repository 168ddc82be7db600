/** Pods that ask for the same and may go to the same places. */
export interface PodClass {
  /** By column of the request table. */
  readonly amounts: Float64Array;
  readonly pods: number;
}

/** Nodes that are the same to all pods: equal price, equal room, the same classes. */
export interface HostGroup {
  /** Dollars per hour for each of them that is used. */
  readonly price: number;
  /** How many there are; Infinity for nodes that could be launched. */
  readonly count: number;
  readonly capacity: Float64Array;
  /** Classes that may run here and of which one pod at least fits, ascending. */
  readonly classes: readonly number[];
}

/**
 * What is left of a cluster for the bound: pods of so many classes are to be put on hosts of so many groups,
 * and each host that is used costs its price. Whatever plan there is for the cluster is a packing of this kind,
 * at the plan's price; so no plan is cheaper than the cheapest packing.
 */
export interface Packing {
  readonly classes: readonly PodClass[];
  readonly hosts: readonly HostGroup[];
}

/** A way to use one host: how many pods of which classes. */
export interface Pattern {
  readonly classes: readonly number[];
  readonly pods: readonly number[];
}

export function fits(amounts: Float64Array, capacity: Float64Array): boolean {
  for (let d = 0; d < amounts.length; d++) if (amounts[d] > capacity[d]) return false;
  return true;
}
