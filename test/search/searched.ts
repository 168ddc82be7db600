import type { ClusterObjects } from '../../src/engine/cluster/objects.ts';
import { poolTotals } from '../../src/engine/disruption/balanced.ts';
import { remainingBudgets } from '../../src/engine/disruption/budgets.ts';
import { assess } from '../../src/engine/disruption/candidates.ts';
import { type PlanSettings, plan } from '../../src/engine/plan.ts';
import type { Plan } from '../../src/engine/plan-document.ts';
import { compile } from '../../src/engine/scheduling/compile.ts';
import { Simulation } from '../../src/engine/scheduling/simulation.ts';
import { clusterAfter } from '../../src/engine/search/after.ts';
import { type SearchResult, searchMerged } from '../../src/engine/search/merged.ts';
import type { SearchProblem } from '../../src/engine/search/problem.ts';
import { inWaves, type TimedMove } from '../../src/engine/search/waves.ts';
import type { Rules } from '../../src/engine/settings.ts';
import { verdictOn } from '../../src/engine/verdict.ts';

/** Enough for the small clusters of tests to come to rest. */
const WORK = 20_000;
/** Enough for a plan that has been improved a little: laws hold of every plan. */
export const LITTLE_WORK = 2000;

export function planOf(objects: ClusterObjects, rules: Rules, settings: Partial<PlanSettings> = {}): Plan {
  return plan(objects, { search: 'merged', rules, loadMs: 0, work: WORK, ...settings }, () => 0);
}

/** The question that `plan` puts to the search. */
export function problemOf(objects: ClusterObjects, rules: Rules): SearchProblem {
  const cluster = compile(objects, rules.settings);
  const simulation = new Simulation(cluster);
  const assessed = cluster.rows.flatMap((node, row) => (node.tracked ? [assess(cluster, row, rules)] : []));
  const all = assessed.flatMap((a) => ('candidate' in a ? [a.candidate] : []));
  const totals = poolTotals(cluster, all);
  const budgets = {
    Empty: remainingBudgets(objects, cluster.rows, 'Empty'),
    Underutilized: remainingBudgets(objects, cluster.rows, 'Underutilized'),
  };
  const candidates = assessed.flatMap((a) => {
    const { eligible, candidate } = verdictOn(simulation, a, totals, budgets, rules);
    return eligible && candidate !== undefined ? [candidate] : [];
  });
  const { maxReplacements, maxWorkloadEvictions } = rules.settings;
  return { simulation, candidates, totals, budgets, maxReplacements, maxWorkloadEvictions };
}

/** Runs the search for at most so many steps, then asks for the best so far. */
export function search(problem: SearchProblem, work = WORK, steps = Infinity): SearchResult {
  const run = searchMerged(problem, { work });
  for (let step = run.next(), i = 1; ; step = run.next(i >= steps), i++) if (step.done === true) return step.value;
}

export interface Searched {
  readonly problem: SearchProblem;
  /** As the plan has them, in its order. */
  readonly moves: readonly TimedMove[];
}

export function searched(objects: ClusterObjects, rules: Rules, work = WORK): Searched {
  const problem = problemOf(objects, rules);
  return { problem, moves: inWaves(problem, search(problem, work).moves) };
}

/** The cluster when a merged plan has been carried out. */
export function clusterAfterPlan(objects: ClusterObjects, rules: Rules, prefix?: string): ClusterObjects {
  const { problem, moves } = searched(objects, rules);
  return clusterAfter(
    problem.simulation.cluster,
    moves.map((t) => t.move),
    prefix,
  );
}
