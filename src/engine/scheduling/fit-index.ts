import { addBit, type Bitset, bitset, fullBitset } from '../cluster/bitset.ts';

/**
 * For one resource: which instance types have at least an amount. One precomputed set per distinct amount, so that a
 * query is a binary search instead of a loop over types.
 */
export class FitIndex {
  private readonly amounts: Float64Array;
  /** atLeast[i]: the types that have amounts[i] or more. */
  private readonly atLeast: readonly Bitset[];
  private readonly none: Bitset;

  constructor(allocatable: Float64Array) {
    const count = allocatable.length;
    this.amounts = Float64Array.from(new Set(allocatable)).sort();
    this.none = bitset(count);
    const order = Array.from(allocatable.keys()).sort((a, b) => allocatable[b] - allocatable[a]);
    const sets: Bitset[] = new Array(this.amounts.length);
    let set = bitset(count);
    let next = 0;
    for (let i = this.amounts.length - 1; i >= 0; i--) {
      set = set.slice();
      while (next < count && allocatable[order[next]] >= this.amounts[i]) addBit(set, order[next++]);
      sets[i] = set;
    }
    this.atLeast = sets;
  }

  typesWith(amount: number): Bitset {
    const { amounts } = this;
    let low = 0;
    let high = amounts.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (amounts[middle] < amount) low = middle + 1;
      else high = middle;
    }
    return low === amounts.length ? this.none : this.atLeast[low];
  }
}

/** Types without a negative allocatable amount. */
export function neverNegative(allocatable: readonly Readonly<Record<string, number>>[]): Bitset {
  const set = fullBitset(allocatable.length);
  allocatable.forEach((resources, i) => {
    if (Object.values(resources).some((amount) => amount < 0)) set[i >>> 5] &= ~(1 << (i & 31));
  });
  return set;
}
