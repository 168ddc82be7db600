import { countOf, dollars } from './figures.ts';
import type { Tuning } from './tuning.ts';
import type { TuningGoal, TuningOutcome } from './tuning-goal.ts';

export function goalText({ maxEvictionsPerPodDay, keepSavings }: TuningGoal): string {
  const parts = [
    ...(maxEvictionsPerPodDay === undefined ? [] : [`at most ${maxEvictionsPerPodDay} evictions per pod and day`]),
    ...(keepSavings === undefined ? [] : [`at least ${shownPercent(keepSavings)} of the possible savings`]),
  ];
  return parts.join(' and ');
}

export function shownPercent(share: number): string {
  return `${(100 * share).toFixed(share < 0.0995 && share > -0.0995 ? 1 : 0).replace(/^-(0\.0)$/, '$1')} %`;
}

/** Evictions per pod and day, such as "0.31". */
export function perPodDay(value: number): string {
  return value === 0 ? '0' : value < 0.01 ? '<0.01' : value.toFixed(2);
}

/** The recommendation in a sentence or two. */
export function recommendationText({ heldOut, wish, granted, days, workload, ...chosen }: Tuning): string {
  const { best, current } = heldOut ?? chosen;
  const { row } = best;
  const what = granted
    ? `Recommended for ${workload}: ${row.policy.name}.`
    : `No setting that was tried meets the goal (${goalText(wish)}). Closest: ${row.policy.name}.`;
  const difference = row.cost.mean - current.row.cost.mean;
  const money =
    Math.abs(difference) < 0.005
      ? `as much as ${current.row.policy.name}`
      : `${dollars(Math.abs(difference) / days)} a day ${difference < 0 ? 'less' : 'more'} than ${current.row.policy.name}`;
  const where = heldOut === undefined ? 'It costs' : 'On seeds that the search did not see, it costs';
  return `${what} ${where} ${dollars(row.cost.mean / days)} a day, ${money}, with ${evictions(best, days)} instead of ${evictions(current, days)}.`;
}

function evictions({ row, evictionsPerPodDay }: TuningOutcome, days: number): string {
  return `${countOf(row.evictions.mean / days)} evictions a day (${perPodDay(evictionsPerPodDay)} per pod)`;
}
