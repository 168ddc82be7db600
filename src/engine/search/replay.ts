import type { Move } from '../moves/move.ts';
import { partsOf } from '../moves/parts.ts';
import { hostsOf } from './following.ts';
import { netCents } from './net-benefit.ts';
import { settlePending } from './pending.ts';
import type { SearchProblem } from './problem.ts';
import { Trials } from './trials.ts';

/**
 * Makes the moves of a plan again, in another order than they were found in. One move may depend on the effects of
 * another (a zone that has become the emptiest, a repelling pod that is gone), so each is evaluated again on the
 * current state.
 */
export class Replay {
  private readonly problem: SearchProblem;
  private readonly trials: Trials;
  private readonly rows: readonly number[];
  private readonly bottom: number;
  /** Moves with new nodes, as planned and as they are now; by a row that they remove. */
  private readonly planned = new Map<number, Move>();
  private readonly current = new Map<number, Move>();

  /** `moves`: all moves to make; no pods are placed on their nodes. */
  constructor(problem: SearchProblem, moves: readonly Move[]) {
    const { simulation } = problem;
    this.problem = problem;
    this.trials = new Trials(problem);
    this.rows = moves.flatMap((move) => move.candidates.map((c) => c.row));
    for (const move of moves) for (const { row } of move.candidates) this.planned.set(row, move);
    this.bottom = simulation.depth;
    settlePending(problem);
    for (const row of this.rows) simulation.existing.exclude(row, true);
  }

  /**
   * The move with its pods at the same destinations, or equally good ones, if still possible; then it stays. `joint`:
   * its nodes may only go together; otherwise it must not consist of independent parts.
   */
  keep(move: Move, joint = false): Move | undefined {
    const { simulation } = this.problem;
    const { depth } = simulation;
    const kept = hostsOf(move).size > 0 ? this.follow(move) : this.trials.again(move);
    if (kept === undefined) return undefined;
    const isOne = joint || partsOf(simulation.cluster, kept).length <= partsOf(simulation.cluster, move).length;
    if (isOne && netCents(kept) >= netCents(move) - 1e-6) {
      for (const { row } of move.replacements.length > 0 ? move.candidates : []) this.current.set(row, kept);
      return kept;
    }
    simulation.undoTo(depth);
    return undefined;
  }

  /** A kept move in its current form, after others may have joined its new nodes. */
  asItStands(move: Move): Move {
    return this.current.get(move.candidates[0].row) ?? move;
  }

  /** The move, if those that it follows are made and no worse than planned. */
  private follow(move: Move): Move | undefined {
    const hosts = [...new Set([...hostsOf(move)].map((row) => this.current.get(row)))];
    if (!hosts.every((host) => host !== undefined)) return undefined;
    const { simulation } = this.problem;
    const { depth } = simulation;
    const followed = this.trials.follow(move.candidates, hosts, move.replacements.length, move);
    if (followed === undefined) return undefined;
    const worse = followed.hosts.some(
      (host) => netCents(host) < netCents(this.planned.get(host.candidates[0].row) as Move) - 1e-6,
    );
    if (worse || netCents(followed.move) < netCents(move) - 1e-6) {
      simulation.undoTo(depth);
      return undefined;
    }
    for (const host of followed.hosts) for (const { row } of host.candidates) this.current.set(row, host);
    return followed.move;
  }

  get depth(): number {
    return this.problem.simulation.depth;
  }

  /** Undoes the last moves until this many are left. */
  undoTo(depth: number): void {
    this.problem.simulation.undoTo(depth);
  }

  /** Undoes everything. */
  close(): void {
    const { simulation } = this.problem;
    simulation.undoTo(this.bottom);
    for (const row of this.rows) simulation.existing.exclude(row, false);
  }
}
