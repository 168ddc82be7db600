import { count } from '../../report/money.ts';
import type { ComparedRow } from '../comparison.ts';
import { countOf, dollars } from '../figures.ts';
import type { RecordedFigures } from './replay.ts';

/** The policy that the cluster is taken to have been under. */
const PRESENT = 'stock';

/**
 * What each policy would have changed, in words. The uncertainty is that of the seeds and, on top, what the simulation of stock
 * misses the record by: a simulation that gets the present wrong by 2 % says nothing about a saving of 1 %.
 */
export function againstRecord(recorded: RecordedFigures, rows: readonly ComparedRow[]): readonly string[] {
  const { days, costDollars, evictions } = recorded;
  const present = rows.find(({ policy }) => policy.name === PRESENT);
  const missed = {
    dollars: present === undefined ? 0 : present.cost.mean - costDollars,
    evictions: present === undefined ? 0 : present.evictions.mean - evictions,
  };
  const others = rows.filter(({ policy }) => policy.controller !== 'none' && policy.name !== PRESENT);
  const lines = others.map(({ policy, cost, evictions: evicted }) => {
    const margin = (cost.margin ?? 0) + Math.abs(missed.dollars);
    const more = (evicted.margin ?? 0) + Math.abs(missed.evictions);
    const costChange = `${money(cost.mean - costDollars)} (±${dollars(margin)})`;
    return `${policy.name}: ${costChange}, ${pods(evicted.mean - evictions)} (±${countOf(more)})`;
  });
  const check =
    present === undefined
      ? []
      : [
          `Simulated ${PRESENT}: ${money(missed.dollars)}, ${pods(missed.evictions)}. If that was the policy of the cluster, this is the error of the simulation; each ± includes it and the 95 % interval of the seeds.`,
        ];
  return [
    `Recorded in ${days} days: ${dollars(costDollars)}, ${count(evictions, 'eviction')}. Against that:`,
    ...lines,
    ...check,
  ];
}

function money(value: number): string {
  return `${dollars(Math.abs(value))} ${value > 0 ? 'more' : 'less'}`;
}

function pods(value: number): string {
  return `${countOf(Math.abs(value))} ${value > 0 ? 'more' : 'fewer'} evictions`;
}
