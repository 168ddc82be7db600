import { type Bitset, members } from '../cluster/bitset.ts';
import type { Requirement } from '../selection/requirement.ts';

/** The values of one label over instance types, numbered: as many as types if the label is the type. */
export interface NumberedValues {
  readonly count: number;
  readonly names: readonly string[];
  readonly ofType: readonly (readonly number[])[];
}

export function numbered(
  variants: readonly { readonly requirement: Requirement; readonly types: Bitset }[],
  types: number,
): NumberedValues {
  const numbers = new Map<string, number>();
  const ofType: (readonly number[])[] = new Array(types).fill([]);
  for (const variant of variants) {
    const own = [...variant.requirement.values].map((value) => {
      const number = numbers.get(value) ?? numbers.size;
      numbers.set(value, number);
      return number;
    });
    for (const type of members(variant.types)) ofType[type] = own;
  }
  return { count: numbers.size, names: [...numbers.keys()], ofType };
}

/** Counts distinct values of types. */
export class DistinctValues {
  count = 0;
  private readonly values: NumberedValues;
  private readonly seen: Uint8Array;

  /** `counts`: which values count; default: all. */
  constructor(values: NumberedValues, counts?: (value: string) => boolean) {
    this.values = values;
    this.seen = new Uint8Array(values.count);
    if (counts !== undefined) for (const [i, name] of values.names.entries()) if (!counts(name)) this.seen[i] = 1;
  }

  add(type: number): void {
    for (const value of this.values.ofType[type]) {
      if (this.seen[value] === 0) this.count++;
      this.seen[value] = 1;
    }
  }
}
