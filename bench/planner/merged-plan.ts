import type { ClusterObjects } from '../../src/engine/cluster/objects.ts';
import { defaultWork } from '../../src/engine/plan.ts';
import { compile } from '../../src/engine/scheduling/compile.ts';
import { merged } from '../../src/engine/search/merged/merged.ts';
import { type Rules, STOCK_RULES } from '../../src/engine/settings.ts';
import { clusterAfter } from '../../test/search/cluster-after.ts';
import { evictionsOf, priceOf, questionOf } from './question.ts';
import { type Duration, stopwatch } from './stopwatch.ts';

export interface Planned {
  readonly dollarsPerHour: number;
  readonly nodes: number;
  readonly evictions: number;
  readonly moves: number;
  readonly took: Duration;
  /** Rows that might have been removed. */
  readonly removable: readonly number[];
}

/** Stock's settings, so that both searches have the same problem; but without its quirks. */
export const MERGED_RULES: Rules = { ...STOCK_RULES, settings: { ...STOCK_RULES.settings, compat: false } };
const MAX_REPLACEMENTS = 5;

/** One plan of the merged search, with the work that `decant plan` gives it, and the cluster that it leads to. */
export function planMerged(objects: ClusterObjects, mayFollow: boolean): Planned {
  const problem = questionOf(objects, MERGED_RULES, MAX_REPLACEMENTS, mayFollow);
  const { cluster } = problem.simulation;
  const elapsed = stopwatch();
  const search = merged.search(problem, { work: defaultWork(problem) });
  let step = search.next();
  while (step.done !== true) step = search.next();
  const took = elapsed();
  const { moves } = step.value;
  const after = clusterAfter(cluster, moves);
  return {
    dollarsPerHour: priceOf(compile(after, MERGED_RULES.settings)),
    nodes: after.nodes.length,
    evictions: evictionsOf(cluster, moves),
    moves: moves.length,
    took,
    removable: problem.candidates.map((c) => c.row),
  };
}
