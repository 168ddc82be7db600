import type { CoveredBy } from '../cluster/commitment.ts';
import type { NodePoolObject } from '../cluster/objects.ts';
import { CAPACITY_TYPE, ZONE } from '../cluster/well-known.ts';
import type { CompiledCluster } from '../scheduling/compiled-cluster.ts';
import type { Rules } from '../settings.ts';
import { type AutoPercent, autoPercent } from './auto-percent.ts';
import { lifetimeRemaining } from './lifetime.ts';
import { type Methods, methodsFor } from './methods.ts';
import type { PoolPolicy } from './pool-policy.ts';
import { rowFacts } from './row-facts.ts';

/** Cost of draining an empty node, in pods, in Karpenter's order of candidates. */
const BASE_COST = 1;

/** A node that could be removed, with its costs. */
export interface Candidate {
  readonly row: number;
  readonly name: string;
  readonly pool: NodePoolObject;
  readonly policy: PoolPolicy;
  /** Index in the catalog, -1 if missing. */
  readonly type: number;
  readonly zone: string;
  readonly capacityType: string;
  /** Dollars per hour; 0 if unknown, as in Karpenter. */
  readonly price: number;
  /** Commitments that may pay for it. */
  readonly coveredBy?: CoveredBy | undefined;
  /** Σ eviction cost of all pods × remaining lifetime. Karpenter computes it but does not use it. */
  readonly evictionCost: number;
  /** 1 + Σ eviction cost of the pods that would have to move, each at least 0: Karpenter's order. */
  readonly rescheduleCost: number;
  /**
   * No pod on it has to be rescheduled. Stock calls a node empty if all its pods have an eviction cost of 0 or less;
   * Decant does so in compat only.
   */
  readonly empty: boolean;
  /** For the savings threshold: (base cost + Σ eviction cost of its pods) × remaining lifetime. */
  readonly disruptionCost: number;
  /** Set if the pool's minimum savings are automatic. */
  readonly autoPercent: AutoPercent | undefined;
  /** Methods that its pool's policy and methods block allow; gates that depend on time are separate. */
  readonly methods: Methods;
}

/** The node as a candidate, with its costs. The gates decide whether it is one. */
export function candidateOf(cluster: CompiledCluster, row: number, pool: NodePoolObject, rules: Rules): Candidate {
  const { rows, types, objects } = cluster;
  const { labels, claim, name } = rows[row];
  const type = types.ofNode(labels) ?? -1;
  const zone = labels[ZONE] ?? '';
  const capacityType = labels[CAPACITY_TYPE] ?? '';
  const { evictionCost, movingCost, moving } = rowFacts(cluster, row);
  const policy = rules.policyOf(pool);
  const quote = types.quote(labels);
  const empty = rules.settings.compat ? movingCost <= 0 : moving === 0;
  return {
    row,
    name,
    pool,
    policy,
    type,
    zone,
    capacityType,
    price: quote?.price ?? 0,
    ...(quote?.coveredBy === undefined ? {} : { coveredBy: quote.coveredBy }),
    evictionCost: evictionCost * lifetimeRemaining(claim, objects.nowMs),
    rescheduleCost: BASE_COST + movingCost,
    empty,
    disruptionCost: disruptionCost(cluster, row, rules.settings.nodeBaseCost),
    autoPercent: policy.minSavingsPercent === 'auto' ? autoPercent(cluster, row) : undefined,
    methods: methodsFor(cluster, row, pool, policy, empty),
  };
}

/** (base cost + Σ eviction cost of its pods) × remaining lifetime; DaemonSet pods count, terminal and mirror pods do not. */
export function disruptionCost(cluster: CompiledCluster, row: number, baseCost: number): number {
  return (
    (baseCost + rowFacts(cluster, row).disruptionCost) *
    lifetimeRemaining(cluster.rows[row].claim, cluster.objects.nowMs)
  );
}

export function isEmpty({ empty }: Candidate): boolean {
  return empty;
}

export function savingsRatio(c: Candidate): number {
  return c.price / c.rescheduleCost;
}
