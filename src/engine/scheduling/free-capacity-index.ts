import { addBit, type Bitset, bitset, removeBit, summarize } from '../cluster/bitset.ts';

/** Steps taken from free and from requested amounts: more make queries more exact and the index larger. */
const LEVELS = 512;

/**
 * For one resource: nodes with at least an amount free, as a superset. Kept for a series of steps; a query uses the
 * highest step that is not above the amount.
 *
 * Bound: a node with free(n) >= wanted is in the set of every step <= wanted, so intersecting the supersets of all
 * resources never loses a node that fits. Within one simulation placements only take capacity away, so the sets stay
 * supersets without updates. Testing both cpu and memory this way keeps clusters fast whose free cpu is on one half of
 * the nodes and whose free memory is on the other.
 */
export class FreeCapacityIndex {
  /** A copy from before any simulation, which changes the original in place. */
  private readonly free: Float64Array;
  private readonly requested: Float64Array;
  /** Built on first use: some passes simulate nothing. */
  private built: StepSets | undefined;

  /** `requested`: distinct requested amounts, ascending; steps at these make such queries exact. */
  /** `last`: the index of these rows before, whose sets this one changes and keeps; rows may have been added. */
  constructor(free: Float64Array, requested: Float64Array, last?: FreeCapacityIndex) {
    this.free = free.slice();
    this.requested = requested;
    this.built = last?.built?.over(free);
  }

  /** A permanent change. */
  update(row: number, amount: number): void {
    if (this.built === undefined) this.free[row] = amount;
    else this.built.update(row, amount);
  }

  atLeast(amount: number): Bitset {
    return this.made().atLeast(amount);
  }

  /** As `atLeast`, one bit per non-empty word. */
  summaryOf(amount: number): Bitset {
    return this.made().summaryOf(amount);
  }

  private made(): StepSets {
    this.built ??= new StepSets(this.free, this.requested);
    return this.built;
  }
}

/** Of a row that was added. */
const NO_STEP = -1;

class StepSets {
  private readonly steps: Float64Array;
  /** The highest step of each node. */
  private stepOfRow: Int32Array;
  /** By step, built on first use: pods request few different amounts. */
  private readonly sets: (Bitset | undefined)[];
  private readonly summaries: (Bitset | undefined)[];
  private none: Bitset;
  private noSummary: Bitset;
  private largest = Number.NEGATIVE_INFINITY;

  constructor(free: Float64Array, requested: Float64Array) {
    const steps = distinct([...quantiles(distinct(free)), ...quantiles(requested)]);
    this.none = bitset(free.length);
    for (const amount of free) if (amount > this.largest) this.largest = amount;
    this.steps = steps;
    this.stepOfRow = new Int32Array(free.length);
    for (let row = 0; row < free.length; row++) this.stepOfRow[row] = this.step(free[row]);
    this.sets = new Array(Math.max(1, steps.length));
    this.summaries = new Array(this.sets.length);
    this.noSummary = summarize(this.none);
  }

  /** With these amounts. Steps stay where they are: they make queries exact, not correct. */
  over(free: Float64Array): this {
    if (free.length > this.stepOfRow.length) this.extend(free.length);
    for (let row = 0; row < free.length; row++)
      if (!this.isOn(this.stepOfRow[row], free[row])) this.update(row, free[row]);
    return this;
  }

  private isOn(step: number, amount: number): boolean {
    const { steps } = this;
    return step >= 0 && amount >= steps[step] && (step + 1 === steps.length || amount < steps[step + 1]);
  }

  private extend(rows: number): void {
    const stepOfRow = new Int32Array(rows).fill(NO_STEP);
    stepOfRow.set(this.stepOfRow);
    this.stepOfRow = stepOfRow;
    this.none = bitset(rows);
    this.noSummary = summarize(this.none);
    for (const [step, before] of this.sets.entries()) {
      if (before === undefined) continue;
      const set = bitset(rows);
      set.set(before);
      this.sets[step] = set;
      this.summaries[step] = summarize(set);
    }
  }

  update(row: number, amount: number): void {
    if (amount > this.largest) this.largest = amount;
    const from = this.stepOfRow[row];
    // A node below the lowest step stays on it: a superset may contain too many.
    const to = this.step(amount);
    this.stepOfRow[row] = to;
    for (let i = from + 1; i <= to; i++) this.mark(i, row, true);
    for (let i = to + 1; i <= from; i++) this.mark(i, row, false);
  }

  private mark(step: number, row: number, member: boolean): void {
    const [set, summary] = [this.sets[step], this.summaries[step]];
    if (set === undefined || summary === undefined) return;
    const w = row >>> 5;
    if (member) addBit(set, row);
    else removeBit(set, row);
    if (set[w] === 0) removeBit(summary, w);
    else addBit(summary, w);
  }

  private setAt(step: number): Bitset {
    const known = this.sets[step];
    if (known !== undefined) return known;
    const set = bitset(this.stepOfRow.length);
    for (let row = 0; row < this.stepOfRow.length; row++) if (this.stepOfRow[row] >= step) addBit(set, row);
    this.sets[step] = set;
    this.summaries[step] = summarize(set);
    return set;
  }

  summaryOf(amount: number): Bitset {
    if (amount > this.largest) return this.noSummary;
    const step = this.step(amount);
    this.setAt(step);
    return this.summaries[step] as Bitset;
  }

  /** Index of the highest step that is not above the amount; 0 if all are. */
  private step(amount: number): number {
    const { steps } = this;
    let low = 0;
    let high = steps.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (steps[middle] <= amount) low = middle + 1;
      else high = middle;
    }
    return low === 0 ? 0 : low - 1;
  }

  atLeast(amount: number): Bitset {
    return amount > this.largest ? this.none : this.setAt(this.step(amount));
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

/** Distinct values, ascending. */
function distinct(amounts: ArrayLike<number>): Float64Array {
  const sorted = Float64Array.from(amounts).sort();
  let size = 0;
  for (const amount of sorted) if (size === 0 || amount !== sorted[size - 1]) sorted[size++] = amount;
  return sorted.subarray(0, size);
}
