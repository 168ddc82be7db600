import type { ControllerSettings } from '../config/controller-settings.ts';

export interface ControllerOptions {
  /** observe: decide and report, write nothing. A command that was begun in act is left as it stands. */
  readonly mode: 'observe' | 'act';
  readonly settings: ControllerSettings;
  /** merged unless told otherwise; karpenter: what one pass of stock would do. */
  readonly search?: 'karpenter' | 'merged';
  /** Pods placed in trials of one search, at most; by default as many as the size of the cluster suggests. */
  readonly work?: number;
  /** On unless told otherwise: act only on pools that Karpenter does not consolidate itself. */
  readonly interlock?: boolean;
  /** Act on spot prices of the bundled tables. */
  readonly allowBundledSpot?: boolean;
  readonly times?: Partial<Times>;
  /** Commands that are over, of which the journal keeps so many; 200 unless told otherwise. */
  readonly journalLimit?: number;
  /** Milliseconds; used for nothing but to report how long a pass took. */
  readonly clock?: () => number;
  /** Called now and then during a search, so that others get a turn. */
  readonly breathe?: () => Promise<void>;
}

export interface Times {
  /** From the decision to its re-validation. */
  readonly validationMs: number;
  /** For a command's new nodes to be up and its old ones to be cleared. */
  readonly launchTimeoutMs: number;
  /** Between two passes while things change (cluster consolidation document, "Polling Period"); by default that of the settings. */
  readonly pollMs: number;
  /** Between two passes while nothing does. */
  readonly pauseMs: number;
  /** After an action that failed; twice as long each time in a row, up to the longest. */
  readonly retryMs: number;
  readonly longestRetryMs: number;
}

export const USUAL_TIMES: Omit<Times, 'pollMs'> = {
  validationMs: 15_000,
  launchTimeoutMs: 10 * 60_000,
  pauseMs: 5 * 60_000,
  retryMs: 1_000,
  longestRetryMs: 60_000,
};

export const USUAL_JOURNAL_LIMIT = 200;
