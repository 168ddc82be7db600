import type { ControllerSettings } from '../../config/controller-settings.ts';
import { SETTING_FLAGS } from '../../config/setting-flags.ts';
import { durationOrNever } from '../../config/setting-types.ts';
import type { NodePoolObject } from '../../engine/cluster/objects.ts';
import type { PoolPolicy } from '../../engine/disruption/pool-policy.ts';
import type { PoolSettings, ProcessSetting, Setting, SettingOrigin } from '../settings-api.ts';

/** Sources of pool settings besides the pools' own blocks. */
export interface PoolOrigins {
  /** --compat: only Karpenter's own fields are read. */
  readonly compat: boolean;
  /** Fields that a simulation's policy overrides in every pool. */
  readonly laid: Readonly<Record<string, unknown>>;
  /** The ConsolidationPolicy that selects a pool, if any. */
  policyName(pool: string): string | undefined;
  blockReason(pool: string): string | undefined;
}

type Field = readonly [name: string, value: (policy: PoolPolicy) => string];

/** In the order of docs/configuration.md. */
const FIELDS: readonly Field[] = [
  ['consolidationPolicy', (p) => p.policy],
  ['consolidateAfter', (p) => durationOrNever(p.consolidateAfterMs)],
  ['consolidationGracePeriod', (p) => durationOrNever(p.gracePeriodMs)],
  ['consolidationSavingsThresholdCents', (p) => String(p.savingsThresholdCents)],
  ['consolidationMinSavingsPercent', (p) => String(p.minSavingsPercent)],
  ['balancedK', (p) => String(p.balancedK)],
  ['consolidation', methodsText],
  ['ttlSecondsAfterEmpty', (p) => String(p.ttlSecondsAfterEmpty ?? 'none')],
  ['budgets', budgetsText],
];

/** Fields that Karpenter reads too. */
const OF_KARPENTER: readonly string[] = ['consolidationPolicy', 'consolidateAfter', 'budgets'];

export function poolSettings(
  pools: readonly NodePoolObject[],
  policyOf: (pool: NodePoolObject) => PoolPolicy,
  nodesOf: (pool: string) => number,
  origins: PoolOrigins,
): PoolSettings[] {
  return pools.map((pool) => {
    const policy = policyOf(pool);
    const [name, blockReason] = [origins.policyName(pool.name), origins.blockReason(pool.name)];
    return {
      pool: pool.name,
      nodes: nodesOf(pool.name),
      ...(name === undefined ? {} : { policy: name }),
      ...(blockReason === undefined ? {} : { blockReason }),
      fields: FIELDS.map(([field, value]): Setting => {
        return { name: field, value: value(policy), from: originOf(field, pool, origins) };
      }),
    };
  });
}

function originOf(field: string, { name, disruption }: NodePoolObject, origins: PoolOrigins): SettingOrigin {
  if (origins.policyName(name) !== undefined || field in origins.laid) return 'policy';
  const isGiven = typeof disruption === 'object' && disruption !== null && field in disruption;
  if (origins.compat && !OF_KARPENTER.includes(field)) return 'compat';
  return isGiven ? 'NodePool' : 'default';
}

function methodsText({ emptiness, singleNode, multiNode }: PoolPolicy): string {
  const methods = [
    emptiness.enabled ? `emptiness (up to ${Math.round(100 * emptiness.emptyThreshold)} % used)` : '',
    singleNode.enabled ? 'singleNode' : '',
    multiNode.enabled ? `multiNode (up to ${multiNode.maxParallel} at once)` : '',
  ];
  return methods.filter((text) => text !== '').join(', ') || 'none';
}

function budgetsText({ budgets }: PoolPolicy): string {
  const each = budgets.map(({ nodes, schedule, durationMs, reasons }) => {
    const when = schedule === undefined ? '' : ` at ${schedule} for ${durationOrNever(durationMs)}`;
    return `${nodes}${when}${reasons === undefined ? '' : ` (${reasons.join(', ')})`}`;
  });
  return each.join('; ') || 'none';
}

/** Precedence: flag, --compat, environment, default. */
export interface SettingOrigins {
  readonly flags: ReadonlyMap<string, string>;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly compat: boolean;
  /** In a simulation, flags come from its policy. */
  readonly flagIs: 'flag' | 'policy';
}

export function processSettings(
  settings: ControllerSettings,
  { flags, env, compat, flagIs }: SettingOrigins,
): ProcessSetting[] {
  return SETTING_FLAGS.map((each) => {
    const byEnv = (env[each.env] ?? '') !== '';
    const from = flags.has(each.flag) ? flagIs : compat ? 'compat' : byEnv ? 'environment' : 'default';
    return { name: `--${each.flag}`, value: each.show(settings), from, help: each.help, env: each.env };
  });
}
