/** Sets of small integers as words of 32 bits. Functions, not a class: hot loops read the words themselves. */
export type Bitset = Uint32Array;

export function bitset(size: number): Bitset {
  return new Uint32Array((size + 31) >>> 5);
}

export function fullBitset(size: number): Bitset {
  const set = bitset(size).fill(0xffffffff);
  if ((size & 31) !== 0) set[set.length - 1] = (1 << (size & 31)) - 1;
  return set;
}

export function addBit(set: Bitset, i: number): void {
  set[i >>> 5] |= 1 << (i & 31);
}

export function removeBit(set: Bitset, i: number): void {
  set[i >>> 5] &= ~(1 << (i & 31));
}

export function hasBit(set: Bitset, i: number): boolean {
  return (set[i >>> 5] & (1 << (i & 31))) !== 0;
}

export function intersectInto(target: Bitset, other: Bitset): void {
  for (let w = 0; w < target.length; w++) target[w] &= other[w];
}

/** Faster than the array's own method for a few words. */
export function copyInto(target: Bitset, source: Bitset): void {
  for (let w = 0; w < target.length; w++) target[w] = source[w];
}

export function uniteInto(target: Bitset, other: Bitset): void {
  for (let w = 0; w < target.length; w++) target[w] |= other[w];
}

export function intersects(a: Bitset, b: Bitset): boolean {
  for (let w = 0; w < a.length; w++) if ((a[w] & b[w]) !== 0) return true;
  return false;
}

export function isEmptyBitset(set: Bitset): boolean {
  for (let w = 0; w < set.length; w++) if (set[w] !== 0) return false;
  return true;
}

/** One bit per word of the set that is not zero: lets a search skip 1,024 members at a time. */
export function summarize(set: Bitset): Bitset {
  const summary = bitset(set.length);
  for (let w = 0; w < set.length; w++) if (set[w] !== 0) addBit(summary, w);
  return summary;
}

/** Index of the lowest set bit of a word that is not zero. */
export function lowestBit(word: number): number {
  return 31 - Math.clz32(word & -word);
}

export function members(set: Bitset): number[] {
  const out: number[] = [];
  for (let w = 0; w < set.length; w++) {
    for (let word = set[w]; word !== 0; word &= word - 1) out.push((w << 5) + lowestBit(word));
  }
  return out;
}
