import type { Move } from '../moves/move.ts';
import { hostsOf } from './following.ts';
import { inParts, isEmptyDeletion, jointDeletion, mayBeJoint, mustBeJoint } from './joint-deletions.ts';
import { MoveDependencies } from './move-dependencies.ts';
import { type Benefit, benefitOf, isGreater, netCents } from './net-benefit.ts';
import type { SearchProblem } from './problem.ts';
import { Replay } from './replay.ts';
import { type BudgetUse, budgetsAfter, podUsesOf, poolUses, WaveBudgets } from './wave-budgets.ts';

/** A move and when it is made: all of one wave may run at once, the next begins when pods are ready again. */
export interface TimedMove {
  readonly move: Move;
  /** 1-based. */
  readonly wave: number;
}

/**
 * Assigns moves to waves so that each respects the NodePools' budgets of then, PodDisruptionBudgets and the brake on
 * workloads, in an order in which each can be executed. The greatest worth per unit of disruption goes first. A move
 * that alone exceeds a PodDisruptionBudget drains at the pace that the budget allows, without others in its wave. A
 * move that fits in no wave is left out. `most`: moves left after this many waves go into one more, unchecked. Pauses
 * now and then.
 */
export function* inWaves(
  problem: SearchProblem,
  moves: readonly Move[],
  most = Infinity,
): Generator<void, readonly TimedMove[]> {
  let best = yield* scheduled(problem, byWorth(moves), most);
  // Budgets in percent shrink with the pools. In the order found all can be made, as long as dependent ones keep their order.
  for (const inTurn of [largestFirst(moves), moves]) {
    if (nodesOf(best.map(({ move }) => move)) === nodesOf(moves)) break;
    const dependencies = inTurn === moves ? new MoveDependencies(problem.simulation.cluster, moves) : undefined;
    const other = yield* scheduled(problem, inTurn, most, dependencies);
    if (isGreater(benefit(other), benefit(best))) best = other;
  }
  return best;
}

function nodesOf(moves: readonly Move[]): number {
  return moves.reduce((sum, move) => sum + move.candidates.length, 0);
}

/** By worth among those that remove as many nodes. */
function largestFirst(moves: readonly Move[]): readonly Move[] {
  return byWorth(moves).toSorted((a, b) => b.candidates.length - a.candidates.length);
}

function benefit(timed: readonly TimedMove[]): Benefit {
  return benefitOf(timed.map(({ move }) => move));
}

/** The first ones go into the first wave that takes them; `dependencies` do not overtake each other. */
function* scheduled(
  problem: SearchProblem,
  moves: readonly Move[],
  most: number,
  dependencies?: MoveDependencies,
): Generator<void, readonly TimedMove[]> {
  const schedule = new Schedule(problem, moves, dependencies);
  const timed: TimedMove[] = [];
  try {
    for (let wave = 1; ; wave++) {
      const commands = wave > most ? schedule.rest() : yield* schedule.next();
      if (commands.length === 0) return timed.map((t) => ({ ...t, move: schedule.asItStands(t.move) }));
      timed.push(...commands.map((move) => ({ move, wave })));
    }
  } finally {
    schedule.close();
  }
}

class Schedule {
  private readonly moves: readonly Move[];
  private readonly done = new Set<Move>();
  /** Rows removed in earlier waves: their replacements run. */
  private readonly gone = new Set<number>();
  private readonly problem: SearchProblem;
  private readonly podUsesOf: (move: Move) => readonly BudgetUse[];
  private readonly podUses = new Map<Move, readonly BudgetUse[]>();
  /** Of pools, in this wave. */
  private budgets: SearchProblem['budgets'];
  private readonly replay: Replay;
  private readonly dependencies: MoveDependencies | undefined;

  constructor(problem: SearchProblem, moves: readonly Move[], dependencies: MoveDependencies | undefined) {
    this.problem = problem;
    this.budgets = problem.budgets;
    this.podUsesOf = podUsesOf(problem);
    this.moves = moves;
    this.dependencies = dependencies;
    this.replay = new Replay(problem, moves);
  }

  /** The commands of the next wave in order, empty nodes first; none if nothing more can be done. */
  *next(): Generator<void, readonly Move[]> {
    const wave = new WaveBudgets();
    for (const move of this.done) for (const { row } of move.candidates) this.gone.add(row);
    this.budgets = budgetsAfter(this.problem, this.done);
    const empty = yield* this.takeEach(wave, isEmptyDeletion);
    const jointly = this.jointly(wave);
    const others = yield* this.takeEach(wave, (m) => !mustBeJoint(m));
    return [...(empty.length === 0 ? [] : [jointDeletion(empty)]), ...jointly, ...others];
  }

  /** Moves without a wave. */
  rest(): readonly Move[] {
    const rest = this.left(() => true);
    for (const move of rest) this.done.add(move);
    return rest;
  }

  /** A move of a wave, with new nodes as later moves need them. */
  asItStands(move: Move): Move {
    return this.replay.asItStands(move);
  }

  close(): void {
    this.replay.close();
  }

  private left(which: (move: Move) => boolean): Move[] {
    return this.moves.filter((move) => !this.done.has(move) && which(move));
  }

  private *takeEach(wave: WaveBudgets, which: (move: Move) => boolean): Generator<void, readonly Move[]> {
    const taken: Move[] = [];
    for (const move of this.left(which)) {
      const made = this.take(wave, move);
      if (made !== undefined) taken.push(made);
      yield;
    }
    return taken;
  }

  /** Makes the move in this wave, if still possible. */
  private take(wave: WaveBudgets, move: Move): Move | undefined {
    // Pods are only looked at if the pools' budgets are not used up.
    if (!wave.allow(poolUses(this.budgets, move))) return undefined;
    const uses = this.usedBy(move);
    if (!wave.allow(uses) || this.dependencies?.isFirst(move, this.done) === false) return undefined;
    if (![...hostsOf(move)].every((row) => this.gone.has(row))) return undefined;
    const made = this.replay.keep(move);
    if (made === undefined) return undefined;
    wave.use(uses);
    this.done.add(move);
    return made;
  }

  private usedBy(move: Move): readonly BudgetUse[] {
    let uses = this.podUses.get(move);
    if (uses === undefined) {
      uses = this.podUsesOf(move);
      this.podUses.set(move, uses);
    }
    return [...poolUses(this.budgets, move), ...uses];
  }

  /** Deletions that must be joint; those that cannot wait for the next wave. */
  private jointly(wave: WaveBudgets): readonly Move[] {
    const { depth } = this.replay;
    const taken = this.left((m) => mustBeJoint(m) && mayBeJoint(m)).filter((move) => this.take(wave, move));
    for (const move of taken.length === 1 ? this.left(mayBeJoint) : []) {
      if (taken.length === 1 && this.take(wave, move) !== undefined) taken.push(move);
    }
    this.replay.undoTo(depth);
    const commands = inParts(taken).flatMap((part) => this.asOne(part));
    const gone = new Set(commands.flatMap((command) => command.candidates));
    for (const move of taken) {
      if (gone.has(move.candidates[0])) continue;
      wave.giveBack(this.usedBy(move));
      this.done.delete(move);
    }
    return commands;
  }

  /** Deletions as one command, or two: together they may not be possible at once. */
  private asOne(moves: readonly Move[]): readonly Move[] {
    const made = moves.length < 2 ? undefined : this.replay.keep(jointDeletion(moves), true);
    if (made !== undefined) return [made];
    const half = moves.length >> 1;
    return half < 2 ? [] : [...this.asOne(moves.slice(0, half)), ...this.asOne(moves.slice(half))];
  }
}

function byWorth(moves: readonly Move[]): readonly Move[] {
  const worth = new Map(
    moves.map((move) => {
      const cost = move.candidates.reduce((sum, c) => sum + c.disruptionCost, 0);
      return [move, netCents(move) / Math.max(cost, 0.01)];
    }),
  );
  const nameOf = ({ candidates }: Move) => candidates[0].name;
  return [...moves].sort(
    (a, b) => (worth.get(b) as number) - (worth.get(a) as number) || (nameOf(a) < nameOf(b) ? -1 : 1),
  );
}
