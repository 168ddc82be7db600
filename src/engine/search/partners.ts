import type { Candidate } from '../disruption/candidates.ts';
import type { Usage } from './order.ts';

/** So many of each kind of partner are offered. */
const NEXT = 5;
const COMPLEMENTS = 3;
const STRANGERS = 2;

/**
 * Whom a node might be exchanged together with: those of its own pool, whose pods can surely share a node, first in the
 * order and then those that use most of what it uses least; at last some of other pools.
 */
export class Partners {
  private readonly order: readonly Candidate[];
  private readonly usage: ReadonlyMap<Candidate, Usage>;
  private readonly place = new Map<Candidate, number>();
  private readonly pools = new Map<string, PoolLists>();

  constructor(order: readonly Candidate[], usage: ReadonlyMap<Candidate, Usage>) {
    this.order = order;
    this.usage = usage;
    for (const [i, c] of order.entries()) {
      const pool = this.pools.get(c.pool.name) ?? { byOrder: [], bySlant: [], low: 0, high: -1 };
      this.place.set(c, i);
      pool.byOrder.push(i);
      pool.bySlant.push(c);
      this.pools.set(c.pool.name, pool);
    }
    for (const pool of this.pools.values()) {
      pool.bySlant.sort((a, b) => this.slant(a) - this.slant(b) || (a.name < b.name ? -1 : 1));
      pool.high = pool.bySlant.length - 1;
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
    let strangers = 0;
    for (let i = (this.place.get(seed) as number) + 1; i < this.order.length && strangers < STRANGERS; i++) {
      const c = this.order[i];
      if (c.pool.name === seed.pool.name || !isFree(c)) continue;
      strangers++;
      yield c;
    }
  }

  inPoolOf(seed: Candidate): readonly Candidate[] {
    return this.pools.get(seed.pool.name)?.bySlant ?? [];
  }

  private *following(seed: Candidate, { byOrder }: PoolLists, isFree: (c: Candidate) => boolean): Generator<Candidate> {
    const own = this.place.get(seed) as number;
    for (let k = firstAfter(byOrder, own); k < byOrder.length; k++) {
      const c = this.order[byOrder[k]];
      if (isFree(c)) yield c;
    }
  }

  private *complementing(seed: Candidate, pool: PoolLists, isFree: (c: Candidate) => boolean): Generator<Candidate> {
    const { bySlant } = pool;
    // Nodes that are settled stay so: the ends only move inwards.
    while (pool.low < bySlant.length && !isFree(bySlant[pool.low])) pool.low++;
    while (pool.high >= 0 && !isFree(bySlant[pool.high])) pool.high--;
    const usesCpu = this.slant(seed) > 0.5;
    const [from, to, step] = usesCpu ? [pool.low, pool.high, 1] : [pool.high, pool.low, -1];
    for (let k = from; usesCpu ? k <= to : k >= to; k += step) if (isFree(bySlant[k])) yield bySlant[k];
  }

  private slant(c: Candidate): number {
    return this.usage.get(c)?.slant ?? 0.5;
  }
}

interface PoolLists {
  /** Places in the order. */
  readonly byOrder: number[];
  readonly bySlant: Candidate[];
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
