import type { TotalRow } from './comparison.ts';

const LETTERS = 'abcdefghijklmnopqrstuvwxyz';
/** Used beyond the alphabet. */
const REST = '+';

/**
 * A letter for each policy in plots and tables: capitals for the front, from fewest evictions to lowest cost, then small
 * letters in the given order.
 */
export function pointLabels(rows: readonly TotalRow[]): readonly string[] {
  const order = rows.map((_, i) => i);
  const front = order
    .filter((i) => rows[i].onFront)
    .sort((a, b) => rows[a].evictions.mean - rows[b].evictions.mean || rows[b].cost.mean - rows[a].cost.mean || a - b);
  const others = order.filter((i) => !rows[i].onFront);
  const labels: string[] = [];
  [...front, ...others].forEach((row, i) => {
    const letter = LETTERS[i] ?? REST;
    labels[row] = rows[row].onFront ? letter.toUpperCase() : letter;
  });
  return labels;
}
