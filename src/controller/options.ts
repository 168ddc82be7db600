import type { ControllerSettings } from '../config/controller-settings.ts';
import type { MoveTiming } from './forgone-savings.ts';

export interface ControllerOptions {
  /** observe: decide and report, write nothing. Commands begun in act mode are left as they are. */
  readonly mode: 'observe' | 'act';
  readonly settings: ControllerSettings;
  /** Default: merged. karpenter: what one pass of stock would do. */
  readonly search?: 'karpenter' | 'merged';
  /** Limit on simulated placements of one search; by default derived from the size of the cluster. */
  readonly work?: number;
  /** Default: on. Act only on pools that Karpenter does not consolidate itself. */
  readonly interlock?: boolean;
  /** Act on spot prices of the bundled tables. */
  readonly allowBundledSpot?: boolean;
  readonly times?: Partial<Times>;
  /** Default: `ForgoneSavings`. */
  readonly timing?: MoveTiming;
  /** Completed commands that the journal keeps; default 200. */
  readonly journalLimit?: number;
  /** Milliseconds; only to report the duration of a pass. */
  readonly clock?: () => number;
  /** Called during a search, to let other work run. */
  readonly yieldToOthers?: () => Promise<void>;
}

export interface Times {
  /** From the decision to its validation. */
  readonly validationMs: number;
  /** For a command's new nodes to be initialized and its old ones to be deleted. */
  readonly launchTimeoutMs: number;
  /** For a command's rollouts, once its new nodes are up. */
  readonly rolloutTimeoutMs: number;
  /**
   * Between passes while the cluster changes (cluster consolidation document, "Polling Period"); default from the
   * settings.
   */
  readonly pollMs: number;
  /** Between passes while nothing changes. */
  readonly pauseMs: number;
  /** After a failed action; doubled with each further failure, up to the longest. */
  readonly retryMs: number;
  readonly longestRetryMs: number;
}

export const USUAL_TIMES: Omit<Times, 'pollMs'> = {
  validationMs: 15_000,
  launchTimeoutMs: 10 * 60_000,
  rolloutTimeoutMs: 5 * 60_000,
  pauseMs: 5 * 60_000,
  retryMs: 1_000,
  longestRetryMs: 60_000,
};

export const USUAL_JOURNAL_LIMIT = 200;
