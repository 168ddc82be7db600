import type { PoolPolicy } from '../engine/disruption/pool-policy.ts';
import type { PoolGovernance } from './governance.ts';

/** Replaces the savings thresholds of pools. A policy is the same object while its threshold stays: verdicts depend on it. */
export class PoolThresholds {
  /** By pool: the policy that was given last, and the one with the other threshold. */
  private last: ReadonlyMap<string, readonly [given: PoolPolicy, changed: PoolPolicy]> = new Map();

  applied(
    poolGovernance: ReadonlyMap<string, PoolGovernance>,
    centsOf: (pool: string, governance: PoolGovernance) => number,
  ): ReadonlyMap<string, PoolGovernance> {
    const now = new Map<string, readonly [PoolPolicy, PoolPolicy]>();
    const out = new Map<string, PoolGovernance>();
    for (const [pool, own] of poolGovernance) {
      const savingsThresholdCents = centsOf(pool, own);
      const [given, changed] = this.last.get(pool) ?? [];
      const isSame = given === own.policy && changed?.savingsThresholdCents === savingsThresholdCents;
      const policy = isSame ? changed : { ...own.policy, savingsThresholdCents };
      now.set(pool, [own.policy, policy]);
      out.set(pool, { ...own, policy });
    }
    this.last = now;
    return out;
  }
}
