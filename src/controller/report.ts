import type { PlanCoverage } from '../engine/plan-document.ts';
import type { Refusal } from '../engine/refusal.ts';
import type { ThresholdRefusal } from '../engine/search/blocked-moves.ts';
import type { AdaptiveLevel } from './adaptive-threshold.ts';
import type { Action } from './cluster-port.ts';
import type { BlockingFact, Command } from './command.ts';
import type { PoolGovernance } from './governance.ts';

/** The result of one reconciliation, as data for metrics, events and status. */
export interface ReconcileReport {
  /** When to reconcile again if nothing changes; undefined: only after a change. */
  readonly wakeAtMs: number | undefined;
  /** Nothing is due before then: no command is open, and the next pass is later. */
  readonly restUntilMs?: number;
  /** Commands that entered a phase, or began to be undone, in order. */
  readonly transitions: readonly Command[];
  /** Failed actions; they are retried. */
  readonly failures: readonly ActionFailure[];
  /** Soft taints and deletion costs that were written or removed. */
  readonly steeringWrites: { readonly nodes: number; readonly pods: number };
  /** Open commands that are blocked, and by what. */
  readonly held: ReadonlyMap<string, string>;
  /** Nodes of open commands that were tainted again, after the taint was removed. */
  readonly restoredTaints: readonly string[];
  /** By pool name. */
  readonly poolGovernance: ReadonlyMap<string, PoolGovernance>;
  /** With an adaptive threshold: the level of every pool that Decant may act on. */
  readonly thresholds?: ReadonlyMap<string, AdaptiveLevel>;
  /** Set after a pass. */
  readonly pass?: PassReport;
  /** Otherwise: why there was no pass. */
  readonly idle?: Idleness;
}

export interface ActionFailure {
  readonly action: Action;
  readonly error: unknown;
}

export type Idleness =
  /** Caches are not synced. */
  | { readonly code: 'unsynced' }
  /** Nothing has changed since the last pass, or it was too recent. */
  | { readonly code: 'paused' }
  /** Every pool that Decant may act on has a command that is not draining yet. */
  | { readonly code: 'busy' }
  | Extract<Refusal, { code: 'stabilization' }>;

export interface PassReport {
  /** Numbers of nodes by refusal code. */
  readonly refusals: ReadonlyMap<string, number>;
  /** Nodes that stay because of the savings threshold, by pool and name: karpenter_consolidation_threshold_blocked_total. */
  readonly thresholdBlocked: ReadonlyMap<string, ReadonlyMap<string, ThresholdRefusal>>;
  /** Refusals by node name. */
  readonly nodeRefusals: ReadonlyMap<string, readonly Refusal[]>;
  /** Proposals of the first wave in order, begun or not. */
  readonly proposals: readonly Proposal[];
  /** Cents per hour of all nodes, and the savings of the whole plan. */
  readonly centsPerHour: number;
  readonly plannedSavingsCentsPerHour: number;
  /** The same by pool. */
  readonly pools: ReadonlyMap<string, PoolFigures>;
  readonly coverage?: PlanCoverage;
  /** By the given clock; 0 without one. */
  readonly durationMs: number;
}

export interface PoolFigures {
  readonly nodes: number;
  readonly centsPerHour: number;
  readonly plannedCentsPerHour: number;
  /** Nodes that may still be disrupted, by reason. */
  readonly budgets: { readonly Empty: number; readonly Underutilized: number };
}

/**
 * The same nodes were part of an abandoned command. With `blockedBy` it waits for that to change, otherwise for a time.
 */
export interface AbandonedBefore {
  readonly code: 'given-up-before';
  readonly waitMs: number;
  readonly blockedBy?: BlockingFact;
}

export interface Proposal {
  readonly command: Command;
  readonly wave: number;
  /** The brake that held it back; undefined if it was begun, or would have been in act mode. */
  readonly refusal?: Refusal | AbandonedBefore;
  /** When the brake may release it. */
  readonly retryAtMs?: number;
}
