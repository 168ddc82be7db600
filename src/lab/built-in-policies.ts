import type { NamedPolicy } from './named-policy.ts';

/** No consolidation: the baseline of savings. */
export const NONE: NamedPolicy = policy('none', { controller: 'none' });

/** Karpenter, with the disruption blocks of the pools. */
export const STOCK: NamedPolicy = policy('stock', { controller: 'stock' });

/**
 * The recommended profile (docs/policies.md, designs/policies.md). Empty nodes are deleted after a minute or two. An eviction is worth 12 minutes
 * of an average pod: a move that evicts waits until waiting has cost as much, and is not made if it would not save as much before its pool is
 * expected to grow; meanwhile its nodes empty themselves (steering). Passes are 90 s apart. Utilization excludes no node.
 */
export const CALM: NamedPolicy = policy('calm', {
  disruption: { consolidateAfter: '1m' },
  switches: {
    'scaledown-utilization-threshold': '1',
    'eviction-price': '12m',
    'peak-window': '5m',
    'job-peak-window': '1h',
    'polling-period': '90s',
    steer: 'true',
  },
});

export const BUILT_IN_POLICIES: readonly NamedPolicy[] = [
  NONE,
  STOCK,
  /** Karpenter's Balanced policy (k = 2) in every pool. */
  policy('balanced', { controller: 'stock', disruption: { consolidationPolicy: 'Balanced' } }),
  /** Decant with the defaults of the design documents. */
  policy('rfc', {}),
  CALM,
];

/**
 * Limits of what any policy could reach, for comparisons: they know the future of the run, and have as few evictions as they can
 * at no more than stock's cost, or 2 % more.
 */
export const HINDSIGHT: readonly NamedPolicy[] = [
  policy('hindsight', { maxCost: 1 }),
  policy('hindsight-1.02', { maxCost: 1.02 }),
];

/** Former names, still accepted. */
const ALIASES: Readonly<Record<string, string>> = { documents: 'rfc' };

export function builtInPolicy(name: string): NamedPolicy | undefined {
  const current = ALIASES[name] ?? name;
  return BUILT_IN_POLICIES.find((each) => each.name === current);
}

function policy(name: string, sketch: Partial<NamedPolicy>): NamedPolicy {
  return { name, controller: 'decant', search: 'merged', disruption: {}, switches: {}, ...sketch };
}
