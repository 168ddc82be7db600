import type { ClusterObjects } from '../../src/engine/cluster/objects.ts';
import { clusterAfter } from '../../src/engine/moves/cluster-after.ts';
import { evaluate, type FoundMove, searchMoves } from '../../src/engine/pass/evaluation.ts';
import { defaultWork } from '../../src/engine/plan.ts';
import { compile } from '../../src/engine/scheduling/compile.ts';
import { type Rules, STOCK_RULES } from '../../src/engine/settings.ts';
import { resultOf } from '../../src/engine/steps.ts';
import { evictionsOf, priceOf } from './question.ts';
import { type Duration, stopwatch } from './stopwatch.ts';

export interface Priced {
  readonly dollarsPerHour: number;
  /** Each time that a pod is moved. */
  readonly evictions: number;
}

export interface Planned extends Priced {
  readonly nodes: number;
  readonly moves: number;
  readonly took: Duration;
  /** Rows that might have been removed. */
  readonly removable: readonly number[];
}

/** Stock's settings, so that both searches have the same problem; but without its quirks. */
export const MERGED_RULES: Rules = { ...STOCK_RULES, settings: { ...STOCK_RULES.settings, compat: false } };

/** One plan of the merged search, with the work that `decant plan` gives it, and the cluster that it leads to. */
export function planMerged(objects: ClusterObjects, maxReplacements: number, mayFollow: boolean): Planned {
  const evaluation = evaluate(compile(objects, MERGED_RULES.settings), MERGED_RULES, { maxReplacements, mayFollow });
  const { problem } = evaluation;
  const elapsed = stopwatch();
  const { moves, later } = resultOf(searchMoves(evaluation, 'merged', defaultWork(problem)));
  const took = elapsed();
  const stages = [{ problem, moves }, ...later];
  const last = stages[stages.length - 1];
  const after = clusterAfter(last.problem.simulation.cluster, movesOf(last));
  return {
    dollarsPerHour: priceOf(compile(after, MERGED_RULES.settings)),
    nodes: after.nodes.length,
    evictions: stages.reduce((sum, s) => sum + evictionsOf(s.problem.simulation.cluster, movesOf(s)), 0),
    moves: stages.reduce((sum, s) => sum + s.moves.length, 0),
    took,
    removable: problem.candidates.map((c) => c.row),
  };
}

function movesOf({ moves }: { readonly moves: readonly FoundMove[] }) {
  return moves.map(({ move }) => move);
}

/** Saves less, or the same with more evictions. */
export function isBelow(own: Priced, stock: Priced): boolean {
  const more = own.dollarsPerHour - stock.dollarsPerHour;
  return Math.abs(more) < 1e-9 ? own.evictions > stock.evictions : more > 0;
}
