import { type Figures, found, type Run } from './figures.ts';

/** What calm is held to on every workload, against stock (Evictions above those of `none`). */
export const MOST_COST = 1.02;
export const MOST_EVICTIONS = 0.5;

export interface Missed {
  readonly cost: boolean;
  readonly evictions: boolean;
}

/** Interruptions and drains evict whatever the policy, and are not counted. */
export function evictionsOf(run: Figures, none: Figures): number {
  return Math.max(0, run.evictions - none.evictions);
}

/** The goals that a policy misses on a workload. */
export function missed(runs: readonly Run[], workload: string, policy: string): Missed {
  const [none, stock, own] = ['none', 'stock', policy].map((name) => found(runs, workload, name));
  return {
    cost: own.costDollars > MOST_COST * stock.costDollars,
    evictions: evictionsOf(own, none) > MOST_EVICTIONS * evictionsOf(stock, none),
  };
}

/** Workloads on which calm misses a goal. */
export function workloadsMissed(runs: readonly Run[]): readonly string[] {
  return workloadsOf(runs).filter((workload) => {
    const { cost, evictions } = missed(runs, workload, 'calm');
    return cost || evictions;
  });
}

export function workloadsOf(runs: readonly Run[]): readonly string[] {
  return [...new Set(runs.map(({ workload }) => workload))];
}
