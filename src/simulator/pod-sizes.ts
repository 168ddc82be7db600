import type { NodeLoad } from './node-load.ts';
import { add, fits } from './resource-columns.ts';
import type { SimNode } from './sim-node.ts';
import type { World } from './world.ts';

/** What a node has room for. */
export interface NodeRoom {
  /** For no pod of any size. */
  readonly none: boolean;
  /** By size: pods that would fit, if nobody else came. */
  readonly pods: Float64Array;
  /** By resource, what pods could use at most: no more of them than fit of the smallest, none larger than the largest. */
  readonly usable: Float64Array;
}

/** Pods that would have to move: how many of which sizes. To who has no more than its size to go by, they are all alike. */
export interface Bulk {
  /** Places in the list of sizes, ascending, and how many pods there are of each. */
  readonly sizes: readonly number[];
  readonly counts: readonly number[];
  /** By resource, all that they ask for. */
  readonly amounts: Float64Array;
  /** The same for the same sizes, however many pods. */
  readonly key: string;
}

/** The sizes of pods that may have to move, each once. */
export class PodSizes {
  readonly list: readonly Float64Array[];
  readonly nothing: Bulk;
  private readonly indices: ReadonlyMap<Float64Array, number>;
  private readonly bulks = new WeakMap<NodeLoad, Bulk>();

  constructor({ apps, columns }: World) {
    this.nothing = { sizes: [], counts: [], amounts: new Float64Array(columns.count), key: '' };
    const moving = apps.filter(({ app }) => app.kind !== 'DaemonSet');
    this.list = [...new Set(moving.map(({ requests }) => requests))];
    this.indices = new Map(this.list.map((requests, i) => [requests, i]));
  }

  bulkOf(load: NodeLoad): Bulk {
    let known = this.bulks.get(load);
    if (known === undefined) {
      const counts = new Map<number, number>();
      for (const [{ requests }, count] of load.moving) {
        const size = this.indices.get(requests) as number;
        counts.set(size, (counts.get(size) ?? 0) + count);
      }
      known = this.bulkOfCounts(counts);
      this.bulks.set(load, known);
    }
    return known;
  }

  together(a: Bulk, b: Bulk): Bulk {
    const counts = new Map<number, number>();
    for (const bulk of [a, b]) {
      for (let i = 0; i < bulk.sizes.length; i++)
        counts.set(bulk.sizes[i], (counts.get(bulk.sizes[i]) ?? 0) + bulk.counts[i]);
    }
    return this.bulkOfCounts(counts);
  }

  private bulkOfCounts(bySize: ReadonlyMap<number, number>): Bulk {
    const sizes = [...bySize.keys()].sort((a, b) => a - b);
    const counts = sizes.map((size) => bySize.get(size) ?? 0);
    const amounts = this.nothing.amounts.slice();
    for (let i = 0; i < sizes.length; i++) add(amounts, this.list[sizes[i]], counts[i]);
    return { sizes, counts, amounts, key: sizes.join() };
  }

  /** Remembered until a pod of the node comes or goes: then the world empties `node.room`. */
  roomOn(node: SimNode): NodeRoom {
    if (node.room === undefined) {
      const pods = Float64Array.from(this.list, (requests) => most(requests, node.free));
      node.room = { none: !pods.some((count) => count > 0), pods, usable: usableOf(node.free, this.list) };
    }
    return node.room;
  }
}

/** Pods of this size that the room would hold. */
function most(requests: Float64Array, free: Float64Array): number {
  let count = Number.POSITIVE_INFINITY;
  for (let i = 0; i < requests.length; i++)
    if (requests[i] > 0) count = Math.min(count, Math.floor(free[i] / requests[i]));
  return Math.max(0, count);
}

function usableOf(free: Float64Array, sizes: Iterable<Float64Array>): Float64Array {
  const least = new Float64Array(free.length).fill(Number.POSITIVE_INFINITY);
  const largest = new Float64Array(free.length);
  for (const requests of sizes) {
    if (!fits(requests, free)) continue;
    for (let d = 0; d < free.length; d++) {
      least[d] = Math.min(least[d], requests[d]);
      largest[d] = Math.max(largest[d], requests[d]);
    }
  }
  let pods = Number.POSITIVE_INFINITY;
  for (let d = 0; d < free.length; d++) if (least[d] > 0) pods = Math.min(pods, Math.floor(free[d] / least[d]));
  return free.map((amount, d) => Math.min(amount, pods * largest[d]));
}
