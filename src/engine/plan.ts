import type { ClusterObjects } from './cluster/objects.ts';
import { poolTotals } from './disruption/balanced.ts';
import { remainingBudgets } from './disruption/budgets.ts';
import { assess, isEmpty } from './disruption/candidates.ts';
import { API_VERSION, type Plan, type PlannedMove } from './plan-document.ts';
import { plannedMove, plannedNode } from './planned.ts';
import { compile } from './scheduling/compile.ts';
import { Simulation } from './scheduling/simulation.ts';
import { type SearchProgress, searchMerged } from './search/merged.ts';
import type { SearchProblem } from './search/problem.ts';
import { searchAsStock } from './search/stock.ts';
import { inWaves } from './search/waves.ts';
import type { Rules } from './settings.ts';
import { type NodeVerdict, verdictOn } from './verdict.ts';

export interface PlanSettings {
  /** merged: the best moves that can be found; karpenter: what one pass of stock Karpenter would do now. */
  readonly search: 'karpenter' | 'merged';
  readonly rules: Rules;
  /** What reading and parsing took, to be reported. */
  readonly loadMs: number;
  /** New nodes that one move of the merged search may launch; as the rules have it unless told otherwise. */
  readonly maxReplacements?: number;
  /** Pods placed in trials of the merged search, at most; by default as many as the size of the cluster suggests. */
  readonly work?: number;
}

/** One pass over a cluster. `clock` returns milliseconds and is only used to report how long things took. */
export function plan(objects: ClusterObjects, settings: PlanSettings, clock: () => number): Plan {
  const steps = planSteps(objects, settings, clock);
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/** As `plan`, with a pause now and then. Passing true to `next` asks for the best plan so far. */
export function* planSteps(
  objects: ClusterObjects,
  settings: PlanSettings,
  clock: () => number,
): Generator<SearchProgress, Plan, boolean | undefined> {
  const started = clock();
  const { rules } = settings;
  const cluster = compile(objects, rules.settings);
  const compiled = clock();
  const simulation = new Simulation(cluster);
  const assessed = cluster.rows.map((node, row) => (node.tracked ? assess(cluster, row, rules) : undefined));
  const candidates = assessed.flatMap((a) => (a !== undefined && 'candidate' in a ? [a.candidate] : []));
  const totals = poolTotals(cluster, candidates);
  const budgets = {
    Empty: remainingBudgets(objects, cluster.rows, 'Empty'),
    Underutilized: remainingBudgets(objects, cluster.rows, 'Underutilized'),
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
    maxReplacements: settings.maxReplacements ?? rules.settings.maxReplacements,
    maxWorkloadEvictions: rules.settings.maxWorkloadEvictions,
  };
  const found =
    settings.search === 'karpenter'
      ? { moves: stockMoves(problem, rows) }
      : yield* mergedMoves(problem, settings.work ?? defaultWork(problem));
  const { moves } = found;
  const nodes = rows.map(({ row, verdict }) => plannedNode(cluster, row, verdict, rules.settings.nodeBaseCost));
  const now = nodes.reduce((sum, n) => sum + (n.centsPerHour ?? 0), 0);
  const savings = moves.reduce((sum, m) => sum + m.savingsCentsPerHour, 0);
  return {
    apiVersion: API_VERSION,
    kind: 'Plan',
    now: new Date(objects.nowMs).toISOString().replace('.000Z', 'Z'),
    search: settings.search,
    totals: {
      nodes: nodes.length,
      pods: objects.pods.length,
      centsPerHour: now,
      plannedCentsPerHour: now - savings,
      savingsCentsPerHour: savings,
      evictions: moves.reduce((sum, m) => sum + m.placements.length, 0),
      disruptionCost: moves.reduce((sum, m) => sum + m.disruptionCost, 0),
      evaluated: problem.candidates.length,
      loadMs: settings.loadMs + (compiled - started),
      elapsedMs: clock() - compiled,
    },
    ...('coverage' in found ? { coverage: found.coverage } : {}),
    moves,
    nodes,
  };
}

function stockMoves(problem: SearchProblem, rows: readonly { readonly verdict: NodeVerdict }[]): PlannedMove[] {
  const moveOf = new Map(rows.map(({ verdict }) => [verdict.candidate, verdict.move]));
  const found = searchAsStock(problem, (c) => moveOf.get(c));
  return found === undefined ? [] : [plannedMove(problem.simulation.cluster, found.move, found.method, 1)];
}

function* mergedMoves(
  problem: SearchProblem,
  work: number,
): Generator<SearchProgress, Pick<Plan, 'moves' | 'coverage'>, boolean | undefined> {
  const { cluster } = problem.simulation;
  const result = yield* searchMerged(problem, { work });
  const timed = inWaves(problem, result.moves);
  return {
    moves: timed.map(({ move, wave }) =>
      plannedMove(cluster, move, move.candidates.every(isEmpty) ? 'emptiness' : 'merged', wave),
    ),
    coverage: {
      candidates: problem.candidates.length,
      examined: result.examined,
      drafts: result.drafts,
      work: result.work,
    },
  };
}

/** Pods placed per candidate: enough for the search to have come to rest on most clusters. */
const WORK_PER_CANDIDATE = 600;
const LEAST_WORK = 60_000;

function defaultWork({ candidates }: SearchProblem): number {
  return Math.max(LEAST_WORK, candidates.length * WORK_PER_CANDIDATE);
}
