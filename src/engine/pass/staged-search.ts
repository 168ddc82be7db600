import type { Move } from '../moves/move.ts';
import { partOf, partsOf } from '../moves/parts.ts';
import { approved } from '../search/approval.ts';
import { isEmptyDeletion } from '../search/joint-deletions.ts';
import { merged } from '../search/merged/merged.ts';
import type { SearchProgress } from '../search/method.ts';
import { type Benefit, benefitOf, isGreater } from '../search/net-benefit.ts';
import type { SearchProblem } from '../search/problem.ts';
import { searchAsStock } from '../search/stock/stock.ts';
import { inWaves, type TimedMove } from '../search/waves.ts';
import type { Rules } from '../settings.ts';
import { resultOf } from '../steps.ts';
import { OrderAgain, type PlannedOrder } from './planned-order.ts';
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
}

/**
 * Continues a plan: when its moves are made, others become possible, also of nodes that it launches. Stock's commands, one
 * after the other until it finds none, and what can be done after those, is another plan; the better one is returned, so
 * that no plan is worth less than what stock would come to. Nor is any worth less than going on with what an earlier plan meant
 * to do. A cluster that is too large for the work has only the first plan, and stages after it that have together as much work.
 */
export function* inStages(first: Stage, options: StagedOptions): Staged {
  const { problem, moves } = first;
  const { work, order = [] } = options;
  const own = moves.length === 0 ? [] : [first];
  if (!isAffordable(problem, work)) {
    // A pass carries out the first wave only, and plans anew.
    if (options.waves < Infinity) return own;
    return yield* new StagedSearch({ ...options, work: Math.ceil(work / LARGE.stages) }).continued(own, LARGE);
  }
  const search = new StagedSearch({ ...options, work: Math.ceil(work * LATER) });
  const stock = yield* search.asStock(problem);
  let best = yield* search.continued(own);
  // Where stock does better, so may the merged search after some of stock's commands.
  const starts = isBetter(stock, best) ? firstParts(stock) : [stock];
  if (order.length > 0) starts.unshift(yield* search.inOrder(problem, order));
  for (const start of starts) {
    const other = yield* search.continued(start);
    if (isBetter(other, best)) best = other;
  }
  return best;
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
  private readonly next: NextStage;
  private readonly work: number;
  private readonly waves: number;

  constructor({ rules, work, waves }: StagedOptions) {
    super();
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

  /** Stock's commands, each a stage. */
  *asStock(start: SearchProblem): Staged {
    const all: Stage[] = [];
    const { pending, leaving } = start.simulation.cluster;
    // Stock would place those in other ways with each command.
    if (pending.length + leaving.length > 0) return all;
    for (let problem = start; !this.isStopped; problem = this.next.after(all)) {
      const found = searchAsStock(problem);
      if (found === undefined || !add(all, problem, minimal(problem, found.move))) break;
      yield* this.pause(progressOf(all));
    }
    return all;
  }
}

/** Adds a stage with these moves, if there are any. */
function add(stages: Stage[], problem: SearchProblem, moves: readonly TimedMove[]): boolean {
  if (moves.length === 0) return false;
  const before = stages.at(-1)?.moves.at(-1)?.wave ?? 0;
  stages.push({ problem, moves: moves.map(({ move, wave }) => ({ move, wave: before + wave })) });
  return true;
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
