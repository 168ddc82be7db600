import type { PoolPolicy } from '../../src/engine/disruption/pool-policy.ts';
import { DEFAULT_SETTINGS, type Rules, type Settings } from '../../src/engine/settings.ts';

/** A disruption block that allows everything and asks for nothing. */
export function policy(sketch: Partial<PoolPolicy> = {}): PoolPolicy {
  return {
    policy: 'WhenUnderutilizedOrCheaper',
    emptiness: { enabled: true, emptyThreshold: 0 },
    singleNode: { enabled: true },
    multiNode: { enabled: true, maxParallel: 100 },
    consolidateAfterMs: 0,
    setsConsolidateAfter: true,
    gracePeriodMs: undefined,
    savingsThresholdCents: 0,
    minSavingsPercent: 0,
    balancedK: 2,
    ttlSecondsAfterEmpty: undefined,
    budgets: [{ nodes: '100%' }],
    ...sketch,
  };
}

/** The same block for every pool. */
export function rules(block: Partial<PoolPolicy> = {}, settings: Partial<Settings> = {}): Rules {
  const own = policy(block);
  return { settings: { ...DEFAULT_SETTINGS, ...settings }, policyOf: () => own };
}
