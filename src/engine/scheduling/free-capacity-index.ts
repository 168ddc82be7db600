import { addBit, type Bitset, bitset, removeBit, summarize } from '../cluster/bitset.ts';

/** Rungs taken from what is free, and from what is asked for: more make a query exacter and the index larger. */
const LEVELS = 512;

/**
 * For one resource: nodes that have roughly at least so much of it free, as a superset. Kept for a
 * ladder of amounts; a query takes the highest rung that is not above what is wanted.
 *
 * Bound: a node with free(n) >= wanted is in the set of every rung <= wanted, so intersecting
 * the supersets of all resources never loses a node that fits. Within one simulation placements only
 * take capacity away, so the sets stay supersets without being updated. Testing both cpu and memory
 * this way is what keeps a cluster fast whose free cpu is on one half of the nodes and whose free
 * memory is on the other.
 */
export class FreeCapacityIndex {
  /** As it was before any simulation: what is free then changes in place. */
  private readonly free: Float64Array;
  private readonly requested: Float64Array;
  /** Made with the first question; there are looks at a cluster in which nothing is simulated. */
  private ladder: Ladder | undefined;

  /** `requested`: amounts that pods ask for, each once and in order; rungs at these make queries exact where it counts. */
  constructor(free: Float64Array, requested: Float64Array) {
    this.free = free.slice();
    this.requested = requested;
  }

  /** The node's amount changed for good. */
  update(row: number, amount: number): void {
    if (this.ladder === undefined) this.free[row] = amount;
    else this.ladder.update(row, amount);
  }

  atLeast(amount: number): Bitset {
    return this.made().atLeast(amount);
  }

  /** As `atLeast`, one bit per word of it that is not empty. */
  summaryOf(amount: number): Bitset {
    return this.made().summaryOf(amount);
  }

  private made(): Ladder {
    this.ladder ??= new Ladder(this.free, this.requested);
    return this.ladder;
  }
}

class Ladder {
  private readonly rungs: Float64Array;
  /** The highest rung that each node is on. */
  private readonly rungOfRow: Int32Array;
  /** By rung, made when first asked for: pods ask for few different amounts. */
  private readonly sets: (Bitset | undefined)[];
  private readonly summaries: (Bitset | undefined)[];
  private readonly none: Bitset;
  private readonly noSummary: Bitset;
  private largest = Number.NEGATIVE_INFINITY;

  constructor(free: Float64Array, requested: Float64Array) {
    const rungs = distinct([...quantiles(distinct(free)), ...quantiles(requested)]);
    this.none = bitset(free.length);
    for (const amount of free) if (amount > this.largest) this.largest = amount;
    this.rungs = rungs;
    this.rungOfRow = new Int32Array(free.length);
    for (let row = 0; row < free.length; row++) this.rungOfRow[row] = this.rung(free[row]);
    this.sets = new Array(Math.max(1, rungs.length));
    this.summaries = new Array(this.sets.length);
    this.noSummary = summarize(this.none);
  }

  update(row: number, amount: number): void {
    if (amount > this.largest) this.largest = amount;
    const from = this.rungOfRow[row];
    // A node that has less than the lowest rung stays on it: a superset may hold too many.
    const to = this.rung(amount);
    this.rungOfRow[row] = to;
    for (let i = from + 1; i <= to; i++) this.mark(i, row, true);
    for (let i = to + 1; i <= from; i++) this.mark(i, row, false);
  }

  private mark(rung: number, row: number, member: boolean): void {
    const [set, summary] = [this.sets[rung], this.summaries[rung]];
    if (set === undefined || summary === undefined) return;
    const w = row >>> 5;
    if (member) addBit(set, row);
    else removeBit(set, row);
    if (set[w] === 0) removeBit(summary, w);
    else addBit(summary, w);
  }

  private setAt(rung: number): Bitset {
    const known = this.sets[rung];
    if (known !== undefined) return known;
    const set = bitset(this.rungOfRow.length);
    for (let row = 0; row < this.rungOfRow.length; row++) if (this.rungOfRow[row] >= rung) addBit(set, row);
    this.sets[rung] = set;
    this.summaries[rung] = summarize(set);
    return set;
  }

  summaryOf(amount: number): Bitset {
    if (amount > this.largest) return this.noSummary;
    const rung = this.rung(amount);
    this.setAt(rung);
    return this.summaries[rung] as Bitset;
  }

  /** Index of the highest rung that is not above the amount; 0 if all are. */
  private rung(amount: number): number {
    const { rungs } = this;
    let low = 0;
    let high = rungs.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (rungs[middle] <= amount) low = middle + 1;
      else high = middle;
    }
    return low === 0 ? 0 : low - 1;
  }

  atLeast(amount: number): Bitset {
    return amount > this.largest ? this.none : this.setAt(this.rung(amount));
  }
}

/** Smallest, largest and up to LEVELS amounts between. */
function quantiles(all: Float64Array): number[] {
  const step = Math.max(1, all.length / LEVELS);
  const out: number[] = [];
  for (let i = 0; i < all.length; i += step) out.push(all[Math.floor(i)]);
  if (all.length > 0) out.push(all[all.length - 1]);
  return out;
}

/** Each once, in ascending order. */
function distinct(amounts: ArrayLike<number>): Float64Array {
  const sorted = Float64Array.from(amounts).sort();
  let size = 0;
  for (const amount of sorted) if (size === 0 || amount !== sorted[size - 1]) sorted[size++] = amount;
  return sorted.subarray(0, size);
}
