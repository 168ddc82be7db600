import type { ComparedRow } from './comparison.ts';

/** What somebody wants of a setting; at least one of the two. */
export interface Wish {
  readonly maxEvictionsPerPodDay?: number;
  /** Share of the savings that the most saving policy brings, from 0 to 1. */
  readonly keepSavings?: number;
}

/** A policy that was tried, as wishes see it. */
export interface Outcome {
  readonly row: ComparedRow;
  readonly evictionsPerPodDay: number;
  /** Against nobody consolidating; negative if it is dearer. */
  readonly savedDollars: number;
  /** Share of the most that any policy saved; undefined if none saved anything. */
  readonly kept: number | undefined;
}

/** `none`: the row of the run without consolidation. */
export function outcomesOf(rows: readonly ComparedRow[], none: ComparedRow, days: number): readonly Outcome[] {
  const saved = (row: ComparedRow) => none.cost.mean - row.cost.mean;
  const most = Math.max(0, ...rows.map(saved));
  return rows.map((row) => ({
    row,
    evictionsPerPodDay: row.evictions.mean / Math.max(1, row.pods.mean) / days,
    savedDollars: saved(row),
    kept: most > 0 ? saved(row) / most : undefined,
  }));
}

export function isGranted({ maxEvictionsPerPodDay, keepSavings }: Wish, outcome: Outcome): boolean {
  const calm = maxEvictionsPerPodDay === undefined || outcome.evictionsPerPodDay <= maxEvictionsPerPodDay;
  return calm && (keepSavings === undefined || outcome.kept === undefined || outcome.kept >= keepSavings);
}

/**
 * The best for the wish. Of those that grant it, the cheapest if evictions are limited, otherwise the calmest. If none
 * does, the one that comes nearest: few evictions if they are limited, otherwise much saved.
 */
export function bestFor(wish: Wish, outcomes: readonly Outcome[]): Outcome {
  const granted = outcomes.filter((each) => isGranted(wish, each));
  const limited = wish.maxEvictionsPerPodDay !== undefined;
  const byCost = limited === granted.length > 0;
  return (granted.length > 0 ? granted : outcomes).reduce((best, each) => {
    const cost = each.row.cost.mean - best.row.cost.mean;
    const evictions = each.row.evictions.mean - best.row.evictions.mean;
    const [first, second] = byCost ? [cost, evictions] : [evictions, cost];
    return first < 0 || (first === 0 && second < 0) ? each : best;
  });
}
