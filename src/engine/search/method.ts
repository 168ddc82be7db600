import type { Move } from '../moves/move.ts';
import type { PlannedMove } from '../plan-document.ts';
import type { BlockedMoves } from './blocked-moves.ts';
import { type Benefit, NO_BENEFIT } from './net-benefit.ts';
import type { SearchProblem } from './problem.ts';

export interface SearchBudget {
  /** Stop after this many simulated placements; the same budget gives the same moves on every machine. */
  readonly work: number;
}

export interface SearchProgress {
  readonly work: number;
  readonly benefit: Benefit;
  readonly moves: number;
}

export const NO_PROGRESS: SearchProgress = { work: 0, benefit: NO_BENEFIT, moves: 0 };

export interface SearchResult {
  /** Each can be made after those before it. */
  readonly moves: readonly Move[];
  readonly blocked: BlockedMoves;
  /** Of the merged search only. */
  readonly effort?: SearchEffort;
}

export interface SearchEffort {
  /** Candidates that were part of any trial. */
  readonly examined: number;
  /** Pods placed in trials. */
  readonly work: number;
  /** Plans composed or improved, the last perhaps in part. */
  readonly drafts: number;
}

/** A search in progress. Passing true to `next` asks for the best moves so far. */
export type Search = Generator<SearchProgress, SearchResult, boolean | undefined>;

/**
 * A way to find moves. Every method leaves the simulation as it found it, proposes only candidates of the problem, no node
 * twice, within the budgets, and the same moves for the same problem and budget.
 */
export interface Method {
  readonly name: PlannedMove['method'];
  search(problem: SearchProblem, budget: SearchBudget): Search;
}
