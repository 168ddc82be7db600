import type { TotalRow } from '../../../lab/comparison.ts';

/** The policy with the least cost if each eviction counts this many cents; among equals the one with fewer evictions. */
export function chosenRow<R extends Pick<TotalRow, 'cost' | 'evictions'>>(
  rows: readonly R[],
  centsPerEviction: number,
): R | undefined {
  const worth = ({ cost, evictions }: R) => cost.mean + (centsPerEviction / 100) * evictions.mean;
  return [...rows].sort((a, b) => worth(a) - worth(b) || a.evictions.mean - b.evictions.mean).at(0);
}

/** The slider's positions: free, then from a tenth of a cent to ten dollars in even ratios. */
export const POSITIONS = 41;

export function centsAt(position: number): number {
  if (position <= 0) return 0;
  return Number((0.1 * 10_000 ** ((position - 1) / (POSITIONS - 2))).toPrecision(2));
}
