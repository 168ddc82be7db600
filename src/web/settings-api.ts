import type { Health } from './api.ts';

/** GET /api/settings: what decisions go by, and how whoever decides is doing. */
export interface SettingsAnswer {
  readonly version: number;
  readonly pools: readonly PoolSettings[];
  readonly settings: readonly ProcessSetting[];
  readonly health: readonly HealthFact[];
}

export interface PoolSettings {
  readonly pool: string;
  readonly nodes: number;
  /** The ConsolidationPolicy that it is under, if any. */
  readonly policy?: string;
  /** Why nothing is done in it, whatever its nodes are like. */
  readonly blockReason?: string;
  readonly fields: readonly Setting[];
}

export interface Setting {
  readonly name: string;
  readonly value: string;
  readonly from: SettingOrigin;
}

/** compat: --compat karpenter; policy: a ConsolidationPolicy, or the policy that a simulation was started with. */
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
