import type { Move } from '../moves/move.ts';
import { partOf, partsOf } from '../moves/parts.ts';
import { approved } from '../search/approval.ts';
import { isEmptyDeletion } from '../search/joint-deletions.ts';
import { merged } from '../search/merged/merged.ts';
import type { SearchProgress } from '../search/method.ts';
import { type Benefit, benefitOf, isGreater } from '../search/net-benefit.ts';
import type { SearchProblem } from '../search/problem.ts';
import { proposalsOfStock } from '../search/stock/stock.ts';
import { inWaves, type TimedMove } from '../search/waves.ts';
import type { Rules } from '../settings.ts';
import { resultOf } from '../steps.ts';
import { OrderAgain, orderOf, type PlannedOrder } from './planned-order.ts';
import { evictionsOf, NextStage, type Stage } from './stages.ts';

/** When asked to stop, it ends with the best stages so far. */
type Staged = Generator<SearchProgress, readonly Stage[], boolean | undefined>;

export interface StagedOptions {
  readonly rules: Rules;
  /** Simulated placements of the search for the first stage. */
  readonly work: number;
  /** A cluster that needs more simulated placements than this for its stages has almost none. */
  readonly stagesWork: number;
  /** As in `inWaves`. */
  readonly waves: number;
  /** The remaining moves of an earlier plan. */
  readonly order?: PlannedOrder;
  readonly held?: HeldMoves;
}

/** Selects the moves of a wave that the caller would execute, each checked after the ones before it; may change a move. */
export type HeldMoves = (problem: SearchProblem, moves: readonly Move[]) => Generator<void, readonly Move[]>;

export interface StagedPlan {
  readonly stages: readonly Stage[];
  /** The stages with only the moves that the caller would execute. */
  readonly rehearsed: readonly Stage[];
}

/**
 * Continues a plan in stages: after its moves are made, more moves become possible, including moves of nodes that it launches.
 * It also plans stock's commands, one after the other until stock finds none, and the rest of an earlier plan, and returns
 * the best of these plans: no result is worth less than stock's or the earlier plan's. Plans are compared after a rehearsal,
 * by the moves that the caller would execute; stock's commands and an order rehearsed before are all executed. A cluster
 * that is too large for the budget gets only the first plan and a few more stages, which share one such budget.
 */
export function* inStages(
  first: Stage,
  options: StagedOptions,
): Generator<SearchProgress, StagedPlan, boolean | undefined> {
  const { problem, moves } = first;
  const { work, stagesWork, order = [] } = options;
  const own = moves.length === 0 ? [] : [first];
  if (!isAffordable(problem, stagesWork)) {
    // A pass executes the first wave only, and plans again.
    if (options.waves < Infinity) return { stages: own, rehearsed: [] };
    const later = new StagedSearch({ ...options, work: Math.ceil(work / A_FEW.stages) });
    return { stages: yield* later.continued(own, A_FEW), rehearsed: [] };
  }
  const search = new StagedSearch({ ...options, work: Math.ceil(work * LATER) });
  const stock = yield* search.asStock(problem);
  const plans = [yield* search.continued(own)];
  // If stock's plan is better, the merged search may also do better after some of stock's commands.
  const starts = isBetter(stock, plans[0]) ? firstParts(stock) : [stock];
  if (order.length > 0) starts.unshift(yield* search.inOrder(problem, order));
  for (const start of starts) plans.push(yield* search.continued(start, A_FEW));
  return yield* search.bestOf(plans);
}

/** The share of the work that each stage after the first has. */
const LATER = 1 / 8;
const MOST_STARTS = 8;

/** When to stop adding stages to a plan. */
interface Until {
  /** After this many more stages. */
  readonly stages: number;
  /** After a stage that adds less than this share of the benefit. */
  readonly worthwhile: number;
}

const NOTHING_FOUND: Until = { stages: Infinity, worthwhile: 0 };
const A_FEW: Until = { stages: 4, worthwhile: 0.01 };

/** The whole plan and evenly spaced prefixes of it. */
function firstParts(stages: readonly Stage[]): (readonly Stage[])[] {
  const most = Math.min(MOST_STARTS, stages.length);
  return Array.from({ length: most }, (_, i) => stages.slice(0, Math.ceil((stages.length * (most - i)) / most)));
}

/**
 * Whether the budget allows planning in stages: stock removes or replaces about every node once, and each of its commands
 * simulates every pod.
 */
export function isAffordable({ simulation: { cluster }, candidates }: SearchProblem, work: number): boolean {
  return candidates.length > 0 && candidates.length * cluster.pods.length <= work;
}

/** Forwards the steps of searches, and remembers a request to stop. */
export class Stoppable {
  isStopped = false;

  *run<T>(steps: Generator<SearchProgress, T, boolean | undefined>): Generator<SearchProgress, T, boolean | undefined> {
    let step = steps.next();
    while (step.done !== true) step = steps.next(yield* this.pause(step.value));
    return step.value;
  }

  *pause(progress: SearchProgress): Generator<SearchProgress, boolean, boolean | undefined> {
    if (!this.isStopped) this.isStopped = (yield progress) === true;
    return this.isStopped;
  }
}

class StagedSearch extends Stoppable {
  private readonly rules: Rules;
  private readonly next: NextStage;
  private readonly work: number;
  private readonly waves: number;
  private readonly held: HeldMoves | undefined;

  constructor({ rules, work, waves, held }: Omit<StagedOptions, 'stagesWork'>) {
    super();
    this.held = held;
    this.rules = rules;
    this.next = new NextStage(rules);
    this.work = work;
    this.waves = waves;
  }

  /** The stages and what the merged search finds after them, stage after stage, until it finds nothing more. */
  *continued(stages: readonly Stage[], until: Until = NOTHING_FOUND): Staged {
    const all = [...stages];
    let saved = benefitIn(all).netCents;
    for (let more = until.stages; more > 0 && all.length > 0; more--) {
      if (yield* this.pause(progressOf(all))) break;
      const problem = this.next.after(all);
      const { moves } = yield* this.run(merged.search(problem, { work: this.work }));
      if (yield* this.pause(progressOf(all))) break;
      if (!add(all, problem, resultOf(inWaves(problem, moves, this.waves - 1)))) break;
      const before = saved;
      saved = benefitIn(all).netCents;
      if (saved - before < until.worthwhile * saved) break;
    }
    return all;
  }

  /** What an earlier plan meant to do. */
  *inOrder(start: SearchProblem, order: PlannedOrder): Staged {
    const all: Stage[] = [];
    const again = new OrderAgain(order);
    let problem = start;
    while (!again.isOver && !this.isStopped) {
      if (add(all, problem, again.next(problem))) problem = this.next.after(all);
      yield* this.pause(progressOf(all));
    }
    return all;
  }

  /** The plan that is worth most after a rehearsal. */
  *bestOf(plans: readonly (readonly Stage[])[]): Generator<SearchProgress, StagedPlan, boolean | undefined> {
    const [first, ...others] = plans.toSorted((a, b) => (isBetter(a, b) ? -1 : isBetter(b, a) ? 1 : 0));
    const { held } = this;
    if (held === undefined) return { stages: first, rehearsed: first };
    let best = { stages: first, rehearsed: yield* this.rehearsed(first, held) };
    for (const stages of others) {
      if (!isBetter(stages, best.rehearsed)) break;
      const rehearsed = yield* this.rehearsed(stages, held);
      if (isBetter(rehearsed, best.rehearsed)) best = { stages, rehearsed };
    }
    return best;
  }

  /** Wave by wave; each is a stage. */
  private *rehearsed(stages: readonly Stage[], held: HeldMoves): Staged {
    const all: Stage[] = [];
    const again = new OrderAgain(orderOf(stages, 1));
    while (!again.isOver && !this.isStopped) {
      const problem = all.length === 0 ? stages[0].problem : this.next.after(all);
      const moves = resultOf(held(problem, again.due(problem))).map((move) => ({ move, wave: 1 }));
      again.made(moves);
      add(all, problem, moves);
      yield* this.pause(progressOf(all));
    }
    return all;
  }

  /** Stock's commands, each a stage, found with its order of nodes and made with ours. */
  *asStock(start: SearchProblem): Staged {
    const { pending, leaving } = start.simulation.cluster;
    // Stock would place the pending pods differently for each command.
    if (pending.length + leaving.length > 0) return [];
    const next = new NextStage(this.rules, { ...this.rules.settings, nodesByName: true });
    const all: Stage[] = [];
    let problem = next.after([{ problem: start, moves: [] }]);
    while (!this.isStopped && add(all, problem, minimalCommand(problem))) {
      yield* this.pause(progressOf(all));
      problem = next.after(all);
    }
    return yield* this.inOrder(start, orderOf(all, 1));
  }
}

/** Adds a stage with these moves, if there are any. */
function add(stages: Stage[], problem: SearchProblem, moves: readonly TimedMove[]): boolean {
  if (moves.length === 0) return false;
  const before = stages.at(-1)?.moves.at(-1)?.wave ?? 0;
  stages.push({ problem, moves: moves.map(({ move, wave }) => ({ move, wave: before + wave })) });
  return true;
}

/** Stock's next command as minimal moves, from the first method that finds one which passes every gate. */
export function minimalCommand(problem: SearchProblem): readonly TimedMove[] {
  for (const { move } of proposalsOfStock(problem)) {
    const moves = minimal(problem, move);
    if (moves.length > 0) return moves;
  }
  return [];
}

/** The move or, if it consists of independent parts, the parts that pass every gate. */
function minimal(problem: SearchProblem, move: Move): readonly TimedMove[] {
  const { cluster } = problem.simulation;
  const parts = isEmptyDeletion(move) ? [move.candidates] : partsOf(cluster, move);
  if (parts.length > 1)
    return resultOf(
      inWaves(
        problem,
        parts.map((part) => partOf(cluster, move, part)),
      ),
    );
  const own = approved(problem, move);
  return own === undefined ? [] : [{ move: own, wave: 1 }];
}

function progressOf(stages: readonly Stage[]): SearchProgress {
  const moves = stages.reduce((sum, stage) => sum + stage.moves.length, 0);
  return { work: 0, benefit: benefitIn(stages), moves };
}

function benefitIn(stages: readonly Stage[]): Benefit {
  return benefitOf(stages.flatMap(({ moves }) => moves.map(({ move }) => move)));
}

/** Cents per hour: a plan must be better by this much to replace another. */
const NOISE = 1e-6;

/** More benefit, else fewer evictions. */
function isBetter(a: readonly Stage[], b: readonly Stage[]): boolean {
  const [own, other] = [benefitIn(a), benefitIn(b)];
  if (isGreater(own, other, NOISE)) return true;
  if (isGreater(other, own, NOISE)) return false;
  return evictionsOf(a) < evictionsOf(b);
}
