import { type Compat, compatVersion } from '../../config/compat.ts';
import { type ControllerSettings, STOCK_CONTROLLER_SETTINGS } from '../../config/controller-settings.ts';
import { type Problem, problemText } from '../../config/problem.ts';
import type { NodePoolObject } from '../../engine/cluster/objects.ts';
import type { PoolPolicy } from '../../engine/disruption/pool-policy.ts';
import type { KarpenterVersion } from '../../engine/karpenter-release.ts';
import { type Rules, stockPolicy } from '../../engine/settings.ts';
import { UsageError } from '../flags/usage-error.ts';

export interface RuleSources {
  readonly compat?: Compat;
  /** Karpenter's version in the cluster, if known. */
  readonly running?: KarpenterVersion;
  /** Settings given on the command line, by flag without its dashes. */
  readonly flags: ReadonlyMap<string, string>;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** The engine's rules, with all settings of the process. */
export interface ProcessRules extends Rules {
  readonly settings: ControllerSettings;
}

/** Resolves the settings of the process and the disruption block of every NodePool. Throws UsageError. */
export async function rulesFor(
  pools: readonly NodePoolObject[],
  { compat, flags, env, running }: RuleSources,
): Promise<ProcessRules> {
  // Loading the schema takes longest, and stock Karpenter does not need it.
  if (compat !== undefined && flags.size === 0) {
    const settings = { ...STOCK_CONTROLLER_SETTINGS, karpenter: compatVersion(compat, running) };
    return { settings, policyOf: stockPolicy };
  }
  const { readSettings } = await import('../../config/read-settings.ts');
  const reading = readSettings({ flags, env, compat, running });
  if ('problems' in reading) throw refused(reading.problems);
  if (compat !== undefined) return { settings: reading.settings, policyOf: stockPolicy };
  const policies = await policiesOf(pools);
  return { settings: reading.settings, policyOf: (pool) => policies.get(pool.name) ?? stockPolicy(pool) };
}

async function policiesOf(pools: readonly NodePoolObject[]): Promise<ReadonlyMap<string, PoolPolicy>> {
  const { readPoolPolicy } = await import('../../config/read-pool-policy.ts');
  const policies = new Map<string, PoolPolicy>();
  const problems: Problem[] = [];
  for (const pool of pools) {
    const reading = readPoolPolicy(`NodePool/${pool.name}`, pool.disruption);
    if ('problems' in reading) problems.push(...reading.problems);
    else policies.set(pool.name, reading.policy);
  }
  if (problems.length > 0) throw refused(problems);
  return policies;
}

export function refused([first, ...others]: readonly Problem[]): UsageError {
  const more = others.length === 0 ? '' : ` (and ${others.length} more: decant validate lists them)`;
  return new UsageError(problemText(first) + more);
}
