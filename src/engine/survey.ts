import { poolTotals } from './disruption/balanced.ts';
import { consolidationBudgets } from './disruption/budgets.ts';
import { isEmpty } from './disruption/candidates.ts';
import { type Assessment, assess } from './gates/assessment.ts';
import type { PlanCoverage, PlannedMove } from './plan-document.ts';
import type { CompiledCluster } from './scheduling/compiled-cluster.ts';
import { Simulation } from './scheduling/simulation.ts';
import { merged } from './search/merged/merged.ts';
import type { SearchProgress } from './search/method.ts';
import { totalNetCents } from './search/net-benefit.ts';
import type { SearchProblem } from './search/problem.ts';
import { searchAsStock } from './search/stock/stock.ts';
import { inWaves, type TimedMove } from './search/waves.ts';
import type { Rules } from './settings.ts';
import type { SurveyMemory } from './survey-memory.ts';
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

/** `memory`: of the look before, for those who look at a cluster again and again. */
export function survey(
  cluster: CompiledCluster,
  rules: Rules,
  maxReplacements = rules.settings.maxReplacements,
  mayFollow = false,
  memory?: SurveyMemory,
): Survey {
  memory?.begin(cluster);
  const simulation = new Simulation(cluster);
  const assessed = cluster.rows.map((node, row): Assessment | undefined => {
    if (!node.tracked) return undefined;
    const assessment = assess(cluster, row, rules);
    if ('refusals' in assessment || memory === undefined) return assessment;
    return { candidate: memory.recognized(assessment.candidate) };
  });
  const candidates = assessed.flatMap((a) => (a !== undefined && 'candidate' in a ? [a.candidate] : []));
  const totals = poolTotals(cluster, candidates);
  const budgets = consolidationBudgets(cluster.objects, cluster.rows);
  const rows = assessed.flatMap((a, row) =>
    a === undefined ? [] : [{ row, verdict: verdictOn(simulation, a, totals, budgets, rules, memory) }],
  );
  const problem: SearchProblem = {
    simulation,
    candidates: rows.flatMap(({ verdict: { eligible, candidate } }) =>
      eligible && candidate !== undefined ? [candidate] : [],
    ),
    totals,
    budgets,
    maxReplacements,
    mayFollow,
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
  if (search === 'karpenter') return { moves: stockMoves(rows, problem) };
  const { moves, effort } = yield* merged.search(problem, { work });
  const timed = inWaves(problem, moves).map(
    (found): FoundMove => ({ ...found, method: found.move.candidates.every(isEmpty) ? 'emptiness' : 'merged' }),
  );
  return {
    moves: noWorseThanStock(timed, rows, problem),
    ...(effort === undefined ? {} : { coverage: { candidates: problem.candidates.length, ...effort } }),
  };
}

function stockMoves(rows: readonly SurveyedRow[], problem: SearchProblem): readonly FoundMove[] {
  const moveOf = new Map(rows.map(({ verdict }) => [verdict.candidate, verdict.move]));
  const found = searchAsStock({ ...problem, knownAlone: (c) => moveOf.get(c) });
  return found === undefined ? [] : [{ ...found, wave: 1 }];
}

/**
 * The merged search tries much, and not everything: in odd clusters stock's one move is worth more. Where pods wait for a
 * place the two are not to be compared, because stock may remove the node that they would go to.
 */
function noWorseThanStock(
  found: readonly FoundMove[],
  rows: readonly SurveyedRow[],
  problem: SearchProblem,
): readonly FoundMove[] {
  const { pending, leaving } = problem.simulation.cluster;
  if (pending.length + leaving.length > 0) return found;
  const worth = (moves: readonly FoundMove[]) => totalNetCents(moves.map(({ move }) => move));
  const stock = stockMoves(rows, problem);
  return worth(stock) > worth(found) + 1e-6 ? stock : found;
}
