import type { KarpenterVersion } from '../engine/karpenter-release.ts';
import { type Compat, compatVersion } from './compat.ts';
import {
  type ControllerSettings,
  DEFAULT_CONTROLLER_SETTINGS,
  STOCK_CONTROLLER_SETTINGS,
} from './controller-settings.ts';
import type { Problem } from './problem.ts';
import { SWITCHES, type Switch } from './switch-table.ts';

export type SwitchReading = { readonly switches: ControllerSettings } | { readonly problems: readonly Problem[] };

export interface SwitchSources {
  /** By flag without its dashes, as written. */
  readonly flags: ReadonlyMap<string, string>;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly compat?: Compat;
  /** The Karpenter of the cluster, if it is known. */
  readonly running?: KarpenterVersion;
}

/**
 * A flag goes before `--compat`, that before the environment, and that before the default: a variable
 * that is set somewhere must not make compatibility less than complete, a flag beside it is meant.
 * What is given wrong is a problem even where something else goes before it.
 */
export function readSwitches({ flags, env, compat, running }: SwitchSources): SwitchReading {
  const problems: Problem[] = [];
  let switches: ControllerSettings =
    compat === undefined
      ? DEFAULT_CONTROLLER_SETTINGS
      : { ...STOCK_CONTROLLER_SETTINGS, karpenter: compatVersion(compat, running) };
  for (const each of SWITCHES) {
    const byEnv = readOne(each, env[each.env] || undefined, 'environment', each.env, problems);
    const byFlag = readOne(each, flags.get(each.flag), 'command line', `--${each.flag}`, problems);
    switches = { ...switches, ...(compat === undefined ? byEnv : undefined), ...byFlag };
  }
  return problems.length === 0 ? { switches } : { problems };
}

function readOne(
  { read, allowed }: Switch,
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
