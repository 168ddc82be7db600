import type { Problem } from '../config/problem.ts';
import { readPoolPolicy } from '../config/read-pool-policy.ts';
import type { NodePoolObject } from '../engine/cluster/objects.ts';
import type { NamedPolicy } from './named-policy.ts';

export type PoolReading = { readonly pool: NodePoolObject } | { readonly problems: readonly Problem[] };

/** The pool with the policy merged into its disruption block, or the problems of the result. */
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
      // Without both fields Karpenter assumes Never; our block reader has other defaults.
      consolidateAfterMs: disruption.consolidateAfter === undefined ? pool.consolidateAfterMs : consolidateAfterMs,
      budgets: disruption.budgets === undefined ? pool.budgets : budgets,
    },
  };
}

/** JSON merge patch without deletions: policies have no nulls. */
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
