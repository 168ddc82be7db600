import { poolTotals } from '../disruption/balanced.ts';
import { consolidationBudgets } from '../disruption/budgets.ts';
import { type Candidate, isEmpty } from '../disruption/candidates.ts';
import { type Assessment, assess, refusalsByMethods } from '../gates/assessment.ts';
import { PoolReserve } from '../gates/pool-reserve.ts';
import type { KnownVerdicts } from '../moves/alone.ts';
import type { Move, Placement } from '../moves/move.ts';
import { pricedInOrder } from '../moves/move-cost.ts';
import { partsOf } from '../moves/parts.ts';
import type { PlanCoverage, PlannedMove } from '../plan-document.ts';
import type { NodeRefusal } from '../refusal.ts';
import { takenByPending } from '../scheduling/beside-pending.ts';
import type { CompiledCluster } from '../scheduling/compiled-cluster.ts';
import { Simulation } from '../scheduling/simulation.ts';
import { BlockedMoves, type ThresholdRefusal } from '../search/blocked-moves.ts';
import { isEmptyDeletion } from '../search/joint-deletions.ts';
import { merged } from '../search/merged/merged.ts';
import { NO_PROGRESS, type SearchProgress } from '../search/method.ts';
import { benefitOf, isGreater } from '../search/net-benefit.ts';
import { placesOfPending, settlePending } from '../search/pending.ts';
import type { SearchProblem } from '../search/problem.ts';
import { searchAsStock } from '../search/stock/stock.ts';
import { Trials } from '../search/trials.ts';
import { inWaves, type TimedMove } from '../search/waves.ts';
import type { Rules } from '../settings.ts';
import { pausing, resultOf } from '../steps.ts';
import { type NodeVerdict, verdictOn } from './node-verdict.ts';
import { orderOf, type PlannedOrder } from './planned-order.ts';
import { type HeldMoves, inStages, isAffordable, Stoppable } from './staged-search.ts';
import type { Stage } from './stages.ts';
import { wavesThatStand } from './standing-waves.ts';

/** Every node's verdict, and the input of the search. */
export interface Evaluation {
  readonly rows: readonly EvaluatedRow[];
  readonly problem: SearchProblem;
  readonly rules: Rules;
}

interface EvaluatedRow {
  readonly row: number;
  readonly verdict: NodeVerdict;
}

export interface EvaluationOptions {
  /** New nodes that one move of a search may launch; default: as in the rules. */
  readonly maxReplacements?: number;
  /** Pods of later moves may go to nodes that earlier ones launch. */
  readonly mayFollow?: boolean;
}

/** A move, when it is made, and by which method it was found. */
export interface FoundMove extends TimedMove {
  readonly method: PlannedMove['method'];
}

/** A stage of a plan after the first. */
export interface FoundStage extends Stage {
  readonly moves: readonly FoundMove[];
}

export interface SearchFindings {
  readonly moves: readonly FoundMove[];
  /** Moves that the caller will make now, as it will make them: those that hold of the first wave in which one does. */
  readonly first: readonly Move[];
  /** As the search found them, in an order in which they can be made. */
  readonly plan: readonly Move[];
  /** Later stages: each is planned on the cluster that the stages before it leave. */
  readonly later: readonly FoundStage[];
  /** Moves after the first wave; empty if the cluster is too large for more than one stage. */
  readonly order: PlannedOrder;
  /** For nodes that stay: the move of several nodes, blocked by the savings threshold, that came closest to its requirement. */
  readonly blocked: ReadonlyMap<Candidate, ThresholdRefusal>;
  /** Of the merged search only. */
  readonly coverage?: PlanCoverage;
}

type Found = Omit<SearchFindings, 'first'>;

const NO_REFUSALS: readonly NodeRefusal[] = [];

/** Nodes that are evaluated before others get a turn. */
const NODES_AT_ONCE = 32;

export function evaluate(cluster: CompiledCluster, rules: Rules, options?: EvaluationOptions): Evaluation {
  return resultOf(evaluateSteps(new Simulation(cluster, { gate: PoolReserve.of(cluster, rules) }), rules, options));
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
  // Both look at the same pods.
  const byMethods: (readonly NodeRefusal[])[] = [];
  for (let row = 0; row < cluster.rows.length; row++) {
    const own = cluster.rows[row].tracked ? assess(cluster, row, rules) : undefined;
    assessed.push(own);
    byMethods.push(
      own !== undefined && 'candidate' in own ? refusalsByMethods(cluster, own.candidate, rules) : NO_REFUSALS,
    );
    if (row % NODES_AT_ONCE === 0) yield;
  }
  const all = assessed.flatMap((a) => (a !== undefined && 'candidate' in a ? [a.candidate] : []));
  const totals = poolTotals(cluster, all);
  const budgets = consolidationBudgets(cluster.objects, cluster.rows);
  const rows: EvaluatedRow[] = [];
  // Every simulation places the pending pods as well, and tries those that fail again.
  const atOnce = Math.max(1, Math.floor(NODES_AT_ONCE / (1 + (2 * cluster.pending.length) / NODES_AT_ONCE)));
  for (const [row, assessment] of assessed.entries()) {
    if (assessment !== undefined)
      rows.push({ row, verdict: verdictOn(simulation, assessment, byMethods[row], totals, budgets, rules, known) });
    if (row % atOnce === 0) yield;
  }
  const candidates = rows.flatMap(({ verdict: { eligible, candidate } }) =>
    eligible && candidate !== undefined ? [candidate] : [],
  );
  const { maxWorkloadEvictions } = rules.settings;
  return {
    rows,
    rules,
    problem: { simulation, candidates, totals, budgets, maxReplacements, mayFollow, maxWorkloadEvictions },
  };
}

export interface SearchOptions {
  /** Simulated placements up to which a plan may continue in stages, if other than `work`. */
  readonly stagesWork?: number;
  /** The remaining moves of an earlier plan. */
  readonly order?: PlannedOrder;
  /** Selects the moves of a wave that the caller will make. */
  readonly held?: HeldMoves;
  /** Findings of which the problem has the starting moves, if these are in the waves that they would be in now. */
  readonly before?: SearchFindings;
}

/**
 * The moves that the search proposes, with a pause now and then. Passing true to `next` asks for the best so far. `work`:
 * simulated placements of the merged search, at most. `waves`: moves beyond this many waves are in one more.
 */
export function* searchMoves(
  { rows, problem, rules }: Evaluation,
  search: 'karpenter' | 'merged',
  work: number,
  waves = Infinity,
  { stagesWork = work, order, held = asFound, before }: SearchOptions = {},
): Generator<SearchProgress, SearchFindings, boolean | undefined> {
  if (search === 'karpenter') {
    const found = foundByStock(rows, problem);
    return { ...found, first: yield* pausing(held(problem, firstWave(found.moves)), NO_PROGRESS) };
  }
  const stoppable = new Stoppable();
  const { moves: plan, blocked, effort } = yield* stoppable.run(merged.search(problem, { work }));
  const progress = { work: effort?.work ?? 0, benefit: benefitOf(plan), moves: plan.length };
  const standing = before !== undefined && effort?.drafts === 0 ? wavesThatStand(problem, plan, before) : undefined;
  // The caller keeps the order, so later passes must be able to make it.
  const most = isAffordable(problem, stagesWork) ? Infinity : waves;
  const steps = inWaves(problem, plan, most);
  // The caller asked for all waves: it wants the plan as found, and its time may be up.
  const inTurn = standing?.timed ?? (waves === Infinity ? resultOf(steps) : yield* pausing(steps, progress));
  const priced = pricedInOrder(
    problem.simulation,
    inTurn.map(({ move }) => move),
  );
  const timed = inTurn.map(({ wave }, i) => ({ move: priced[i], wave }));
  const first: Stage = { problem, moves: timed };
  const { stages, rehearsed } = stoppable.isStopped
    ? { stages: [first], rehearsed: [] }
    : yield* inStages(first, {
        rules,
        work,
        stagesWork,
        waves: most,
        order,
        held: held === asFound ? undefined : held,
      });
  const [{ moves }, ...later] = (stages.length === 0 ? [first] : stages).map(withMethods);
  const own = {
    moves,
    plan: stages[0] === first ? plan : moves.map(({ move }) => move),
    later,
    order: orderOf(rehearsed, 2),
  };
  const byStock = betterByStock([moves, ...later.map((s) => s.moves)].flat(), rows, problem);
  const best = (waves === Infinity ? resultOf(byStock) : yield* pausing(byStock, progress)) ?? own;
  const isStanding = standing !== undefined && best === own;
  // If none of the first wave holds, the rehearsal begins with a later one, and so do the moves that the caller makes.
  const begun = best === own && rehearsed.length > 0 ? firstWave(rehearsed[0].moves) : undefined;
  const checked =
    begun ?? (yield* pausing(held(problem, isStanding ? standing.anew : firstWave(best.moves)), progress));
  return {
    ...best,
    first: isStanding && begun === undefined ? [...checked, ...standing.checked] : checked,
    blocked: blocked.without(leavingIn(best)),
    ...(effort === undefined ? {} : { coverage: { candidates: problem.candidates.length, ...effort } }),
  };
}

// biome-ignore lint/correctness/useYield: a caller that makes every move has nothing to wait for.
const asFound: HeldMoves = function* (_problem, moves) {
  return moves;
};

function firstWave(moves: readonly TimedMove[]): readonly Move[] {
  return moves.filter(({ wave }) => wave === 1).map(({ move }) => move);
}

function withMethods({ problem, moves }: Stage): FoundStage {
  return {
    problem,
    moves: moves.map((found) => ({ ...found, method: found.move.candidates.every(isEmpty) ? 'emptiness' : 'merged' })),
  };
}

function foundByStock(rows: readonly EvaluatedRow[], problem: SearchProblem): Found {
  const moveOf = new Map(rows.map(({ verdict }) => [verdict.candidate, verdict.move]));
  const blocked = new BlockedMoves(problem);
  const found = searchAsStock({ ...problem, knownAlone: (c) => moveOf.get(c) }, blocked);
  const moves = found === undefined ? [] : [{ ...found, wave: 1 }];
  const own = { moves, plan: moves.map(({ move }) => move), later: [], order: [] };
  return { ...own, blocked: blocked.without(leavingIn(own)) };
}

/** What is launched for pending pods anyway is no part of stock's move; nodes that they go to stay. */
function foundBesidePending(rows: readonly EvaluatedRow[], problem: SearchProblem): Found {
  const { simulation, candidates } = problem;
  if (takenByPending(simulation) === null) return foundByStock(rows, problem);
  const { depth } = simulation;
  const taken = new Set(simulation.keepPending().map(({ row }) => row));
  const found = foundByStock(rows, { ...problem, candidates: candidates.filter((c) => !taken.has(c.row)) });
  simulation.undoTo(depth);
  return found;
}

/** Names of the nodes that a plan removes, in any of its stages. */
export function leavingIn({ moves, later }: Pick<SearchFindings, 'moves' | 'later'>): ReadonlySet<string> {
  const all = [moves, ...later.map((stage) => stage.moves)].flat();
  return new Set(all.flatMap(({ move }) => move.candidates.map(({ name }) => name)));
}

/** Cents per hour: a plan must be better by this much to replace another. */
const NOISE = 1e-6;

/** Nodes that stock removes in one move, at most: 100, and one more by a quirk of its own. */
const MOST_OF_STOCK = 101;

/** The merged search does not try everything: in odd clusters stock's one move is worth more. */
function* betterByStock(
  found: readonly FoundMove[],
  rows: readonly EvaluatedRow[],
  problem: SearchProblem,
): Generator<void, Found | undefined> {
  const { candidates } = problem;
  const benefit = benefitOf(found.map(({ move }) => move));
  // No saving is more than the price of the nodes that go. Of empty ones there may be any number.
  const prices = candidates.filter((c) => !isEmpty(c)).map((c) => c.price);
  const empty = candidates.reduce((sum, c) => sum + (isEmpty(c) ? c.price : 0), 0);
  const most = prices.sort((a, b) => b - a).slice(0, MOST_OF_STOCK);
  if (benefit.netCents >= 100 * Math.max(empty, sumOf(most))) return undefined;
  const stock = foundBesidePending(rows, problem);
  if (!isGreater(benefitOf(stock.plan), benefit, NOISE)) return undefined;
  yield;
  const plan = stock.plan.flatMap((move) => besidePending(problem, move) ?? []);
  if (plan.length < stock.plan.length || !isGreater(benefitOf(plan), benefit, NOISE)) return undefined;
  if (!plan.every((move) => isMinimal(problem, move))) return undefined;
  return { ...stock, plan, moves: stock.moves.map((own, i) => ({ ...own, move: plan[i] })) };
}

function isMinimal({ simulation }: SearchProblem, move: Move): boolean {
  return isEmptyDeletion(move) || partsOf(simulation.cluster, move).length === 1;
}

/**
 * Stock's move beside pods that wait. Stock places these together with the pods of the nodes that it removes, but a pod that fits on
 * a node that stays is there before the move is made: then the move is made again after that. Pods that would go to the
 * nodes that the move removes are its own.
 */
function besidePending(problem: SearchProblem, move: Move): Move | undefined {
  const { simulation } = problem;
  const { pending, leaving: going, pods, facts, budgets } = simulation.cluster;
  if (pending.length + going.length === 0) return move;
  // Virtual pods hold room where they are: it is not to be moved.
  if (pending.some((pod) => pods[pod].capacityBuffer !== undefined)) return undefined;
  const removed = new Set(move.candidates.map((c) => c.row));
  const waiting = new Set(pending);
  const moved = new Set(move.placements.map(({ pod }) => pod).filter((pod) => waiting.has(pod)));
  const placed = placesOfPending(problem);
  if (placed.some(({ row }) => removed.has(row))) {
    const mayGo = (pod: number) => facts[pod].reschedulable && budgets.letsGo(pods[pod], facts[pod]);
    const isItsOwn = ({ pod, row }: Placement) => removed.has(row) && moved.has(pod) && mayGo(pod);
    return going.length === 0 && placed.length === moved.size && placed.every(isItsOwn) ? move : undefined;
  }
  const { depth } = simulation;
  settlePending(problem);
  const made = new Trials(problem).again(move);
  simulation.undoTo(depth);
  return made;
}

function sumOf(amounts: readonly number[]): number {
  return amounts.reduce((sum, amount) => sum + amount, 0);
}
