import type { Resources } from '../../engine/cluster/objects.ts';
import { isAbsent, object } from './field-value.ts';
import { quantity, unitsOf } from './quantity.ts';

/** Exact amounts in billionths, for sums that are rounded only at the end. */
export type ExactAmounts = Map<string, bigint>;

export function exactAmounts(value: unknown, path: string): ExactAmounts {
  const amounts: ExactAmounts = new Map();
  const all = object(value, path) ?? {};
  for (const name of Object.keys(all)) {
    // Go reads a null quantity as zero.
    amounts.set(name, isAbsent(all[name]) ? 0n : quantity(all[name], `${path}.${name}`));
  }
  return amounts;
}

export function roundedAmounts(amounts: ExactAmounts): Resources {
  return Object.fromEntries(Array.from(amounts, ([name, nanos]) => [name, unitsOf(name, nanos)]));
}

/** A ResourceList in the engine's units; empty if absent. */
export function resourceAmounts(value: unknown, path: string): Resources {
  return roundedAmounts(exactAmounts(value, path));
}
