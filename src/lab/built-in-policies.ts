import type { NamedPolicy } from './named-policy.ts';

/** What savings are measured against. */
export const NONE: NamedPolicy = policy('none', { controller: 'none' });

/**
 * The profile that we recommend. A first guess, to be replaced by what the lab shows: a node rests for five minutes
 * before it is looked at and for an hour after a look that found nothing, a move earns half a cent per hour for every
 * pod that it moves, and no workload is evicted from more than ten times an hour.
 */
export const CALM: NamedPolicy = policy('calm', {
  disruption: {
    consolidateAfter: '5m',
    consolidationGracePeriod: '1h',
    consolidationSavingsThresholdCents: '0.5',
  },
  switches: {
    'scaledown-utilization-threshold': '1',
    'max-workload-evictions': '10',
    'workload-eviction-window': '1h',
    'pool-cooldown': '2m',
  },
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
