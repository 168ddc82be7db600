import { grouped, inDollars } from '../report/money.ts';
import type { TotalRow } from './comparison.ts';
import type { Estimate } from './statistics.ts';

/** Figures of a comparison as text, for terminal and pages. */

export function dollars(value: number): string {
  return inDollars(value, Math.abs(value) < 1000 ? 2 : 0);
}

/** The difference of the amounts as shown, in whole cents; the share is exact. */
export function savedInWords(cost: number, baseline: number): string {
  const saved = Number(baseline.toFixed(2)) - Number(cost.toFixed(2));
  if (Math.abs(saved) < 0.005) return 'nothing saved';
  const share = baseline === 0 ? 0 : Math.abs(1 - cost / baseline);
  const percent = `(${(share * 100).toFixed(1)} %)`;
  return saved > 0 ? `saved ${dollars(saved)} ${percent}` : `spent ${dollars(-saved)} more ${percent}`;
}

/** One decimal below 100, none above. */
export function countOf(value: number): string {
  return grouped(value.toFixed(value >= 100 || Number.isInteger(value) ? 0 : 1));
}

export function secondsInWords(seconds: number): string {
  if (seconds < 100) return `${seconds.toFixed(0)} s`;
  if (seconds < 100 * 60) return `${(seconds / 60).toFixed(0)} min`;
  if (seconds < 100 * 3600) return `${(seconds / 3600).toFixed(1)} h`;
  return `${(seconds / 86_400).toFixed(1)} d`;
}

/** Lifetime of terminated nodes; 0 if there are none. */
export function lifetime(minutes: number): string {
  return minutes === 0 ? '–' : secondsInWords(60 * minutes);
}

export function costText({ mean, margin }: Estimate): string {
  return `${dollars(mean)}${margin === undefined ? '' : ` ±${dollars(margin).slice(1)}`}`;
}

export function savingsText(savings: Estimate | undefined): string {
  if (savings === undefined) return '–';
  const { mean, margin } = savings;
  const percent = (share: number) => (100 * share).toFixed(1).replace(/^-(0\.0)$/, '$1');
  return `${percent(mean)}${margin === undefined ? '' : ` ±${percent(margin)}`} %`;
}

/** Pod-hours of evicted Jobs. */
export function lostText(podHours: number): string {
  return podHours === 0 ? '–' : `${countOf(Math.round(10 * podHours) / 10)} h`;
}

/** Cells of every policy table: name, cost, savings, evictions, lost pod-hours, re-evictions, unavailability. */
export function totalCells(row: TotalRow): string[] {
  return [
    row.policy.name,
    costText(row.cost),
    savingsText(row.savings),
    countOf(row.evictions.mean),
    lostText(row.lostPodHours.mean),
    countOf(row.reevictions.mean),
    secondsInWords(row.unavailablePodSeconds.mean),
  ];
}

/** "1 day, 3 seeds; ± is the 95 % confidence interval". */
export function extentText(days: number, seeds: number): string {
  const text = `${grouped(String(days))} ${days === 1 ? 'day' : 'days'}, ${seeds} ${seeds === 1 ? 'seed' : 'seeds'}`;
  return seeds === 1 ? text : `${text}; ± is the 95 % confidence interval`;
}
