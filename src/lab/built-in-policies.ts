import type { NamedPolicy } from './named-policy.ts';

/** What savings are measured against. */
export const NONE: NamedPolicy = policy('none', { controller: 'none' });

/**
 * The profile that we recommend, by what the lab shows (docs/policies.md): an empty node goes after a minute; a move that
 * evicts waits until waiting has cost a cent for each unit of disruption, two in a pool that grows, so that a look a minute
 * will do; no node is too full to be asked.
 */
export const CALM: NamedPolicy = policy('calm', {
  disruption: { consolidateAfter: '1m' },
  switches: { 'scaledown-utilization-threshold': '1', 'eviction-price': '1', 'polling-period': '1m' },
});

export const BUILT_IN_POLICIES: readonly NamedPolicy[] = [
  NONE,
  /** Karpenter's own behaviour, by the pools' own blocks. */
  policy('stock', { controller: 'stock' }),
  /** Our controller with every default as the design documents give it. */
  policy('documents', {}),
  CALM,
];

function policy(name: string, sketch: Partial<NamedPolicy>): NamedPolicy {
  return { name, controller: 'decant', search: 'merged', disruption: {}, switches: {}, ...sketch };
}
