import type { PlanCoverage } from '../engine/plan-document.ts';
import type { Refusal } from '../engine/refusal.ts';
import type { AdaptiveLevel } from './adaptive-threshold.ts';
import type { Action } from './cluster-port.ts';
import type { BlockingFact, Command } from './command.ts';
import type { PoolGovernance } from './governance.ts';

/** What one tick came to, as data: metrics, events and status are made of it elsewhere. */
export interface ReconcileReport {
  /** When to tick again even if nothing happens; undefined: not before something does. */
  readonly wakeAtMs: number | undefined;
  /** Whatever happens, nothing is done before then: no command is open, and it is not time for a pass. */
  readonly restUntilMs?: number;
  /** Commands that entered a phase, or whose undoing began, in order. */
  readonly transitions: readonly Command[];
  /** Actions that were not carried out; they are tried again. */
  readonly failures: readonly ActionFailure[];
  /** Open commands that are held up, and by what. */
  readonly held: ReadonlyMap<string, string>;
  /** Every pool, by name. */
  readonly poolGovernance: ReadonlyMap<string, PoolGovernance>;
  /** With an adaptive threshold: the level of every pool that we may act on, and why it is there. */
  readonly thresholds?: ReadonlyMap<string, AdaptiveLevel>;
  /** Set if the cluster was looked over. */
  readonly pass?: PassReport;
  /** Otherwise: why not. */
  readonly idle?: Idleness;
}

export interface ActionFailure {
  readonly action: Action;
  readonly error: unknown;
}

export type Idleness =
  /** Not everything is known. */
  | { readonly code: 'unsynced' }
  /** Nothing has changed since the last pass, or that was only just now. */
  | { readonly code: 'paused' }
  /** Every pool that we may act on has a command that has not come to draining yet. */
  | { readonly code: 'busy' }
  | Extract<Refusal, { code: 'stabilization' }>;

export interface PassReport {
  /** Nodes, by the code of each refusal that they got. */
  readonly refusals: ReadonlyMap<string, number>;
  /** Nodes that the savings threshold kept, by pool: karpenter_consolidation_threshold_blocked_total. */
  readonly thresholdBlocked: ReadonlyMap<string, number>;
  /** What every node is told, by name. */
  readonly nodeRefusals: ReadonlyMap<string, readonly Refusal[]>;
  /** Proposals of the first wave in their order, whether begun or not. */
  readonly proposals: readonly Proposal[];
  /** Cents per hour of all nodes now, and what the whole plan would save. */
  readonly centsPerHour: number;
  readonly plannedSavingsCentsPerHour: number;
  /** The same by pool, for every pool. */
  readonly pools: ReadonlyMap<string, PoolFigures>;
  readonly coverage?: PlanCoverage;
  /** By the clock that was given for it; 0 without one. */
  readonly durationMs: number;
}

export interface PoolFigures {
  readonly nodes: number;
  readonly centsPerHour: number;
  readonly plannedCentsPerHour: number;
  /** Nodes that may still go now, by the reason for which they would. */
  readonly budgets: { readonly Empty: number; readonly Underutilized: number };
}

/** The same nodes were part of a command that was abandoned. With `blockedBy`, it waits for that to change; else for time. */
export interface AbandonedBefore {
  readonly code: 'given-up-before';
  readonly waitMs: number;
  readonly blockedBy?: BlockingFact;
}

export interface Proposal {
  readonly command: Command;
  readonly wave: number;
  /** Why it was not begun: a brake; undefined: it was, or would have been if we were to act. */
  readonly refusal?: Refusal | AbandonedBefore;
  /** When the brake may have let go. */
  readonly retryAtMs?: number;
}
