import type { NodeClaimObject } from '../engine/cluster/objects.ts';
import { NODE_POOL } from '../engine/cluster/well-known.ts';
import type { Command } from './command.ts';

const WINDOW_MS = 24 * 3_600_000;

/** In multiples of the unit: launches that are closer count once; the least that savings last; what is assumed before the first launch. */
const ONE_BURST = 1;
const LEAST = 5;
const ASSUMED = 20;

/**
 * How long savings last in each pool: until Karpenter launches a node there by itself, other than our replacements. Learned from
 * the launches of the last day.
 *
 * Kept in memory, because a launched node may be gone; after a restart, derived from existing nodes.
 */
export class PoolGrowth {
  private readonly unitMs: number;
  private readonly launchedMs = new Map<string, readonly number[]>();
  private seen: ReadonlySet<string> = new Set();
  private sinceMs = Number.POSITIVE_INFINITY;

  constructor(unitMs: number) {
    this.unitMs = unitMs;
  }

  observed(claims: readonly NodeClaimObject[], journal: readonly Command[], nowMs: number): void {
    const ours = new Set(journal.flatMap(({ replacements }) => replacements.map((r) => r.nodeClaim)));
    for (const { name, labels, createdMs } of claims) {
      const pool = labels[NODE_POOL];
      this.sinceMs = Math.min(this.sinceMs, createdMs);
      if (pool === undefined || this.seen.has(name) || ours.has(name)) continue;
      this.launchedMs.set(pool, [...(this.launchedMs.get(pool) ?? []), Math.min(createdMs, nowMs)]);
    }
    this.seen = new Set(claims.map(({ name }) => name));
    for (const [pool, times] of this.launchedMs) {
      const recent = times.filter((ms) => ms > nowMs - WINDOW_MS);
      if (recent.length === 0) this.launchedMs.delete(pool);
      else this.launchedMs.set(pool, recent);
    }
  }

  /** The mean time between bursts of launches, or the time since the last one if that is longer. */
  lastsMs(pool: string, nowMs: number): number {
    const times = [...(this.launchedMs.get(pool) ?? [])].sort((a, b) => a - b);
    const bursts = times.filter((ms, i) => i === 0 || ms - times[i - 1] > ONE_BURST * this.unitMs).length;
    const observedMs = Math.max(0, Math.min(WINDOW_MS, nowMs - this.sinceMs));
    const meanMs = (ASSUMED * this.unitMs + observedMs) / (1 + bursts);
    const quietMs = nowMs - (times.at(-1) ?? nowMs);
    return Math.max(LEAST * this.unitMs, meanMs, quietMs);
  }
}
