import type { NodeClaimObject } from '../engine/cluster/objects.ts';
import { NODE_POOL } from '../engine/cluster/well-known.ts';
import type { Command } from './command.ts';

/**
 * When each pool last grew by itself: Karpenter launched a node for pending pods, other than our replacements. Nodes
 * deleted then are likely to be launched again.
 *
 * Kept in memory, because a launched node may be gone; after a restart, derived from existing nodes.
 */
export class PoolGrowth {
  private readonly grownMs = new Map<string, number>();

  observed(claims: readonly NodeClaimObject[], journal: readonly Command[]): void {
    const isOurs = (name: string) => journal.some((c) => c.replacements.some((r) => r.nodeClaim === name));
    for (const { name, labels, createdMs } of claims) {
      const pool = labels[NODE_POOL];
      if (pool === undefined || createdMs <= (this.grownMs.get(pool) ?? Number.NEGATIVE_INFINITY)) continue;
      if (!isOurs(name)) this.grownMs.set(pool, createdMs);
    }
  }

  /** How long none of the pools has grown; undefined if unknown for one. */
  quietMs(pools: Iterable<string>, nowMs: number): number | undefined {
    let quiet = Infinity;
    for (const pool of pools) {
      const grownMs = this.grownMs.get(pool);
      if (grownMs === undefined) return undefined;
      quiet = Math.min(quiet, Math.max(0, nowMs - grownMs));
    }
    return quiet === Infinity ? undefined : quiet;
  }
}
