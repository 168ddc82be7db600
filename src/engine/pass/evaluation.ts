import { poolTotals } from '../disruption/balanced.ts';
import { consolidationBudgets } from '../disruption/budgets.ts';
import { isEmpty } from '../disruption/candidates.ts';
import { type Assessment, assess } from '../gates/assessment.ts';
import type { KnownVerdicts } from '../moves/alone.ts';
import type { Move } from '../moves/move.ts';
import type { PlanCoverage, PlannedMove } from '../plan-document.ts';
import type { CompiledCluster } from '../scheduling/compiled-cluster.ts';
import { Simulation } from '../scheduling/simulation.ts';
import { merged } from '../search/merged/merged.ts';
import type { SearchProgress } from '../search/method.ts';
import { totalNetCents } from '../search/net-benefit.ts';
import type { SearchProblem } from '../search/problem.ts';
import { searchAsStock } from '../search/stock/stock.ts';
import { inWaves, type TimedMove } from '../search/waves.ts';
import type { Rules } from '../settings.ts';
import { resultOf } from '../steps.ts';
import { type NodeVerdict, verdictOn } from './node-verdict.ts';

/** Every node's verdict, and the problem that a search is asked to solve. */
export interface Evaluation {
  readonly rows: readonly EvaluatedRow[];
  readonly problem: SearchProblem;
}

interface EvaluatedRow {
  readonly row: number;
  readonly verdict: NodeVerdict;
}

export interface EvaluationOptions {
  /** New nodes that one move of a search may launch; as the rules have it unless told otherwise. */
  readonly maxReplacements?: number;
  /** Pods of later moves may go to nodes that earlier ones launch. */
  readonly mayFollow?: boolean;
}

/** A move, when it is made, and by which method it was found. */
export interface FoundMove extends TimedMove {
  readonly method: PlannedMove['method'];
}

export interface SearchFindings {
  readonly moves: readonly FoundMove[];
  /** As the search found them, in an order in which they can be made. */
  readonly plan: readonly Move[];
  /** Of the merged search only. */
  readonly coverage?: PlanCoverage;
}

/** Nodes that are evaluated before others get a turn. */
const NODES_AT_ONCE = 32;

export function evaluate(cluster: CompiledCluster, rules: Rules, options?: EvaluationOptions): Evaluation {
  return resultOf(evaluateSteps(new Simulation(cluster), rules, options));
}

/** As `evaluate`, with a pause now and then. `known`: verdicts of earlier passes that stand. */
export function* evaluateSteps(
  simulation: Simulation,
  rules: Rules,
  { maxReplacements = rules.settings.maxReplacements, mayFollow = false }: EvaluationOptions = {},
  known?: KnownVerdicts,
): Generator<void, Evaluation> {
  const { cluster } = simulation;
  const assessed: (Assessment | undefined)[] = [];
  for (let row = 0; row < cluster.rows.length; row++) {
    assessed.push(cluster.rows[row].tracked ? assess(cluster, row, rules) : undefined);
    if (row % NODES_AT_ONCE === 0) yield;
  }
  const all = assessed.flatMap((a) => (a !== undefined && 'candidate' in a ? [a.candidate] : []));
  const totals = poolTotals(cluster, all);
  const budgets = consolidationBudgets(cluster.objects, cluster.rows);
  const rows: EvaluatedRow[] = [];
  for (const [row, assessment] of assessed.entries()) {
    if (assessment !== undefined)
      rows.push({ row, verdict: verdictOn(simulation, assessment, totals, budgets, rules, known) });
    if (row % NODES_AT_ONCE === 0) yield;
  }
  const candidates = rows.flatMap(({ verdict: { eligible, candidate } }) =>
    eligible && candidate !== undefined ? [candidate] : [],
  );
  const { maxWorkloadEvictions } = rules.settings;
  return {
    rows,
    problem: { simulation, candidates, totals, budgets, maxReplacements, mayFollow, maxWorkloadEvictions },
  };
}

/**
 * The moves that the search proposes, with a pause now and then. Passing true to `next` asks for the best so far. `work`:
 * simulated placements of the merged search, at most. `waves`: moves beyond this many waves are in one more.
 */
export function* searchMoves(
  { rows, problem }: Evaluation,
  search: 'karpenter' | 'merged',
  work: number,
  waves = Infinity,
): Generator<SearchProgress, SearchFindings, boolean | undefined> {
  if (search === 'karpenter') return foundByStock(rows, problem);
  const { moves: plan, effort } = yield* merged.search(problem, { work });
  const moves = inWaves(problem, plan, waves).map(
    (found): FoundMove => ({ ...found, method: found.move.candidates.every(isEmpty) ? 'emptiness' : 'merged' }),
  );
  return {
    ...(isBelowStock(moves, rows, problem) ? foundByStock(rows, problem) : { moves, plan }),
    ...(effort === undefined ? {} : { coverage: { candidates: problem.candidates.length, ...effort } }),
  };
}

function foundByStock(rows: readonly EvaluatedRow[], problem: SearchProblem): SearchFindings {
  const moveOf = new Map(rows.map(({ verdict }) => [verdict.candidate, verdict.move]));
  const found = searchAsStock({ ...problem, knownAlone: (c) => moveOf.get(c) });
  return found === undefined ? { moves: [], plan: [] } : { moves: [{ ...found, wave: 1 }], plan: [found.move] };
}

/** Nodes that stock removes in one move, at most: 100, and one more by a quirk of its own. */
const MOST_OF_STOCK = 101;

/**
 * The merged search tries much, and not everything: in odd clusters stock's one move is worth more. Where pods wait for a
 * place the two are not to be compared, because stock may remove the node that they would go to.
 */
function isBelowStock(found: readonly FoundMove[], rows: readonly EvaluatedRow[], problem: SearchProblem): boolean {
  const { candidates, simulation } = problem;
  const { pending, leaving } = simulation.cluster;
  if (pending.length + leaving.length > 0) return false;
  const cents = totalNetCents(found.map(({ move }) => move));
  // No saving is more than the price of the nodes that go. Of empty ones there may be any number.
  const prices = candidates.filter((c) => !isEmpty(c)).map((c) => c.price);
  const empty = candidates.reduce((sum, c) => sum + (isEmpty(c) ? c.price : 0), 0);
  const most = prices.sort((a, b) => b - a).slice(0, MOST_OF_STOCK);
  if (cents >= 100 * Math.max(empty, sumOf(most))) return false;
  return totalNetCents(foundByStock(rows, problem).plan) > cents + 1e-6;
}

function sumOf(amounts: readonly number[]): number {
  return amounts.reduce((sum, amount) => sum + amount, 0);
}
