import { DEFAULT_SETTINGS, type Settings, STOCK_SETTINGS } from '../engine/settings.ts';

/** Settings of the whole process: the engine's and the controller's. */
export interface ControllerSettings extends Settings {
  /** Pause after a node was removed, while pods are pending or workloads are not ready. */
  readonly stabilizationWindowMs: number;
  /** Destinations keep room for the highest requests of this time; 0: for current ones. */
  readonly peakWindowMs: number;
  /** The same for pods of Jobs only, if that is longer. */
  readonly jobPeakWindowMs: number;
  /** Time between passes while the cluster changes. */
  readonly pollingPeriodMs: number;
  /** Window of maxWorkloadEvictions. */
  readonly workloadEvictionWindowMs: number;
  /** Pause between commands of one pool. */
  readonly poolCooldownMs: number;
  /** A unit of disruption cost is worth what the average pod costs in this time; 0: evictions have no price. */
  readonly evictionPriceMs: number;
  /** While moves wait, let the nodes that they remove empty themselves (soft taint and pod-deletion-cost). */
  readonly steer: boolean;
  /** Bounds of adaptive savings thresholds; off: thresholds stay as the pools set them. */
  readonly adaptiveThreshold: CentsRange | 'off';
  /** Evictions per pod and day above which a threshold rises. */
  readonly adaptiveTarget: number;
  /** Factor by which a threshold rises. */
  readonly adaptiveFactor: number;
  /** Cents by which a threshold falls. */
  readonly adaptiveStepCents: number;
  /** Window for counting evictions, and time before a threshold falls. */
  readonly adaptiveWindowMs: number;
}

/** Inclusive. */
export interface CentsRange {
  readonly leastCents: number;
  readonly mostCents: number;
}

const MINUTE = 60_000;

export const DEFAULT_CONTROLLER_SETTINGS: ControllerSettings = {
  ...DEFAULT_SETTINGS,
  stabilizationWindowMs: 5 * MINUTE,
  peakWindowMs: 15 * MINUTE,
  jobPeakWindowMs: 15 * MINUTE,
  pollingPeriodMs: 10_000,
  workloadEvictionWindowMs: 60 * MINUTE,
  poolCooldownMs: 0,
  evictionPriceMs: 0,
  steer: false,
  adaptiveThreshold: 'off',
  adaptiveTarget: 4,
  adaptiveFactor: 2,
  adaptiveStepCents: 0.25,
  adaptiveWindowMs: 60 * MINUTE,
};

export const STOCK_CONTROLLER_SETTINGS: ControllerSettings = {
  ...DEFAULT_CONTROLLER_SETTINGS,
  ...STOCK_SETTINGS,
  stabilizationWindowMs: 0,
  peakWindowMs: 0,
  jobPeakWindowMs: 0,
};
