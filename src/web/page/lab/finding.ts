import type { TotalRow } from '../../../lab/comparison.ts';
import { countOf, dollars } from '../../../lab/figures.ts';

/** The two ends of the Pareto front; of policies that save anything, if it is known what they save. */
export function findingInWords(rows: readonly TotalRow[]): string {
  if (new Set(rows.map(({ cost, evictions }) => `${cost.mean} ${evictions.mean}`)).size <= 1)
    return 'No difference: nothing was consolidated under any policy.';
  const front = rows.filter(({ onFront, savings }) => onFront && (savings === undefined || savings.mean > 0));
  if (front.length === 0) return 'No policy saves anything here.';
  const cheapest = front.reduce((best, row) => (row.cost.mean < best.cost.mean ? row : best));
  const calmest = front.reduce((best, row) => (row.evictions.mean < best.evictions.mean ? row : best));
  if (cheapest === calmest) return `${savesInWords(cheapest)}: nothing that was tried is cheaper or calmer.`;
  return `Cheapest: ${savesInWords(cheapest)}. Calmest: ${savesInWords(calmest)}.`;
}

function savesInWords({ policy, cost, savings, evictions }: TotalRow): string {
  const what = savings === undefined ? `costs ${dollars(cost.mean)}` : `saves ${(100 * savings.mean).toFixed(1)} %`;
  return `${policy.name} ${what} for ${countOf(evictions.mean)} eviction${evictions.mean === 1 ? '' : 's'}`;
}
