import type { Move } from '../policies/consolidate.ts';
import type { SearchProblem } from './problem.ts';
import { netCents, Trials } from './trials.ts';

/**
 * Makes moves of a plan again, in another order than they were found in. What one move leaves behind may be what another
 * needs (a zone that has become the emptiest, a pod gone that repels), so each is looked at anew on what stands by then.
 */
export class Replay {
  private readonly problem: SearchProblem;
  private readonly trials: Trials;
  private readonly rows: readonly number[];
  private readonly bottom: number;

  /** `moves`: all that are to be made; no pods are put on their nodes. */
  constructor(problem: SearchProblem, moves: readonly Move[]) {
    const { simulation } = problem;
    this.problem = problem;
    this.trials = new Trials(problem);
    this.rows = moves.flatMap((move) => move.candidates.map((c) => c.row));
    this.bottom = simulation.depth;
    simulation.keepPending();
    for (const row of this.rows) simulation.existing.shun(row, true);
  }

  /** The move with its pods in the same places, or as good ones, if that can be done now; then it stands. */
  keep(move: Move): Move | undefined {
    const { simulation } = this.problem;
    const { depth } = simulation;
    const kept = this.trials.again(move);
    if (kept === undefined || netCents(kept) >= netCents(move) - 1e-6) return kept;
    simulation.undoTo(depth);
    return undefined;
  }

  get depth(): number {
    return this.problem.simulation.depth;
  }

  /** Takes the last moves back until so many stand. */
  undoTo(depth: number): void {
    this.problem.simulation.undoTo(depth);
  }

  /** The cluster is as it was before. */
  close(): void {
    const { simulation } = this.problem;
    simulation.undoTo(this.bottom);
    for (const row of this.rows) simulation.existing.shun(row, false);
  }
}
