import { DEFAULT_SETTINGS, type Settings, STOCK_SETTINGS } from '../engine/settings.ts';

/** What holds for the whole process: the engine's settings, and those of whoever carries its decisions out. */
export interface Switches extends Settings {
  /** Pause after a node was removed, while pods are pending or workloads are not ready. */
  readonly stabilizationWindowMs: number;
  /** Over which maxWorkloadEvictions counts. */
  readonly workloadEvictionWindowMs: number;
  /** Pause between commands of one pool. */
  readonly poolCooldownMs: number;
}

const MINUTE = 60_000;

export const DEFAULT_SWITCHES: Switches = {
  ...DEFAULT_SETTINGS,
  stabilizationWindowMs: 5 * MINUTE,
  workloadEvictionWindowMs: 60 * MINUTE,
  poolCooldownMs: 0,
};

/** As Karpenter does it. */
export const STOCK_SWITCHES: Switches = { ...DEFAULT_SWITCHES, ...STOCK_SETTINGS, stabilizationWindowMs: 0 };
