import type { Candidate } from '../disruption/candidates.ts';
import type { Usage } from './order.ts';

/** So many of each kind of partner are offered. */
const NEXT = 5;
const COMPLEMENTS = 3;
const STRANGERS = 2;

/**
 * Whom a node might be exchanged together with: its kin, whose pods can likely share a node, first in the order and then
 * those that use most of what it uses least; at last some others.
 */
export class Partners {
  private readonly order: readonly Candidate[];
  private readonly usage: ReadonlyMap<Candidate, Usage>;
  private readonly place = new Map<Candidate, number>();
  private readonly families = new Map<string, Family>();

  constructor(order: readonly Candidate[], usage: ReadonlyMap<Candidate, Usage>) {
    this.order = order;
    this.usage = usage;
    for (const [i, c] of order.entries()) {
      const family = this.families.get(this.nameOf(c)) ?? { byOrder: [], bySlant: [], low: 0, high: -1 };
      this.place.set(c, i);
      family.byOrder.push(i);
      family.bySlant.push(c);
      this.families.set(this.nameOf(c), family);
    }
    for (const family of this.families.values()) {
      family.bySlant.sort((a, b) => this.slant(a) - this.slant(b) || (a.name < b.name ? -1 : 1));
      family.high = family.bySlant.length - 1;
    }
  }

  *of(seed: Candidate, isFree: (c: Candidate) => boolean): Generator<Candidate, void> {
    const family = this.families.get(this.nameOf(seed)) as Family;
    const offered = new Set([seed]);
    const next = this.following(seed, family, isFree);
    const complements = this.complementing(seed, family, isFree);
    // Half of the time the neighbour in the order, half of the time the opposite.
    for (let turn = 0; turn < NEXT + COMPLEMENTS; turn++) {
      const { value } = (turn % 3 === 1 ? complements : next).next();
      if (value === undefined || offered.has(value)) continue;
      offered.add(value);
      yield value;
    }
    if (this.families.size === 1) return;
    let strangers = 0;
    for (let i = (this.place.get(seed) as number) + 1; i < this.order.length && strangers < STRANGERS; i++) {
      const c = this.order[i];
      if (this.nameOf(c) === this.nameOf(seed) || !isFree(c)) continue;
      strangers++;
      yield c;
    }
  }

  kinOf(seed: Candidate): readonly Candidate[] {
    return this.families.get(this.nameOf(seed))?.bySlant ?? [];
  }

  private *following(seed: Candidate, { byOrder }: Family, isFree: (c: Candidate) => boolean): Generator<Candidate> {
    const own = this.place.get(seed) as number;
    for (let k = firstAfter(byOrder, own); k < byOrder.length; k++) {
      const c = this.order[byOrder[k]];
      if (isFree(c)) yield c;
    }
  }

  private *complementing(seed: Candidate, family: Family, isFree: (c: Candidate) => boolean): Generator<Candidate> {
    const { bySlant } = family;
    // Nodes that are settled stay so: the ends only move inwards.
    while (family.low < bySlant.length && !isFree(bySlant[family.low])) family.low++;
    while (family.high >= 0 && !isFree(bySlant[family.high])) family.high--;
    const usesCpu = this.slant(seed) > 0.5;
    const [from, to, step] = usesCpu ? [family.low, family.high, 1] : [family.high, family.low, -1];
    for (let k = from; usesCpu ? k <= to : k >= to; k += step) if (isFree(bySlant[k])) yield bySlant[k];
  }

  private nameOf(c: Candidate): string {
    return this.usage.get(c)?.kin ?? '';
  }

  private slant(c: Candidate): number {
    return this.usage.get(c)?.slant ?? 0.5;
  }
}

interface Family {
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
