import { addBit, type Bitset, bitset, fullBitset, removeBit, summarize } from '../cluster/bitset.ts';

/** Sets kept per resource: more make a query exacter and the index larger. */
const LEVELS = 128;

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
export class FreeCapacity {
  private readonly rungs: Float64Array;
  /** The highest rung that each node is on. */
  private readonly rungOfRow: Int32Array;
  private readonly sets: readonly Bitset[];
  private readonly summaries: readonly Bitset[];
  private readonly none: Bitset;
  private readonly noSummary: Bitset;
  private largest: number;

  constructor(free: Float64Array) {
    const sorted = free.slice().sort();
    const rungs: number[] = [];
    const step = Math.max(1, sorted.length / LEVELS);
    for (let i = 0; i < sorted.length; i += step) {
      const amount = sorted[Math.floor(i)];
      if (rungs.length === 0 || amount > rungs[rungs.length - 1]) rungs.push(amount);
    }
    this.none = bitset(free.length);
    this.largest = sorted.length === 0 ? -Infinity : sorted[sorted.length - 1];
    if (rungs.length > 0 && this.largest > rungs[rungs.length - 1]) rungs.push(this.largest);
    this.rungs = Float64Array.from(rungs);
    this.rungOfRow = Int32Array.from(free, (amount) => this.rung(amount));
    const sets = rungs.map(() => bitset(free.length));
    for (let row = 0; row < free.length; row++) addBit(sets[this.rungOfRow[row]], row);
    for (let i = sets.length - 2; i >= 0; i--) for (let w = 0; w < sets[i].length; w++) sets[i][w] |= sets[i + 1][w];
    this.sets = sets.length > 0 ? sets : [fullBitset(free.length)];
    this.summaries = this.sets.map(summarize);
    this.noSummary = summarize(this.none);
  }

  /** The node's amount changed for good. */
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
    const set = this.sets[rung];
    const w = row >>> 5;
    if (member) addBit(set, row);
    else removeBit(set, row);
    if (set[w] === 0) removeBit(this.summaries[rung], w);
    else addBit(this.summaries[rung], w);
  }

  /** As `atLeast`, one bit per word of it that is not empty. */
  summaryOf(amount: number): Bitset {
    return amount > this.largest ? this.noSummary : this.summaries[this.rung(amount)];
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
    return amount > this.largest ? this.none : this.sets[this.rung(amount)];
  }
}
