import type { ComparedRow } from './comparison.ts';
import type { NamedPolicy } from './named-policy.ts';
import { bestForGoal, meetsGoal, outcomesOf, type TuningGoal, type TuningOutcome } from './tuning-goal.ts';

/** A workload, the settings that were tried, and the recommendation. */
export interface Tuning {
  readonly workload: string;
  readonly days: number;
  readonly seeds: number;
  readonly wish: TuningGoal;
  /** Current blocks of the NodePools. */
  readonly blocks: readonly unknown[];
  /** With `none` and the current policy. */
  readonly outcomes: readonly TuningOutcome[];
  /** The current policy. */
  readonly current: TuningOutcome;
  readonly best: TuningOutcome;
  /** Current and best policy on seeds that the search did not see. */
  readonly heldOut?: { readonly current: TuningOutcome; readonly best: TuningOutcome };
  /** The best meets the goal, on the held-out seeds if they were run. */
  readonly granted: boolean;
  /** Stopped before all settings near the best were tried. */
  readonly stopped: boolean;
}

export interface TuningInput extends Pick<Tuning, 'workload' | 'days' | 'seeds' | 'wish' | 'blocks' | 'stopped'> {
  /** All of the workload. */
  readonly rows: readonly ComparedRow[];
  /** Rows on held-out seeds: none, current, the best, and the cheapest. */
  readonly heldOutRows?: readonly ComparedRow[];
  readonly none: NamedPolicy;
  readonly current: NamedPolicy;
}

/** undefined if the baseline, or anything beside it, was not run. */
export function tuningOf({ rows, heldOutRows = [], none, current, ...rest }: TuningInput): Tuning | undefined {
  const reference = rows.find(({ policy }) => policy.name === none.name);
  if (reference === undefined) return undefined;
  const outcomes = outcomesOf(rows, reference, rest.days);
  const now = outcomes.find(({ row }) => row.policy.name === current.name);
  const tried = outcomes.filter(({ row }) => row.policy.name !== none.name && row.policy.name !== current.name);
  if (now === undefined || tried.length === 0) return undefined;
  const best = bestForGoal(rest.wish, tried);
  const heldOut = heldOutOf(heldOutRows, [none.name, current.name, best.row.policy.name], rest.days);
  const granted = meetsGoal(rest.wish, heldOut?.best ?? best);
  return { ...rest, outcomes, current: now, best, ...(heldOut === undefined ? {} : { heldOut }), granted };
}

function heldOutOf(rows: readonly ComparedRow[], names: readonly string[], days: number): Tuning['heldOut'] {
  const [none, current, best] = names.map((name) => rows.findIndex(({ policy }) => policy.name === name));
  if (none < 0 || current < 0 || best < 0) return undefined;
  const outcomes = outcomesOf(rows, rows[none], days);
  return { current: outcomes[current], best: outcomes[best] };
}
