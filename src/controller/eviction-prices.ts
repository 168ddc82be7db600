import { averagePodCents } from '../engine/disruption/pod-price.ts';
import type { CompiledCluster } from '../engine/scheduling/compiled-cluster.ts';
import type { Command } from './command.ts';
import type { PoolGovernance } from './governance.ts';
import { PoolGrowth } from './pool-growth.ts';
import { PoolThresholds } from './pool-thresholds.ts';

const HOUR_MS = 3_600_000;
/** Thresholds change in steps of this factor: most passes then find the same one, and verdicts stand. */
const STEP = 1.1;

/**
 * The price of evictions: a unit of disruption cost is worth what the average pod of the pool costs in `priceMs`. A move waits
 * until waiting has cost its price (`ForgoneSavings`), and has to save more than that as long as savings are expected to
 * last in its pool (`PoolGrowth`), which is a savings threshold. `priceMs` 0: no price.
 */
export class EvictionPrices {
  private readonly priceMs: number;
  private readonly growth: PoolGrowth;
  /** Cents per hour of the average pod, by pool. */
  private averages: ReadonlyMap<string, number> = new Map();
  private readonly thresholds = new PoolThresholds();

  constructor(priceMs: number) {
    this.priceMs = priceMs;
    this.growth = new PoolGrowth(priceMs);
  }

  /** In every pass, before commands are proposed. */
  observed(cluster: CompiledCluster, journal: readonly Command[]): void {
    if (this.priceMs === 0) return;
    this.averages = averagePodCents(cluster);
    this.growth.observed(cluster.objects.nodeClaims, journal, cluster.objects.nowMs);
  }

  /** The price of one unit; nodes of several pools by their pods. */
  centsPerUnit({ nodes }: Pick<Command, 'nodes'>): number {
    const pods = nodes.reduce((sum, each) => sum + each.pods, 0);
    return nodes.reduce((sum, each) => sum + each.pods * this.centsOf(each.nodePool), 0) / (pods || 1);
  }

  /** The governance with at least the thresholds that savings must reach to be worth their price. */
  applied(poolGovernance: ReadonlyMap<string, PoolGovernance>, nowMs: number): ReadonlyMap<string, PoolGovernance> {
    if (this.priceMs === 0) return poolGovernance;
    return this.thresholds.applied(poolGovernance, (pool, { policy }) =>
      Math.max(policy.savingsThresholdCents, this.threshold(pool, nowMs)),
    );
  }

  private threshold(pool: string, nowMs: number): number {
    const cents = this.centsOf(pool) / (this.growth.lastsMs(pool, nowMs) / HOUR_MS);
    return cents === 0 ? 0 : STEP ** Math.round(Math.log(cents) / Math.log(STEP));
  }

  private centsOf(pool: string): number {
    return (this.averages.get(pool) ?? 0) * (this.priceMs / HOUR_MS);
  }
}
