import type { Move } from '../policies/consolidate.ts';
import { inParts, isCompany, isEmptyDeletion, needsCompany, together } from './bundles.ts';
import { hostsOf } from './following.ts';
import { type Need, needsOf, Wave } from './needs.ts';
import type { SearchProblem } from './problem.ts';
import { Replay } from './replay.ts';
import { Touching } from './touching.ts';
import { netCents } from './trials.ts';

/** A move and when it is made: all of one wave may run at once, the next begins when pods are ready again. */
export interface TimedMove {
  readonly move: Move;
  /** From 1. */
  readonly wave: number;
}

/**
 * Puts moves into waves so that each respects what NodePools' budgets, PodDisruptionBudgets and the brake on workloads
 * leave now, in an order in which each can be made when its turn comes. What is worth most per unit of disruption goes
 * first. A move that alone takes more of a PodDisruptionBudget than it leaves drains at the pace that the budget allows,
 * with nobody else beside it. A move that can be made in no wave is left out.
 */
export function inWaves(problem: SearchProblem, moves: readonly Move[]): readonly TimedMove[] {
  const best = scheduled(problem, byWorth(moves));
  const nodes = (timed: readonly TimedMove[]) => timed.reduce((sum, { move }) => sum + move.candidates.length, 0);
  if (nodes(best) === moves.reduce((sum, move) => sum + move.candidates.length, 0)) return best;
  // As they were found they can all be made, as long as those that have to do with each other keep their order.
  const asFound = scheduled(problem, moves, new Touching(problem.simulation.cluster, moves));
  return worth(asFound) > worth(best) ? asFound : best;
}

function worth(timed: readonly TimedMove[]): number {
  return timed.reduce((sum, { move }) => sum + netCents(move), 0);
}

/** Those that come first are put into the first wave that takes them; `touching` do not overtake each other. */
function scheduled(problem: SearchProblem, moves: readonly Move[], touching?: Touching): readonly TimedMove[] {
  const schedule = new Schedule(problem, moves, touching);
  const timed: TimedMove[] = [];
  try {
    for (let wave = 1; ; wave++) {
      const commands = schedule.next();
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
  /** Rows that went in earlier waves: what was launched for them runs. */
  private readonly gone = new Set<number>();
  private readonly needs: ReadonlyMap<Move, readonly Need[]>;
  private readonly replay: Replay;
  private readonly touching: Touching | undefined;

  constructor(problem: SearchProblem, moves: readonly Move[], touching: Touching | undefined) {
    const needs = needsOf(problem);
    this.moves = moves;
    this.touching = touching;
    this.needs = new Map(moves.map((move) => [move, needs(move)]));
    this.replay = new Replay(problem, moves);
  }

  /** The commands of the next wave in their order, empty nodes first; none if nothing can be done any more. */
  next(): readonly Move[] {
    const wave = new Wave();
    for (const move of this.done) for (const { row } of move.candidates) this.gone.add(row);
    const empty = this.left(isEmptyDeletion).flatMap((move) => this.take(wave, move) ?? []);
    const jointly = this.jointly(wave);
    const others = this.left((m) => !needsCompany(m)).flatMap((move) => this.take(wave, move) ?? []);
    return [...(empty.length === 0 ? [] : [together(empty)]), ...jointly, ...others];
  }

  /** A move of a wave, its new nodes as those need them that follow it in later ones. */
  asItStands(move: Move): Move {
    return this.replay.asItStands(move);
  }

  close(): void {
    this.replay.close();
  }

  private left(which: (move: Move) => boolean): Move[] {
    return this.moves.filter((move) => !this.done.has(move) && which(move));
  }

  /** Makes the move in this wave, if it still can be. */
  private take(wave: Wave, move: Move): Move | undefined {
    const needs = this.needs.get(move) as readonly Need[];
    if (!wave.takes(needs) || this.touching?.isFirst(move, this.done) === false) return undefined;
    if (![...hostsOf(move)].every((row) => this.gone.has(row))) return undefined;
    const made = this.replay.keep(move);
    if (made === undefined) return undefined;
    wave.take(needs);
    this.done.add(move);
    return made;
  }

  /** Deletions of nodes that may only go together with others; those that cannot wait for the next wave. */
  private jointly(wave: Wave): readonly Move[] {
    const { depth } = this.replay;
    const taken = this.left((m) => needsCompany(m) && isCompany(m)).filter((move) => this.take(wave, move));
    for (const move of taken.length === 1 ? this.left(isCompany) : []) {
      if (taken.length === 1 && this.take(wave, move) !== undefined) taken.push(move);
    }
    this.replay.undoTo(depth);
    const commands = inParts(taken).flatMap((part) => this.asOne(part));
    const gone = new Set(commands.flatMap((command) => command.candidates));
    for (const move of taken) {
      if (gone.has(move.candidates[0])) continue;
      wave.take(this.needs.get(move) as readonly Need[], -1);
      this.done.delete(move);
    }
    return commands;
  }

  /** Deletions as one command, or two: what each can do alone they may not be able to do at once. */
  private asOne(moves: readonly Move[]): readonly Move[] {
    const made = moves.length < 2 ? undefined : this.replay.keep(together(moves));
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
