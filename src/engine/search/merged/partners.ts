import type { Candidate } from '../../disruption/candidates.ts';
import type { NodeDemands } from './node-demand.ts';

/** Partners of each kind that are offered. */
const NEXT = 5;
const COMPLEMENTS = 3;
const OTHER_POOLS = 2;

/**
 * Nodes that a node might be replaced together with: those of its own pool, whose pods can surely share a node, next in
 * the order or using most of what it uses least; at last some of other pools.
 */
export class Partners {
  private readonly order: readonly Candidate[];
  private readonly demands: NodeDemands;
  private readonly place = new Map<Candidate, number>();
  private readonly pools = new Map<string, PoolLists>();

  constructor(order: readonly Candidate[], demands: NodeDemands) {
    this.order = order;
    this.demands = demands;
    for (const [i, c] of order.entries()) {
      const pool = this.pools.get(c.pool.name) ?? { byOrder: [], byCpuShare: [], low: 0, high: -1 };
      this.place.set(c, i);
      pool.byOrder.push(i);
      pool.byCpuShare.push(c);
      this.pools.set(c.pool.name, pool);
    }
    for (const pool of this.pools.values()) {
      pool.byCpuShare.sort((a, b) => this.cpuShare(a) - this.cpuShare(b) || (a.name < b.name ? -1 : 1));
      pool.high = pool.byCpuShare.length - 1;
    }
  }

  *of(seed: Candidate, isFree: (c: Candidate) => boolean): Generator<Candidate, void> {
    const pool = this.pools.get(seed.pool.name) as PoolLists;
    const offered = new Set([seed]);
    const next = this.following(seed, pool, isFree);
    const complements = this.complementing(seed, pool, isFree);
    // Half of the time the neighbour in the order, half of the time the opposite.
    for (let turn = 0; turn < NEXT + COMPLEMENTS; turn++) {
      const { value } = (turn % 3 === 1 ? complements : next).next();
      if (value === undefined || offered.has(value)) continue;
      offered.add(value);
      yield value;
    }
    if (this.pools.size === 1) return;
    let offeredOthers = 0;
    for (let i = (this.place.get(seed) as number) + 1; i < this.order.length && offeredOthers < OTHER_POOLS; i++) {
      const c = this.order[i];
      if (c.pool.name === seed.pool.name || !isFree(c)) continue;
      offeredOthers++;
      yield c;
    }
  }

  inPoolOf(seed: Candidate): readonly Candidate[] {
    return this.pools.get(seed.pool.name)?.byCpuShare ?? [];
  }

  private *following(seed: Candidate, { byOrder }: PoolLists, isFree: (c: Candidate) => boolean): Generator<Candidate> {
    const own = this.place.get(seed) as number;
    for (let k = firstAfter(byOrder, own); k < byOrder.length; k++) {
      const c = this.order[byOrder[k]];
      if (isFree(c)) yield c;
    }
  }

  private *complementing(seed: Candidate, pool: PoolLists, isFree: (c: Candidate) => boolean): Generator<Candidate> {
    const { byCpuShare } = pool;
    // Nodes that are settled stay so: the ends only move inwards.
    while (pool.low < byCpuShare.length && !isFree(byCpuShare[pool.low])) pool.low++;
    while (pool.high >= 0 && !isFree(byCpuShare[pool.high])) pool.high--;
    const usesCpu = this.cpuShare(seed) > 0.5;
    const [from, to, step] = usesCpu ? [pool.low, pool.high, 1] : [pool.high, pool.low, -1];
    for (let k = from; usesCpu ? k <= to : k >= to; k += step) if (isFree(byCpuShare[k])) yield byCpuShare[k];
  }

  private cpuShare(c: Candidate): number {
    return this.demands.get(c)?.cpuShare ?? 0.5;
  }
}

interface PoolLists {
  /** Places in the order. */
  readonly byOrder: number[];
  readonly byCpuShare: Candidate[];
  low: number;
  high: number;
}

/** Index of the first number above `value` in an ascending list. */
function firstAfter(list: readonly number[], value: number): number {
  let low = 0;
  let high = list.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (list[middle] <= value) low = middle + 1;
    else high = middle;
  }
  return low;
}
