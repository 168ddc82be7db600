import type { NodePoolObject } from '../cluster/objects.ts';
import { CAPACITY_TYPE, ZONE } from '../cluster/well-known.ts';
import type { CompiledCluster } from '../scheduling/compiled-cluster.ts';
import type { Rules } from '../settings.ts';
import { type AutoPercent, autoPercent } from './auto-percent.ts';
import { lifetimeRemaining } from './lifetime.ts';
import { type Methods, methodsFor } from './methods.ts';
import type { PoolPolicy } from './pool-policy.ts';

/** Cost of draining a node that has nothing on it, in pods, as Karpenter orders candidates. */
const BASE_COST = 1;

/** A node that could be removed, with what it weighs. */
export interface Candidate {
  readonly row: number;
  readonly name: string;
  readonly pool: NodePoolObject;
  readonly policy: PoolPolicy;
  /** Index into the catalog, -1 if it is not there. */
  readonly type: number;
  readonly zone: string;
  readonly capacityType: string;
  /** Dollars per hour; 0 when unknown, as Karpenter has it. */
  readonly price: number;
  /** Σ eviction cost of all pods × remaining lifetime. Karpenter computes it and uses it nowhere. */
  readonly evictionCost: number;
  /** 1 + Σ eviction cost of the pods that would have to move, none below 0: what Karpenter orders by. */
  readonly rescheduleCost: number;
  /**
   * No pod on it has to be rescheduled. Stock calls a node empty whose pods all have an eviction cost of 0 or less; so do we in
   * compatibility only.
   */
  readonly empty: boolean;
  /** What the savings threshold weighs: (base cost + Σ eviction cost of its pods) × remaining lifetime. */
  readonly disruptionCost: number;
  /** Set where the pool leaves its least saving to us. */
  readonly autoPercent: AutoPercent | undefined;
  /** Who may take it up by its pool's policy and methods block; gates that look at the clock are asked apart. */
  readonly methods: Methods;
}

/** The node as a candidate: what it weighs. The gates decide whether it is one. */
export function candidateOf(cluster: CompiledCluster, row: number, pool: NodePoolObject, rules: Rules): Candidate {
  const { rows, types, facts, objects, podsOfRow } = cluster;
  const { labels, claim, name } = rows[row];
  const type = types.ofNode(labels) ?? -1;
  const zone = labels[ZONE] ?? '';
  const capacityType = labels[CAPACITY_TYPE] ?? '';
  let all = 0;
  let moving = BASE_COST;
  let pods = 0;
  for (const i of podsOfRow[row]) {
    const { evictionCost, reschedulable } = facts[i];
    all += evictionCost;
    if (!reschedulable) continue;
    moving += Math.max(0, evictionCost);
    pods++;
  }
  const policy = rules.policyOf(pool);
  const empty = rules.settings.compat ? moving <= BASE_COST : pods === 0;
  return {
    row,
    name,
    pool,
    policy,
    type,
    zone,
    capacityType,
    price: types.quote(labels)?.price ?? 0,
    evictionCost: all * lifetimeRemaining(claim, objects.nowMs),
    rescheduleCost: moving,
    empty,
    disruptionCost: disruptionCost(cluster, row, rules.settings.nodeBaseCost),
    autoPercent: policy.minSavingsPercent === 'auto' ? autoPercent(cluster, row) : undefined,
    methods: methodsFor(cluster, row, pool, policy, empty),
  };
}

/** (base cost + Σ eviction cost of its pods) × remaining lifetime; DaemonSet pods count, terminal and mirror pods do not. */
export function disruptionCost(cluster: CompiledCluster, row: number, baseCost: number): number {
  let cost = baseCost;
  for (const i of cluster.podsOfRow[row]) {
    const { terminal, mirror, evictionCost } = cluster.facts[i];
    if (!terminal && !mirror) cost += evictionCost;
  }
  return cost * lifetimeRemaining(cluster.rows[row].claim, cluster.objects.nowMs);
}

export function isEmpty({ empty }: Candidate): boolean {
  return empty;
}

export function savingsRatio(c: Candidate): number {
  return c.price / c.rescheduleCost;
}
