import { poolTotals } from './disruption/balanced.ts';
import { remainingBudgets } from './disruption/budgets.ts';
import { assess, isEmpty } from './disruption/candidates.ts';
import type { PlanCoverage, PlannedMove } from './plan-document.ts';
import type { CompiledCluster } from './scheduling/compiled-cluster.ts';
import { Simulation } from './scheduling/simulation.ts';
import { type SearchProgress, searchMerged } from './search/merged.ts';
import type { SearchProblem } from './search/problem.ts';
import { searchAsStock } from './search/stock.ts';
import { inWaves, type TimedMove } from './search/waves.ts';
import type { Rules } from './settings.ts';
import { type NodeVerdict, verdictOn } from './verdict.ts';

/** A cluster looked over: what each node is told, and the question that a search is asked. */
export interface Survey {
  readonly rows: readonly SurveyedRow[];
  readonly problem: SearchProblem;
}

interface SurveyedRow {
  readonly row: number;
  readonly verdict: NodeVerdict;
}

/** A move, when it is made, and by which method it was found. */
export interface FoundMove extends TimedMove {
  readonly method: PlannedMove['method'];
}

export interface SearchFindings {
  readonly moves: readonly FoundMove[];
  /** Of the merged search only. */
  readonly coverage?: PlanCoverage;
}

export function survey(
  cluster: CompiledCluster,
  rules: Rules,
  maxReplacements = rules.settings.maxReplacements,
): Survey {
  const simulation = new Simulation(cluster);
  const assessed = cluster.rows.map((node, row) => (node.tracked ? assess(cluster, row, rules) : undefined));
  const candidates = assessed.flatMap((a) => (a !== undefined && 'candidate' in a ? [a.candidate] : []));
  const totals = poolTotals(cluster, candidates);
  const budgets = {
    Empty: remainingBudgets(cluster.objects, cluster.rows, 'Empty'),
    Underutilized: remainingBudgets(cluster.objects, cluster.rows, 'Underutilized'),
  };
  const rows = assessed.flatMap((a, row) =>
    a === undefined ? [] : [{ row, verdict: verdictOn(simulation, a, totals, budgets, rules) }],
  );
  const problem: SearchProblem = {
    simulation,
    candidates: rows.flatMap(({ verdict: { eligible, candidate } }) =>
      eligible && candidate !== undefined ? [candidate] : [],
    ),
    totals,
    budgets,
    maxReplacements,
    maxWorkloadEvictions: rules.settings.maxWorkloadEvictions,
  };
  return { rows, problem };
}

/**
 * The moves that the search proposes, with a pause now and then. Passing true to `next` asks for the best so far. `work`:
 * pods placed in trials of the merged search, at most.
 */
export function* searchMoves(
  { rows, problem }: Survey,
  search: 'karpenter' | 'merged',
  work: number,
): Generator<SearchProgress, SearchFindings, boolean | undefined> {
  if (search === 'karpenter') {
    const moveOf = new Map(rows.map(({ verdict }) => [verdict.candidate, verdict.move]));
    const found = searchAsStock(problem, (c) => moveOf.get(c));
    return { moves: found === undefined ? [] : [{ ...found, wave: 1 }] };
  }
  const result = yield* searchMerged(problem, { work });
  return {
    moves: inWaves(problem, result.moves).map((timed) => ({
      ...timed,
      method: timed.move.candidates.every(isEmpty) ? 'emptiness' : 'merged',
    })),
    coverage: {
      candidates: problem.candidates.length,
      examined: result.examined,
      drafts: result.drafts,
      work: result.work,
    },
  };
}
