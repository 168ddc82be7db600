import { rounded } from './comparison-document.ts';
import { policyConfiguration } from './policy-configuration.ts';
import type { Tuning } from './tuning.ts';
import type { TuningGoal, TuningOutcome } from './tuning-goal.ts';

/** The JSON of `decant tune` (docs/tune.md). Figures are means over seeds. */
export interface TuningDocument {
  readonly apiVersion: 'decant.sh/v1alpha1';
  readonly kind: 'Tuning';
  readonly workload: string;
  readonly days: number;
  readonly seeds: number;
  readonly wish: TuningGoal;
  readonly granted: boolean;
  readonly stopped: boolean;
  readonly current: TuningPoint;
  readonly recommended: TuningPoint & { readonly paste: readonly { readonly where: string; readonly text: string }[] };
  /** Figures on seeds that the search did not see; null if they were not run. */
  readonly heldOut: { readonly current: TuningPoint; readonly recommended: TuningPoint } | null;
  /** Cheapest first. */
  readonly curve: readonly TuningPoint[];
}

interface TuningPoint {
  readonly policy: string;
  readonly costDollars: number;
  readonly savedDollars: number;
  /** Share of the most that any policy saved; null if none saved anything. */
  readonly keptSavings: number | null;
  readonly evictions: number;
  readonly evictionsPerPodDay: number;
  readonly onFront: boolean;
}

export function tuningDocument(tuning: Tuning): TuningDocument {
  const { workload, days, seeds, wish, granted, stopped, outcomes, current, best, heldOut, blocks } = tuning;
  const { pieces } = policyConfiguration({ ...best.row.policy, name: 'tuned' }, blocks);
  return {
    apiVersion: 'decant.sh/v1alpha1',
    kind: 'Tuning',
    workload,
    days,
    seeds,
    wish,
    granted,
    stopped,
    current: point(current),
    recommended: { ...point(best), paste: pieces },
    heldOut: heldOut === undefined ? null : { current: point(heldOut.current), recommended: point(heldOut.best) },
    curve: byCost(outcomes).map(point),
  };
}

export function byCost(outcomes: readonly TuningOutcome[]): readonly TuningOutcome[] {
  return [...outcomes].sort((a, b) => a.row.cost.mean - b.row.cost.mean || a.row.evictions.mean - b.row.evictions.mean);
}

function point({ row, savedDollars, kept, evictionsPerPodDay }: TuningOutcome): TuningPoint {
  return {
    policy: row.policy.name,
    costDollars: rounded(row.cost.mean),
    savedDollars: rounded(savedDollars),
    keptSavings: kept === undefined ? null : rounded(kept),
    evictions: rounded(row.evictions.mean),
    evictionsPerPodDay: rounded(evictionsPerPodDay),
    onFront: row.onFront,
  };
}
