import { fits } from './resource-columns.ts';
import type { SimNode } from './sim-node.ts';
import type { World } from './world.ts';

/** What a node has room for. */
export interface NodeRoom {
  /** By size: pods that would fit, if nobody else came. */
  readonly pods: Float64Array;
  /** By resource, what pods could use at most: no more of them than fit of the smallest, none larger than the largest. */
  readonly usable: Float64Array;
}

/** The sizes of pods that may have to move, each once. */
export class PodSizes {
  readonly list: readonly Float64Array[];
  private readonly indices: ReadonlyMap<Float64Array, number>;

  constructor({ apps }: World) {
    const moving = apps.filter(({ app }) => app.kind !== 'DaemonSet');
    this.list = [...new Set(moving.map(({ requests }) => requests))];
    this.indices = new Map(this.list.map((requests, i) => [requests, i]));
  }

  /** Of a workload that is no DaemonSet. */
  indexOf(requests: Float64Array): number {
    return this.indices.get(requests) as number;
  }

  /** Remembered until a pod of the node comes or goes: then the world empties `node.room`. */
  roomOn(node: SimNode): NodeRoom {
    node.room ??= {
      pods: Float64Array.from(this.list, (requests) => most(requests, node.free)),
      usable: usableOf(node.free, this.list),
    };
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
