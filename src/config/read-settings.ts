import type { KarpenterVersion } from '../engine/karpenter-release.ts';
import { type Compat, compatVersion } from './compat.ts';
import {
  type ControllerSettings,
  DEFAULT_CONTROLLER_SETTINGS,
  STOCK_CONTROLLER_SETTINGS,
} from './controller-settings.ts';
import type { Problem } from './problem.ts';
import { SETTING_FLAGS, type SettingFlag } from './setting-flags.ts';

export type SettingsReading = { readonly settings: ControllerSettings } | { readonly problems: readonly Problem[] };

export interface SettingsSources {
  /** By flag without its dashes, as written. */
  readonly flags: ReadonlyMap<string, string>;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly compat?: Compat;
  /** Karpenter's version in the cluster, if known. */
  readonly running?: KarpenterVersion;
}

/**
 * Precedence: flag, `--compat`, environment, default. An environment variable cannot weaken `--compat`; a flag beside it can.
 * An invalid value is a problem even if another source takes precedence.
 */
export function readSettings({ flags, env, compat, running }: SettingsSources): SettingsReading {
  const problems: Problem[] = [];
  let settings: ControllerSettings =
    compat === undefined
      ? DEFAULT_CONTROLLER_SETTINGS
      : { ...STOCK_CONTROLLER_SETTINGS, karpenter: compatVersion(compat, running) };
  for (const each of SETTING_FLAGS) {
    const byEnv = readOne(each, env[each.env] || undefined, 'environment', each.env, problems);
    const byFlag = readOne(each, flags.get(each.flag), 'command line', `--${each.flag}`, problems);
    settings = { ...settings, ...(compat === undefined ? byEnv : undefined), ...byFlag };
  }
  return problems.length === 0 ? { settings } : { problems };
}

function readOne(
  { read, allowed }: SettingFlag,
  value: string | undefined,
  object: string,
  field: string,
  problems: Problem[],
): Partial<ControllerSettings> | undefined {
  if (value === undefined) return undefined;
  const change = read(value);
  if (change === undefined) problems.push({ object, field, value, allowed });
  return change;
}
