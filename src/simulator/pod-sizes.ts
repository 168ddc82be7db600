import type { NodeLoad } from './node-load.ts';
import { addTimes, fits } from './resource-columns.ts';
import type { SimNode } from './sim-node.ts';
import type { World } from './world.ts';

/** Free capacity of a node, counted in pods. */
export interface NodeFreeCapacity {
  /** No pod of any size fits. */
  readonly none: boolean;
  /** By size: how many pods would fit if no others came. */
  readonly pods: Float64Array;
  /** By resource: an upper bound of what pods could use (as many as fit of the smallest, none above the largest). */
  readonly usable: Float64Array;
}

/** A set of pods that have to be rescheduled, reduced to how many there are of each size. */
export interface PodCounts {
  /** Indexes into the list of sizes, ascending, and the number of pods of each. */
  readonly sizes: readonly number[];
  readonly counts: readonly number[];
  /** By resource: the sum of their requests. */
  readonly amounts: Float64Array;
  /** Equal for equal sets of sizes. */
  readonly key: string;
}

/** The distinct pod sizes of the workloads, DaemonSets aside. */
export class PodSizes {
  readonly list: readonly Float64Array[];
  readonly none: PodCounts;
  private readonly indexes: ReadonlyMap<Float64Array, number>;
  private readonly countsOfLoad = new WeakMap<NodeLoad, PodCounts>();

  constructor({ apps, columns }: World) {
    this.none = { sizes: [], counts: [], amounts: new Float64Array(columns.count), key: '' };
    const reschedulable = apps.filter(({ app }) => app.kind !== 'DaemonSet');
    this.list = [...new Set(reschedulable.map(({ requests }) => requests))];
    this.indexes = new Map(this.list.map((requests, i) => [requests, i]));
  }

  countsOf(load: NodeLoad): PodCounts {
    let known = this.countsOfLoad.get(load);
    if (known === undefined) {
      const bySize = new Map<number, number>();
      for (const [{ requests }, count] of load.reschedulable) {
        const size = this.indexes.get(requests) as number;
        bySize.set(size, (bySize.get(size) ?? 0) + count);
      }
      known = this.countsBySize(bySize);
      this.countsOfLoad.set(load, known);
    }
    return known;
  }

  sum(a: PodCounts, b: PodCounts): PodCounts {
    const bySize = new Map<number, number>();
    for (const { sizes, counts } of [a, b])
      for (let i = 0; i < sizes.length; i++) bySize.set(sizes[i], (bySize.get(sizes[i]) ?? 0) + counts[i]);
    return this.countsBySize(bySize);
  }

  private countsBySize(bySize: ReadonlyMap<number, number>): PodCounts {
    const sizes = [...bySize.keys()].sort((a, b) => a - b);
    const counts = sizes.map((size) => bySize.get(size) ?? 0);
    const amounts = this.none.amounts.slice();
    for (let i = 0; i < sizes.length; i++) addTimes(amounts, this.list[sizes[i]], counts[i]);
    return { sizes, counts, amounts, key: sizes.join() };
  }

  /** Cached in `node.freeCapacity`, which the world clears when a pod is bound to the node or removed from it. */
  freeCapacityOn(node: SimNode): NodeFreeCapacity {
    if (node.freeCapacity === undefined) {
      const pods = Float64Array.from(this.list, (requests) => podsThatFit(requests, node.free));
      node.freeCapacity = { none: !pods.some((count) => count > 0), pods, usable: usableOf(node.free, this.list) };
    }
    return node.freeCapacity;
  }
}

function podsThatFit(requests: Float64Array, free: Float64Array): number {
  let count = Number.POSITIVE_INFINITY;
  for (let i = 0; i < requests.length; i++)
    if (requests[i] > 0) count = Math.min(count, Math.floor(free[i] / requests[i]));
  return Math.max(0, count);
}

function usableOf(free: Float64Array, sizes: Iterable<Float64Array>): Float64Array {
  const smallest = new Float64Array(free.length).fill(Number.POSITIVE_INFINITY);
  const largest = new Float64Array(free.length);
  for (const requests of sizes) {
    if (!fits(requests, free)) continue;
    for (let d = 0; d < free.length; d++) {
      smallest[d] = Math.min(smallest[d], requests[d]);
      largest[d] = Math.max(largest[d], requests[d]);
    }
  }
  let pods = Number.POSITIVE_INFINITY;
  for (let d = 0; d < free.length; d++) if (smallest[d] > 0) pods = Math.min(pods, Math.floor(free[d] / smallest[d]));
  return free.map((amount, d) => Math.min(amount, pods * largest[d]));
}
