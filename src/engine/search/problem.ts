import type { PoolTotals } from '../disruption/balanced.ts';
import type { DisruptionReason } from '../disruption/budgets.ts';
import type { Candidate } from '../disruption/candidates.ts';
import type { Move } from '../moves/move.ts';
import type { Simulation } from '../scheduling/simulation.ts';

/** The input of a search: which of these nodes are worth removing, and how. */
export interface SearchProblem {
  readonly simulation: Simulation;
  /** Nodes that passed every gate for nodes. */
  readonly candidates: readonly Candidate[];
  /** What the Balanced score compares moves with. */
  readonly totals: ReadonlyMap<string, PoolTotals>;
  /** Nodes of each pool that may go at the same time, by reason. */
  readonly budgets: Readonly<Record<Exclude<DisruptionReason, 'Drifted'>, ReadonlyMap<string, number>>>;
  /** New nodes that one move may launch. */
  readonly maxReplacements: number;
  /** Whether pods may be put on nodes that earlier moves launch (the plan is then executed in its order). */
  readonly mayFollow: boolean;
  /** Pods of one workload that may be evicted in one wave; 0 is no limit. */
  readonly maxWorkloadEvictions: number;
  /** Known moves of single candidates; computed if not set. */
  readonly knownAlone?: (candidate: Candidate) => Move | undefined;
  /** Moves of an earlier search that are tried before anything new; a search finds no less than without them. */
  readonly start?: StartingMoves;
}

export interface StartingMoves {
  /** Of candidates of this problem, in an order in which they could be made. */
  readonly moves: readonly Move[];
  /** All of them can be made now: they need not be tried again. */
  readonly stand: boolean;
  /** Candidates that have changed since the moves were found. */
  readonly changed: ReadonlySet<Candidate>;
  /** Number of earlier searches, so that each tries other possibilities. */
  readonly round: number;
}
