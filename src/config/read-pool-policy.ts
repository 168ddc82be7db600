import type { Budget } from '../engine/cluster/objects.ts';
import { milliValue, wholeValue } from '../engine/cluster/quantity.ts';
import type { Headroom, PoolPolicy } from '../engine/disruption/pool-policy.ts';
import { allows, type MethodName, policyName, ruleProblems } from './block-rules.ts';
import { type BudgetBlock, type DisruptionBlock, disruptionBlock, type HeadroomBlock } from './disruption-block.ts';
import { durationMs, durationOrNeverMs } from './duration.ts';
import { fieldPath, withoutNulls } from './object-path.ts';
import type { Problem } from './problem.ts';
import { check } from './schema-problems.ts';

export type PoolPolicyReading = { readonly policy: PoolPolicy } | { readonly problems: readonly Problem[] };

/** Path of the block in a NodePool. */
export const NODE_POOL_BLOCK = 'spec.disruption';

/**
 * A disruption block as the engine wants it, every default filled in, or everything that is wrong with
 * it. `object` and `at` say whose it is and where, for the problems; a NodePool without a block is
 * `undefined`.
 */
export function readPoolPolicy(object: string, block: unknown, at = NODE_POOL_BLOCK): PoolPolicyReading {
  const given = withoutNulls(block) ?? {};
  const checked = check(disruptionBlock, given);
  const problems = [...('problems' in checked ? checked.problems : []), ...ruleProblems(given)];
  if ('value' in checked && problems.length === 0) return { policy: policyOf(checked.value) };
  return {
    problems: problems.map(({ path, value, allowed }) => ({ object, field: fieldPath(at, path), value, allowed })),
  };
}

const DEFAULT_MAX_PARALLEL = 100;
const DEFAULT_BALANCED_K = 2;
/** Default of Karpenter's CRD for budgets without nodes. */
const DEFAULT_BUDGET_NODES = '10%';

function policyOf(block: DisruptionBlock): PoolPolicy {
  const policy = policyName(block.consolidationPolicy);
  const { emptiness, multiNode } = block.consolidation ?? {};
  const enabled = (method: MethodName) => allows(policy, method) && block.consolidation?.[method]?.enabled !== false;
  const grace = block.consolidationGracePeriod;
  return {
    policy,
    emptiness: { enabled: enabled('emptiness'), emptyThreshold: share(emptiness?.emptyThreshold ?? '0%') },
    singleNode: { enabled: enabled('singleNode') },
    multiNode: { enabled: enabled('multiNode'), maxParallel: multiNode?.maxParallel ?? DEFAULT_MAX_PARALLEL },
    consolidateAfterMs: durationOrNeverMs(block.consolidateAfter ?? '0s'),
    setsConsolidateAfter: block.consolidateAfter !== undefined,
    gracePeriodMs: grace === undefined ? undefined : durationOrNeverMs(grace),
    savingsThresholdCents: Number(block.consolidationSavingsThresholdCents ?? 0),
    minSavingsPercent: percentOrAuto(block.consolidationMinSavingsPercent ?? '0'),
    balancedK: Number(block.balancedK ?? DEFAULT_BALANCED_K),
    ttlSecondsAfterEmpty: block.ttlSecondsAfterEmpty,
    budgets: (block.budgets ?? []).map(budgetOf),
    ...(block.headroom === undefined ? {} : { headroom: headroomOf(block.headroom) }),
    ...(block.minNodes === undefined ? {} : { minNodes: block.minNodes }),
    ...(block.maxShareOnOneNode === undefined ? {} : { maxShareOnOneNode: share(block.maxShareOnOneNode) }),
    ...(block.moveSingletons === 'Rollout' ? { rollsSingletons: true } : {}),
  };
}

function share(percent: string): number {
  return Number(percent.slice(0, -1)) / 100;
}

function headroomOf({ cpu, memory, pods }: HeadroomBlock): Headroom[] {
  const needs: Headroom[] = [];
  if (cpu !== undefined) needs.push({ resource: 'cpu', ...amountOrPercent(cpu, milliValue) });
  if (memory !== undefined) needs.push({ resource: 'memory', ...amountOrPercent(memory, wholeValue) });
  if (pods !== undefined) {
    const shape = { cpu: milliValue(pods.cpu ?? '0'), memory: wholeValue(pods.memory ?? '0') };
    needs.push({ resource: 'pods', ...amountOrPercent(pods.count, Number), shape });
  }
  return needs;
}

function amountOrPercent(text: string, read: (text: string) => number): Pick<Headroom, 'amount' | 'isPercent'> {
  const isPercent = text.endsWith('%');
  return { amount: isPercent ? Number(text.slice(0, -1)) : read(text), isPercent };
}

function percentOrAuto(text: string): number | 'auto' {
  return text === 'auto' ? text : Number(text);
}

function budgetOf({ nodes = DEFAULT_BUDGET_NODES, schedule, duration, timeZone, reasons }: BudgetBlock): Budget {
  return {
    nodes,
    ...(schedule === undefined ? {} : { schedule }),
    ...(duration === undefined ? {} : { durationMs: durationMs(duration) }),
    ...(timeZone === undefined ? {} : { timeZone }),
    ...(reasons === undefined ? {} : { reasons }),
  };
}
