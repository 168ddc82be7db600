import type { ComparedRow } from './comparison.ts';

/** The goal of a tuning; at least one of the two. */
export interface TuningGoal {
  readonly maxEvictionsPerPodDay?: number;
  /** Share of the largest savings of all policies, from 0 to 1. */
  readonly keepSavings?: number;
}

/** A policy that was tried. */
export interface TuningOutcome {
  readonly row: ComparedRow;
  readonly evictionsPerPodDay: number;
  /** Against `none`; negative if it is more expensive. */
  readonly savedDollars: number;
  /** Share of the most that any policy saved; undefined if none saved anything. */
  readonly kept: number | undefined;
}

/** `none`: the row of the run without consolidation. */
export function outcomesOf(rows: readonly ComparedRow[], none: ComparedRow, days: number): readonly TuningOutcome[] {
  const saved = (row: ComparedRow) => none.cost.mean - row.cost.mean;
  const most = Math.max(0, ...rows.map(saved));
  return rows.map((row) => ({
    row,
    evictionsPerPodDay: row.evictions.mean / Math.max(1, row.pods.mean) / days,
    savedDollars: saved(row),
    kept: most > 0 ? saved(row) / most : undefined,
  }));
}

export function meetsGoal({ maxEvictionsPerPodDay, keepSavings }: TuningGoal, outcome: TuningOutcome): boolean {
  const calm = maxEvictionsPerPodDay === undefined || outcome.evictionsPerPodDay <= maxEvictionsPerPodDay;
  return calm && (keepSavings === undefined || outcome.kept === undefined || outcome.kept >= keepSavings);
}

/**
 * The best outcome. Of those that meet the goal, the cheapest if evictions are limited, otherwise the one with the fewest
 * evictions. If none does, the fewest evictions if they are limited, otherwise the largest savings.
 */
export function bestForGoal(wish: TuningGoal, outcomes: readonly TuningOutcome[]): TuningOutcome {
  const granted = outcomes.filter((each) => meetsGoal(wish, each));
  const limited = wish.maxEvictionsPerPodDay !== undefined;
  const byCost = limited === granted.length > 0;
  return (granted.length > 0 ? granted : outcomes).reduce((best, each) => {
    const cost = each.row.cost.mean - best.row.cost.mean;
    const evictions = each.row.evictions.mean - best.row.evictions.mean;
    const [first, second] = byCost ? [cost, evictions] : [evictions, cost];
    return first < 0 || (first === 0 && second < 0) ? each : best;
  });
}
