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

/** Ends with the best so far when it is told to stop. */
type Staged = Generator<SearchProgress, readonly Stage[], boolean | undefined>;

export interface StagedOptions {
  readonly rules: Rules;
  /** Simulated placements of the search for the first stage. */
  readonly work: number;
  /** As in `inWaves`. */
  readonly waves: number;
  /** What an earlier plan meant to do. */
  readonly order?: PlannedOrder;
  readonly held?: HeldMoves;
}

/** Those of a wave that whoever carries them out would make, each on what the ones before leave; they may become others. */
export type HeldMoves = (problem: SearchProblem, moves: readonly Move[]) => Generator<void, readonly Move[]>;

export interface StagedPlan {
  readonly stages: readonly Stage[];
  /** What is left of them if in each wave only those moves are made that are held then. */
  readonly rehearsed: readonly Stage[];
}

/**
 * Continues a plan: when its moves are made, others become possible, also of nodes that it launches. Stock's commands, one
 * after the other until it finds none, and what can be done after those, is another plan; the better one is returned, so
 * that no plan is worth less than what stock would come to. Nor is any worth less than going on with what an earlier plan meant
 * to do. Plans are compared by what is left of them in a rehearsal: stock's commands are all held, and so is an order that was
 * rehearsed before. A cluster that is too large for the work has only the first plan, and stages after it that have together as much work.
 */
export function* inStages(
  first: Stage,
  options: StagedOptions,
): Generator<SearchProgress, StagedPlan, boolean | undefined> {
  const { problem, moves } = first;
  const { work, order = [] } = options;
  const own = moves.length === 0 ? [] : [first];
  if (!isAffordable(problem, work)) {
    // A pass carries out the first wave only, and plans anew.
    if (options.waves < Infinity) return { stages: own, rehearsed: [] };
    const later = new StagedSearch({ ...options, work: Math.ceil(work / LARGE.stages) });
    return { stages: yield* later.continued(own, LARGE), rehearsed: [] };
  }
  const search = new StagedSearch({ ...options, work: Math.ceil(work * LATER) });
  const stock = yield* search.asStock(problem);
  const plans = [yield* search.continued(own)];
  // Where stock does better, so may the merged search after some of stock's commands.
  const starts = isBetter(stock, plans[0]) ? firstParts(stock) : [stock];
  if (order.length > 0) starts.unshift(yield* search.inOrder(problem, order));
  for (const start of starts) plans.push(yield* search.continued(start));
  return yield* search.bestOf(plans);
}

/** The share of the work that each stage after the first has. */
const LATER = 1 / 8;
const MOST_STARTS = 8;

/** How long a plan is continued. */
interface Until {
  /** After so many stages more. */
  readonly stages: number;
  /** After a stage that adds less than this share of the benefit. */
  readonly worthwhile: number;
}

const NOTHING_FOUND: Until = { stages: Infinity, worthwhile: 0 };
const LARGE: Until = { stages: 4, worthwhile: 0.01 };

/** All of it, and parts from its beginning, evenly. */
function firstParts(stages: readonly Stage[]): (readonly Stage[])[] {
  const most = Math.min(MOST_STARTS, stages.length);
  return Array.from({ length: most }, (_, i) => stages.slice(0, Math.ceil((stages.length * (most - i)) / most)));
}

/**
 * Whether a cluster is planned in stages: stock removes or replaces about every node once, and each of its commands costs a look
 * at every pod.
 */
export function isAffordable({ simulation: { cluster }, candidates }: SearchProblem, work: number): boolean {
  return candidates.length > 0 && candidates.length * cluster.pods.length <= work;
}

/** Passes steps of searches on, and notes when one of them is told to stop. */
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

  constructor({ rules, work, waves, held }: StagedOptions) {
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

  /** The plan of which most is left in a rehearsal. */
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
    // Stock would place those in other ways with each command.
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

/** Stock's next command in minimal moves: of the first method with one that passes every gate by itself. */
export function minimalCommand(problem: SearchProblem): readonly TimedMove[] {
  for (const { move } of proposalsOfStock(problem)) {
    const moves = minimal(problem, move);
    if (moves.length > 0) return moves;
  }
  return [];
}

/** The move or, if it falls into independent parts, those that pass every gate by themselves. */
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
  return { work: 0, netCents: benefitIn(stages).netCents, moves: stages.length };
}

function benefitIn(stages: readonly Stage[]): Benefit {
  return benefitOf(stages.flatMap(({ moves }) => moves.map(({ move }) => move)));
}

/** Cents per hour: less is not worth another plan. */
const NOISE = 1e-6;

/** More benefit, else fewer evictions. */
function isBetter(a: readonly Stage[], b: readonly Stage[]): boolean {
  const [own, other] = [benefitIn(a), benefitIn(b)];
  if (isGreater(own, other, NOISE)) return true;
  if (isGreater(other, own, NOISE)) return false;
  return evictionsOf(a) < evictionsOf(b);
}
