import type { Problem } from '../config/problem.ts';
import { readPoolPolicy } from '../config/read-pool-policy.ts';
import type { NodePoolObject } from '../engine/cluster/objects.ts';
import type { NamedPolicy } from './named-policy.ts';

export type PoolReading = { readonly pool: NodePoolObject } | { readonly problems: readonly Problem[] };

/** The pool as it would be if the policy's fields were patched into it, or what is wrong with that. */
export function poolUnderPolicy(pool: NodePoolObject, { name, disruption }: NamedPolicy): PoolReading {
  const block = underPatch(pool.disruption ?? {}, disruption);
  const reading = readPoolPolicy(`policy ${name} over NodePool/${pool.name}`, block);
  if ('problems' in reading) return reading;
  const { consolidateAfterMs, budgets } = reading.policy;
  return {
    pool: {
      ...pool,
      disruption: block,
      consolidationPolicy: disruption.consolidationPolicy ?? pool.consolidationPolicy,
      // A pool that sets neither is read by Karpenter as if it said Never; our reading of the block has other defaults.
      consolidateAfterMs: disruption.consolidateAfter === undefined ? pool.consolidateAfterMs : consolidateAfterMs,
      budgets: disruption.budgets === undefined ? pool.budgets : budgets,
    },
  };
}

/** JSON merge patch, without its deletions: a policy has no nulls. */
export function underPatch(target: unknown, patch: unknown): unknown {
  if (!isObject(patch)) return patch;
  const result: Record<string, unknown> = isObject(target) ? { ...target } : {};
  for (const [key, value] of Object.entries(patch)) {
    if (value !== undefined) result[key] = underPatch(result[key], value);
  }
  return result;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
