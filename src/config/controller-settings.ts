import { DEFAULT_SETTINGS, type Settings, STOCK_SETTINGS } from '../engine/settings.ts';

/** What holds for the whole process: the engine's settings, and those of whoever carries its decisions out. */
export interface ControllerSettings extends Settings {
  /** Pause after a node was removed, while pods are pending or workloads are not ready. */
  readonly stabilizationWindowMs: number;
  /** Between two looks at the cluster while things change. */
  readonly pollingPeriodMs: number;
  /** Over which maxWorkloadEvictions counts. */
  readonly workloadEvictionWindowMs: number;
  /** Pause between commands of one pool. */
  readonly poolCooldownMs: number;
  /** Cents that a unit of disruption cost is taken to be worth: a move waits until waiting has cost as much. */
  readonly evictionPriceCents: number;
  /** While moves wait, let the nodes that they remove empty themselves (soft taint and pod-deletion-cost). */
  readonly steer: boolean;
  /** Bounds between which savings thresholds find their own level; off: they stay as the pools give them. */
  readonly adaptiveThreshold: CentsRange | 'off';
  /** Evictions per pod and day above which a threshold rises. */
  readonly adaptiveTarget: number;
  /** By which it rises. */
  readonly adaptiveFactor: number;
  /** Cents by which it falls. */
  readonly adaptiveStepCents: number;
  /** Over which evictions are counted, and which must pass before it falls. */
  readonly adaptiveWindowMs: number;
}

/** From and to, both allowed. */
export interface CentsRange {
  readonly leastCents: number;
  readonly mostCents: number;
}

const MINUTE = 60_000;

export const DEFAULT_CONTROLLER_SETTINGS: ControllerSettings = {
  ...DEFAULT_SETTINGS,
  stabilizationWindowMs: 5 * MINUTE,
  pollingPeriodMs: 10_000,
  workloadEvictionWindowMs: 60 * MINUTE,
  poolCooldownMs: 0,
  evictionPriceCents: 0,
  steer: false,
  adaptiveThreshold: 'off',
  adaptiveTarget: 4,
  adaptiveFactor: 2,
  adaptiveStepCents: 0.25,
  adaptiveWindowMs: 60 * MINUTE,
};

/** As Karpenter does it. */
export const STOCK_CONTROLLER_SETTINGS: ControllerSettings = {
  ...DEFAULT_CONTROLLER_SETTINGS,
  ...STOCK_SETTINGS,
  stabilizationWindowMs: 0,
};
