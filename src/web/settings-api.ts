import type { Health } from './api.ts';

/** GET /api/settings: effective settings and the controller's health. */
export interface SettingsAnswer {
  readonly version: number;
  readonly pools: readonly PoolSettings[];
  readonly settings: readonly ProcessSetting[];
  readonly health: readonly HealthFact[];
}

export interface PoolSettings {
  readonly pool: string;
  readonly nodes: number;
  /** The ConsolidationPolicy that selects it, if any. */
  readonly policy?: string;
  /** Why nothing is consolidated in the pool. */
  readonly blockReason?: string;
  readonly fields: readonly Setting[];
}

export interface Setting {
  readonly name: string;
  readonly value: string;
  readonly from: SettingOrigin;
}

/** compat: --compat karpenter; policy: a ConsolidationPolicy or a simulation's policy. */
export type SettingOrigin = 'default' | 'NodePool' | 'policy' | 'flag' | 'environment' | 'compat';

export interface ProcessSetting extends Setting {
  readonly help: string;
  readonly env: string;
}

export interface HealthFact {
  readonly name: string;
  readonly value: string;
  readonly status: Health['status'];
}
