import type { Move } from '../policies/consolidate.ts';
import { inParts, isCompany, isEmptyDeletion, mostTogether, needsCompany, together } from './bundles.ts';
import { type Need, needsOf, Wave } from './needs.ts';
import type { SearchProblem } from './problem.ts';
import { Replay } from './replay.ts';
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
  const schedule = new Schedule(problem, moves);
  const timed: TimedMove[] = [];
  try {
    for (let wave = 1; ; wave++) {
      const commands = schedule.next();
      if (commands.length === 0) return timed;
      timed.push(...commands.map((move) => ({ move, wave })));
    }
  } finally {
    schedule.close();
  }
}

class Schedule {
  /** Most worth first. */
  private readonly moves: readonly Move[];
  private readonly done = new Set<Move>();
  private readonly needs: ReadonlyMap<Move, readonly Need[]>;
  private readonly replay: Replay;

  constructor(problem: SearchProblem, moves: readonly Move[]) {
    const needs = needsOf(problem);
    this.moves = byWorth(moves);
    this.needs = new Map(moves.map((move) => [move, needs(move)]));
    this.replay = new Replay(problem, moves);
  }

  /** The commands of the next wave in their order, empty nodes first; none if nothing can be done any more. */
  next(): readonly Move[] {
    const wave = new Wave();
    const empty = this.left(isEmptyDeletion).flatMap((move) => this.take(wave, move) ?? []);
    const jointly = this.jointly(wave);
    const others = this.left((m) => !needsCompany(m)).flatMap((move) => this.take(wave, move) ?? []);
    return [...(empty.length === 0 ? [] : [together(empty)]), ...jointly, ...others];
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
    const made = wave.takes(needs) ? this.replay.keep(move) : undefined;
    if (made === undefined) return undefined;
    wave.take(needs);
    this.done.add(move);
    return made;
  }

  /** Deletions of nodes that may only go together with others; one that would be left alone waits for the next wave. */
  private jointly(wave: Wave): readonly Move[] {
    const depth = this.replay.depth;
    const taken: { readonly move: Move; readonly made: Move }[] = [];
    const takeOne = (move: Move) => {
      const made = this.take(wave, move);
      if (made !== undefined) taken.push({ move, made });
    };
    for (const move of this.left((m) => needsCompany(m) && isCompany(m))) takeOne(move);
    for (const move of taken.length === 1 ? this.left(isCompany) : []) {
      takeOne(move);
      if (taken.length > 1) break;
    }
    const most = mostTogether(taken.map((t) => t.move));
    const alone = most === 2 ? taken.length % 2 : taken.length === 1 ? 1 : 0;
    this.replay.undoTo(depth + taken.length - alone);
    for (const { move } of taken.splice(taken.length - alone)) {
      wave.take(this.needs.get(move) as readonly Need[], -1);
      this.done.delete(move);
    }
    return taken.length === 0
      ? []
      : inParts(
          taken.map((t) => t.made),
          most,
        );
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
