import type { NamedPolicy } from './named-policy.ts';

/** What savings are measured against. */
export const NONE: NamedPolicy = policy('none', { controller: 'none' });

/**
 * The profile that we recommend, by what the lab shows (docs/policies.md): an empty node goes after a minute or two; a move
 * that evicts waits until waiting has cost 0.7 cents for each unit of disruption, twice that in a pool that grows, so that
 * nobody has to look every few seconds; no node is too full to be asked.
 */
export const CALM: NamedPolicy = policy('calm', {
  disruption: { consolidateAfter: '1m' },
  switches: { 'scaledown-utilization-threshold': '1', 'eviction-price': '0.7', 'polling-period': '90s' },
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
