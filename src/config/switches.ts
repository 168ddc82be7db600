import type { Problem } from './problem.ts';
import { SWITCHES, type Switch } from './switch-table.ts';
import { DEFAULT_SWITCHES, STOCK_SWITCHES, type Switches } from './switch-values.ts';

export type SwitchReading = { readonly switches: Switches } | { readonly problems: readonly Problem[] };

export interface SwitchSources {
  /** By flag without its dashes, as written. */
  readonly flags: ReadonlyMap<string, string>;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly compat?: 'karpenter';
}

/**
 * A flag goes before `--compat`, that before the environment, and that before the default: a variable
 * that is set somewhere must not make compatibility less than complete, a flag beside it is meant.
 * What is given wrong is a problem even where something else goes before it.
 */
export function readSwitches({ flags, env, compat }: SwitchSources): SwitchReading {
  const problems: Problem[] = [];
  let switches = compat === undefined ? DEFAULT_SWITCHES : STOCK_SWITCHES;
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
): Partial<Switches> | undefined {
  if (value === undefined) return undefined;
  const change = read(value);
  if (change === undefined) problems.push({ object, field, value, allowed });
  return change;
}
