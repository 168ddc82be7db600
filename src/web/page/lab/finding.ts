import type { TotalRow } from '../../../lab/comparison.ts';
import { countOf } from '../../../lab/figures.ts';

/** The two ends of the Pareto front that save anything; undefined if none does. */
export function findingInWords(rows: readonly TotalRow[]): string | undefined {
  const front = rows.filter(({ onFront, savings }) => onFront && (savings?.mean ?? 0) > 0);
  if (front.length === 0) return undefined;
  const cheapest = front.reduce((best, row) => (row.cost.mean < best.cost.mean ? row : best));
  const calmest = front.reduce((best, row) => (row.evictions.mean < best.evictions.mean ? row : best));
  if (cheapest === calmest) return `${savesInWords(cheapest)}: nothing that was tried is cheaper or calmer.`;
  return `Cheapest: ${savesInWords(cheapest)}. Calmest: ${savesInWords(calmest)}.`;
}

function savesInWords({ policy, savings, evictions }: TotalRow): string {
  const percent = (100 * (savings?.mean ?? 0)).toFixed(1);
  return `${policy.name} saves ${percent} % for ${countOf(evictions.mean)} evictions`;
}
