import { CAPACITY_TYPE, NODE_POOL, ZONE } from '../cluster/well-known.ts';
import type { CompiledCluster } from '../scheduling/compiled-cluster.ts';
import type { Candidate } from './candidates.ts';
import { isAtLeast } from './tolerance.ts';

/** The policy `Balanced`: a move's share of its pool's cost must justify its share of the pool's disruption. */
const BALANCED = 'Balanced';

export interface PoolTotals {
  /** Dollars per hour of all nodes of the pool. */
  readonly cost: number;
  readonly disruptionCost: number;
  /** Ignore float noise; not in compat, as in Karpenter. */
  readonly tolerant?: true;
}

/** Totals of every Balanced pool with a candidate. */
export function poolTotals(cluster: CompiledCluster, candidates: readonly Candidate[]): Map<string, PoolTotals> {
  const totals = totalsOfAll(
    cluster,
    candidates.filter((c) => c.policy.policy === BALANCED),
  );
  if (cluster.settings.compat) return totals;
  return new Map([...totals].map(([pool, own]) => [pool, { ...own, tolerant: true }]));
}

/** Totals of every pool with a candidate, as Karpenter computes them; including nodes that are not candidates. */
export function totalsOfAll(cluster: CompiledCluster, candidates: readonly Candidate[]): Map<string, PoolTotals> {
  if (candidates.length === 0) return new Map();
  const tracked = trackedCosts(cluster);
  const fallback = new Map<string, number>();
  const weightOfRow = new Map<number, number>();
  for (const c of candidates) {
    fallback.set(c.pool.name, (fallback.get(c.pool.name) ?? 0) + c.price);
    weightOfRow.set(c.row, c.rescheduleCost);
  }
  const disruption = new Map<string, number>();
  cluster.rows.forEach(({ labels, tracked: isTracked }, row) => {
    const pool = labels[NODE_POOL];
    if (!isTracked || pool === undefined) return;
    disruption.set(pool, (disruption.get(pool) ?? 0) + (weightOfRow.get(row) ?? nodeWeight(cluster, row)));
  });
  return new Map(
    [...fallback].map(([pool, sum]) => {
      const cost = tracked.get(pool) ?? 0;
      return [pool, { cost: cost > 0 ? cost : sum, disruptionCost: disruption.get(pool) ?? 0 }];
    }),
  );
}

/** For a node that is not a candidate: mirror and terminating pods count, DaemonSets do not. */
function nodeWeight(cluster: CompiledCluster, row: number): number {
  let weight = 1;
  for (const i of cluster.podsOfRow[row]) {
    const { terminal, daemon, evictionCost } = cluster.facts[i];
    if (!terminal && !daemon) weight += Math.max(0, evictionCost);
  }
  return weight;
}

/** Σ price of a pool's NodeClaims, by the labels of the claims. */
function trackedCosts(cluster: CompiledCluster): Map<string, number> {
  const out = new Map<string, number>();
  const pools = new Set(cluster.objects.nodePools.map((p) => p.name));
  for (const { labels } of cluster.objects.nodeClaims) {
    const pool = labels[NODE_POOL];
    const zone = labels[ZONE];
    const capacityType = labels[CAPACITY_TYPE];
    if (pool === undefined || zone === undefined || capacityType === undefined || !pools.has(pool)) continue;
    const type = cluster.types.ofNode(labels);
    const price = type === undefined ? undefined : cluster.types.priceOf(type, zone, capacityType);
    out.set(pool, (out.get(pool) ?? 0) + (price ?? 0));
  }
  return out;
}

export interface Score {
  readonly score: number;
  readonly required: number;
}

/** `k`: how many times its share of savings a move's share of disruption may be. */
function score(savings: number, disruptionCost: number, totals: PoolTotals | undefined, k: number): Score {
  const required = 1 / k;
  if (totals === undefined || totals.cost <= 0 || totals.disruptionCost <= 0) return { score: 0, required };
  const saved = savings / totals.cost;
  const disrupted = disruptionCost / totals.disruptionCost;
  if (saved <= 0) return { score: 0, required };
  return { score: disrupted === 0 ? Infinity : saved / disrupted, required };
}

function isApproved({ score: own, required }: Score, totals: PoolTotals | undefined): boolean {
  return totals?.tolerant === true ? isAtLeast(own, required) : own >= required;
}

/** If even deleting the node does not score enough, no replacement does: savings are at most its price. */
export function isBeyondBalance(c: Candidate, totals: ReadonlyMap<string, PoolTotals>): Score | undefined {
  const own = totals.get(c.pool.name);
  if (c.policy.policy !== BALANCED || own === undefined || own.cost <= 0) return undefined;
  const best = score(c.price, c.rescheduleCost, own, c.policy.balancedK);
  return isApproved(best, own) ? undefined : best;
}

/** The first Balanced pool that disapproves of a move; other pools are not asked. */
export function disapproving(
  candidates: readonly Candidate[],
  savings: number,
  totals: ReadonlyMap<string, PoolTotals>,
): (Score & { readonly nodePool: string }) | undefined {
  const pools = Map.groupBy(candidates, ({ pool }) => pool.name);
  const price = candidates.reduce((sum, c) => sum + c.price, 0);
  for (const [nodePool, own] of pools) {
    if (own[0].policy.policy !== BALANCED) continue;
    const ownPrice = own.reduce((sum, c) => sum + c.price, 0);
    const share = price > 0 && pools.size > 1 ? savings * (ownPrice / price) : savings;
    const result = score(
      share,
      own.reduce((sum, c) => sum + c.rescheduleCost, 0),
      totals.get(nodePool),
      own[0].policy.balancedK,
    );
    if (!isApproved(result, totals.get(nodePool))) return { ...result, nodePool };
  }
  return undefined;
}
