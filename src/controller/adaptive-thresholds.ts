import { NODE_POOL } from '../engine/cluster/well-known.ts';
import type { CompiledCluster } from '../engine/scheduling/compiled-cluster.ts';
import { type AdaptiveLevel, type AdaptiveSettings, adapted, clamped } from './adaptive-threshold.ts';
import type { Command } from './command.ts';
import type { PoolGovernance } from './governance.ts';
import { podsToMove } from './new-command.ts';
import type { Pass } from './pass.ts';
import { PoolThresholds } from './pool-thresholds.ts';

/**
 * The levels of all pools that Decant may act on. Only the journal stores them: a command records its threshold, so
 * after a restart a pool continues from its last command; later steps down are repeated.
 */
export class AdaptiveThresholds {
  private readonly settings: AdaptiveSettings;
  private readonly levels = new Map<string, AdaptiveLevel>();
  private readonly thresholds = new PoolThresholds();

  constructor(settings: AdaptiveSettings) {
    this.settings = settings;
  }

  get current(): ReadonlyMap<string, AdaptiveLevel> {
    return new Map(this.levels);
  }

  /** The governance with the levels instead of the policies' thresholds, which are the initial values. */
  applied(
    poolGovernance: ReadonlyMap<string, PoolGovernance>,
    journal: readonly Command[],
    nowMs: number,
  ): ReadonlyMap<string, PoolGovernance> {
    for (const pool of this.levels.keys()) if (!poolGovernance.has(pool)) this.levels.delete(pool);
    return this.thresholds.applied(poolGovernance, (pool, { blockReason, policy: { savingsThresholdCents } }) => {
      if (blockReason !== undefined) return savingsThresholdCents;
      const level = this.levels.get(pool) ?? this.firstLevel(pool, savingsThresholdCents, journal, nowMs);
      this.levels.set(pool, level);
      return level.cents;
    });
  }

  /** After a pass: updates each pool from its report and the journal. */
  passed({ cluster, report }: Pass, journal: readonly Command[]): void {
    const pods = podsByPool(cluster);
    for (const [pool, level] of this.levels) {
      const next = adapted(
        level,
        {
          nowMs: cluster.objects.nowMs,
          pods: pods.get(pool) ?? 0,
          evictedSince: (sinceMs) => evictedSince(journal, pool, sinceMs),
          blocked: report.thresholdBlocked.get(pool)?.size ?? 0,
          centsPerHour: report.pools.get(pool)?.centsPerHour ?? 0,
        },
        this.settings,
      );
      this.levels.set(pool, next);
    }
  }

  private firstLevel(pool: string, usualCents: number, journal: readonly Command[], nowMs: number): AdaptiveLevel {
    const last = journal
      .filter(({ nodes, predicted }) => predicted.disruptionCost > 0 && nodes.every((n) => n.nodePool === pool))
      .reduce<Command | undefined>((newest, c) => (newest !== undefined && newest.id > c.id ? newest : c), undefined);
    if (last === undefined) return { cents: clamped(usualCents, this.settings), why: 'start', sinceMs: nowMs };
    const { requiredCentsPerHour, disruptionCost } = last.predicted;
    return {
      cents: clamped(requiredCentsPerHour / disruptionCost, this.settings),
      why: 'journal',
      // Its evictions are not accounted for yet.
      sinceMs: last.decidedMs,
    };
  }
}

function podsByPool(cluster: CompiledCluster): ReadonlyMap<string, number> {
  const out = new Map<string, number>();
  cluster.rows.forEach(({ labels }, row) => {
    const pool = labels[NODE_POOL] ?? '';
    out.set(pool, (out.get(pool) ?? 0) + podsToMove(cluster, row));
  });
  return out;
}

/** Evicted pods of the pool since then. */
function evictedSince(journal: readonly Command[], pool: string, sinceMs: number): number {
  let pods = 0;
  for (const { drainingMs, nodes } of journal) {
    if (drainingMs === undefined || drainingMs <= sinceMs) continue;
    for (const node of nodes) if (node.nodePool === pool) pods += node.pods;
  }
  return pods;
}
