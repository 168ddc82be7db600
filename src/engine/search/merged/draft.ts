import type { Candidate } from '../../disruption/candidates.ts';
import type { Move } from '../../moves/move.ts';
import { partOf, partsOf } from '../../moves/parts.ts';
import { hostsOf } from '../following.ts';
import { type Benefit, benefitOf, sumOf } from '../net-benefit.ts';
import type { Trials } from '../trials.ts';

export interface Step {
  readonly move: Move;
  readonly benefit: Benefit;
  /** Rows that are settled because of it. */
  readonly settled: readonly number[];
  /** Steps whose new nodes its pods joined, as they were before. */
  readonly joined: readonly { readonly index: number; readonly before: Step }[];
}

/**
 * A transaction over the simulation: moves are tried, those that are good stand, one layer each, and the last ones can be
 * undone. A node that has taken a pod stays, so that no pod moves twice.
 */
export class Draft {
  readonly trials: Trials;
  private readonly made: Step[] = [];
  /** Rows that took pods, or are gone. */
  private readonly settled: Set<number>;
  private readonly avoided = new Set<Candidate>();
  private readonly depth: number;

  /** `settled`: rows that must stay, because pods that are pending now would go there. */
  constructor(trials: Trials, settled: ReadonlySet<number>) {
    this.trials = trials;
    this.settled = new Set(settled);
    this.depth = trials.problem.simulation.depth;
  }

  get steps(): readonly Step[] {
    return this.made;
  }

  get length(): number {
    return this.made.length;
  }

  /** Of the moves that stand. */
  get benefit(): Benefit {
    return sumOf(this.made.map((step) => step.benefit));
  }

  /** The node is neither gone nor did it take pods. */
  isFree(c: Candidate): boolean {
    return !this.settled.has(c.row);
  }

  /** While a node is avoided, no pods are placed on it. */
  avoid(c: Candidate, avoided: boolean): void {
    this.trials.problem.simulation.existing.exclude(c.row, avoided);
    if (avoided) this.avoided.add(c);
    else this.avoided.delete(c);
  }

  /** Makes the best move for these nodes, if there is a good one: as several, if it falls into independent parts. */
  try(candidates: readonly Candidate[], maxReplacements: number): boolean {
    return this.make(candidates, () => this.trials.keep(candidates, maxReplacements));
  }

  /** Makes a move of another draft again, its pods in the same places. */
  tryAgain(move: Move): boolean {
    const hosts = hostsOf(move);
    if (hosts.size === 0) return this.make(move.candidates, () => this.trials.again(move));
    const indices = [...this.made.keys()].filter((i) => this.made[i].move.candidates.some((c) => hosts.has(c.row)));
    return this.tryJoining(move.candidates, indices, move.replacements.length, move);
  }

  /** Makes a move whose pods may go to the new nodes of these steps. */
  tryJoining(
    candidates: readonly Candidate[],
    indices: readonly number[],
    maxReplacements: number,
    planned?: Move,
  ): boolean {
    if (!candidates.every((c) => this.isFree(c))) return false;
    const before = indices.map((index) => this.made[index]);
    const followed = this.trials.follow(
      candidates,
      before.map((step) => step.move),
      maxReplacements,
      planned,
    );
    if (followed === undefined) return false;
    const { move, hosts } = followed;
    if (partsOf(this.trials.problem.simulation.cluster, move).length > 1) {
      this.trials.problem.simulation.undoTo(this.depth + this.length);
      return false;
    }
    indices.forEach((index, i) => {
      if (hosts[i] !== before[i].move)
        this.made[index] = { ...before[i], move: hosts[i], benefit: benefitOf([hosts[i]]) };
    });
    this.commit(
      move,
      indices.map((index, i) => ({ index, before: before[i] })),
    );
    return true;
  }

  /** Undoes the last moves until this many are left; returns them. */
  undoTo(length: number): readonly Move[] {
    const undone = this.made.splice(length);
    this.trials.problem.simulation.undoTo(this.depth + length);
    for (const { settled, joined } of undone.toReversed()) {
      for (const row of settled) this.settled.delete(row);
      for (const { index, before } of joined) if (index < length) this.made[index] = before;
    }
    return undone.map((step) => step.move);
  }

  /** Undoes everything: the cluster is as it was before. */
  close(): void {
    this.undoTo(0);
    for (const c of this.avoided) this.avoid(c, false);
  }

  private make(candidates: readonly Candidate[], attempt: () => Move | undefined): boolean {
    if (!candidates.every((c) => this.isFree(c))) return false;
    const move = attempt();
    if (move === undefined) return false;
    const { cluster } = this.trials.problem.simulation;
    const parts = partsOf(cluster, move);
    if (parts.length === 1) {
      this.commit(move, []);
      return true;
    }
    // Each part has to pass every gate by itself.
    this.trials.problem.simulation.undoTo(this.depth + this.length);
    const { length } = this;
    for (const part of parts) this.make(part, () => this.trials.again(partOf(cluster, move, part)));
    return this.length > length;
  }

  private commit(move: Move, joined: Step['joined']): void {
    const settled: number[] = [];
    for (const { row } of [...move.candidates, ...move.placements]) {
      if (row < 0 || this.settled.has(row)) continue;
      this.settled.add(row);
      settled.push(row);
    }
    this.made.push({ move, benefit: benefitOf([move]), settled, joined });
  }
}
