import type { ClusterObjects } from '../../src/engine/cluster/objects.ts';
import { clusterAfter } from '../../src/engine/moves/cluster-after.ts';
import { evaluate, type FoundMove, type FoundStage, searchMoves } from '../../src/engine/pass/evaluation.ts';
import { type PlanSettings, plan } from '../../src/engine/plan.ts';
import type { Plan } from '../../src/engine/plan-document.ts';
import { compile } from '../../src/engine/scheduling/compile.ts';
import { merged } from '../../src/engine/search/merged/merged.ts';
import type { SearchResult } from '../../src/engine/search/method.ts';
import type { SearchProblem } from '../../src/engine/search/problem.ts';
import type { Rules } from '../../src/engine/settings.ts';

/** Enough for the small clusters of tests to converge. */
const WORK = 20_000;
/** Enough for a plan that has been improved a little: laws hold of every plan. */
export const LITTLE_WORK = 2000;

export function planOf(objects: ClusterObjects, rules: Rules, settings: Partial<PlanSettings> = {}): Plan {
  return plan(objects, { search: 'merged', rules, loadMs: 0, work: WORK, ...settings }, () => 0);
}

/** The question that `plan` puts to the search. */
export function problemOf(objects: ClusterObjects, rules: Rules): SearchProblem {
  return evaluate(compile(objects, rules.settings), rules).problem;
}

/** Runs the search for at most this many steps, then asks for the best so far. */
export function search(problem: SearchProblem, work = WORK, steps = Infinity): SearchResult {
  return lastOf(merged.search(problem, { work }), steps);
}

export interface Searched {
  readonly problem: SearchProblem;
  /** Of the first stage, as the plan has them, in its order. */
  readonly moves: readonly FoundMove[];
  /** All of it, the first stage too. */
  readonly stages: readonly FoundStage[];
}

export function searched(
  objects: ClusterObjects,
  rules: Rules,
  work = WORK,
  kind: Plan['search'] = 'merged',
): Searched {
  const evaluation = evaluate(compile(objects, rules.settings), rules);
  const { problem } = evaluation;
  const { moves, later } = lastOf(searchMoves(evaluation, kind, work));
  return { problem, moves, stages: [{ problem, moves }, ...later] };
}

function lastOf<T>(run: Generator<unknown, T, boolean | undefined>, steps = Infinity): T {
  for (let step = run.next(), i = 1; ; step = run.next(i >= steps), i++) if (step.done === true) return step.value;
}

/** The cluster after a merged plan has been executed. */
export function clusterAfterPlan(objects: ClusterObjects, rules: Rules, prefix = 'new'): ClusterObjects {
  return afterStages(searched(objects, rules).stages, prefix);
}

export function afterStages(stages: readonly FoundStage[], prefix?: string): ClusterObjects {
  const { problem, moves } = stages[stages.length - 1];
  const all = moves.map((t) => t.move);
  return clusterAfter(problem.simulation.cluster, all, (move, k) => `${prefix}-${move}-${k}`);
}
