import type { StateNode } from '../cluster/state-nodes.ts';
import { CORDONED, NODE_POOL } from '../cluster/well-known.ts';
import type { Headroom, PoolPolicy } from '../disruption/pool-policy.ts';
import { workloadNames } from '../disruption/workloads.ts';
import type { MoveRefusal } from '../refusal.ts';
import type { Claim } from '../scheduling/claim.ts';
import type { CompiledCluster } from '../scheduling/compiled-cluster.ts';
import { isCordoned, lostReadiness } from '../scheduling/destinations.ts';
import type { OutcomeGate } from '../scheduling/outcome-gate.ts';
import type { Outcome, Simulation } from '../scheduling/simulation.ts';
import type { Rules } from '../settings.ts';
import { capacityOfClaim, capacityOfRow, headroom, type Measure, measureHeadroom } from './headroom.ts';
import { minNodes } from './min-nodes.ts';
import { workloadShare } from './workload-share.ts';

/** Whether a pool's policy requires anything to be left after a move. */
export function keepsReserve(policy: PoolPolicy): boolean {
  return reserveOf(policy).some((field) => field !== undefined);
}

function reserveOf({ headroom, minNodes, maxShareOnOneNode }: PoolPolicy) {
  return [headroom, minNodes, maxShareOnOneNode];
}

/** Cordoned nodes take no pods; those that Decant tainted for a command count until they are deleted. */
function takesPods(node: StateNode): boolean {
  if (!node.initialized || lostReadiness(node) || isCordoned(node)) return false;
  return !node.taints.some(({ key }) => key === CORDONED);
}

interface Pool {
  readonly name: string;
  readonly policy: PoolPolicy;
  /** Nodes that are not being deleted. */
  readonly rows: readonly number[];
  /** Those that pods can be placed on. */
  readonly open: ReadonlySet<number>;
  readonly pods: number;
  readonly needs: readonly { readonly need: Headroom; readonly before: Measure }[];
}

/**
 * What a move must leave: headroom and nodes of each pool, and workloads spread over nodes. Evaluated before the
 * outcome is undone, on top of all earlier moves, so it holds for a plan as a whole.
 */
export class PoolReserve implements OutcomeGate {
  private readonly cluster: CompiledCluster;
  private readonly pools: readonly Pool[];
  private readonly poolOfRow = new Map<number, Pool>();
  private readonly workloadOf: (pod: number) => string;
  readonly key: string;
  private replicas: ReadonlyMap<string, number> | undefined;

  private constructor(cluster: CompiledCluster, policies: ReadonlyMap<string, PoolPolicy>) {
    this.cluster = cluster;
    this.key = JSON.stringify([...policies].map(([name, policy]) => [name, reserveOf(policy)]));
    const nameOf = workloadNames(cluster.objects.workloads);
    this.workloadOf = (pod) => nameOf(cluster.pods[pod]);
    this.pools = [...policies].map(([name, policy]) => this.poolOf(name, policy));
    for (const pool of this.pools) for (const row of pool.rows) this.poolOfRow.set(row, pool);
  }

  /** undefined if no pool requires anything. */
  static of(cluster: CompiledCluster, rules: Rules): PoolReserve | undefined {
    if (rules.settings.compat) return undefined;
    const policies = new Map<string, PoolPolicy>();
    for (const pool of cluster.objects.nodePools) {
      const policy = rules.policyOf(pool);
      if (keepsReserve(policy)) policies.set(pool.name, policy);
    }
    return policies.size === 0 ? undefined : new PoolReserve(cluster, policies);
  }

  refusal(simulation: Simulation, outcome: Pick<Outcome, 'placements'>): MoveRefusal | undefined {
    const { rowOfPod } = this.cluster;
    // Without what Karpenter would launch for pending pods or pods of a leaving node anyway.
    const isMoved = (pod: number) => rowOfPod[pod] >= 0 && simulation.existing.isGone(rowOfPod[pod]);
    const claims = simulation.launching().filter(({ pods }) => pods.some(isMoved));
    const givenBack = this.virtualRequests(simulation);
    for (const pool of this.pools) {
      const rows = pool.rows.filter((row) => !simulation.existing.isGone(row));
      const own = claims.filter(({ template }) => this.cluster.templates[template].pool.name === pool.name);
      const refusal = this.inPool(pool, rows, own, givenBack);
      if (refusal !== undefined) return refusal;
    }
    return this.shareExceeded(simulation, outcome, claims);
  }

  private inPool(
    { name, policy, rows: all, open, pods, needs }: Pool,
    rows: readonly number[],
    claims: readonly Claim[],
    givenBack: ReadonlyMap<number, Float64Array>,
  ): MoveRefusal | undefined {
    const tooFew = minNodes(name, policy.minNodes ?? 0, all.length, rows.length + claims.length);
    if (tooFew !== undefined) return tooFew;
    for (const { need, before } of needs) {
      const nodes = [
        ...rows.filter((row) => open.has(row)).map((row) => capacityOfRow(this.cluster, row, givenBack.get(row))),
        ...claims.map((claim) => capacityOfClaim(this.cluster, claim, need)),
      ];
      const refusal = headroom(name, need, before, measureHeadroom(need, nodes, pods));
      if (refusal !== undefined) return refusal;
    }
    return undefined;
  }

  /** Destinations of the outcome, with their earlier pods. */
  private shareExceeded(
    simulation: Simulation,
    { placements }: Pick<Outcome, 'placements'>,
    claims: readonly Claim[],
  ): MoveRefusal | undefined {
    const { cluster } = this;
    const rows = new Set(placements.flatMap(({ row }) => (this.shareOf(this.poolOfRow.get(row)) < 1 ? [row] : [])));
    const podsOn = new Map([...rows].map((row) => [row, [...cluster.podsOfRow[row]]]));
    if (rows.size > 0) for (const { pod, row } of simulation.placed) podsOn.get(row)?.push(pod);
    for (const [row, pods] of podsOn) {
      const moved = placements.filter((p) => p.row === row).map(({ pod }) => pod);
      const refusal = this.share(this.poolOfRow.get(row), cluster.rows[row].name, pods, moved);
      if (refusal !== undefined) return refusal;
    }
    for (const { template, pods } of claims) {
      const { name } = cluster.templates[template].pool;
      const refusal = this.share(
        this.pools.find((pool) => pool.name === name),
        'a new node',
        pods,
        pods,
      );
      if (refusal !== undefined) return refusal;
    }
    return undefined;
  }

  private shareOf(pool: Pool | undefined): number {
    return pool?.policy.maxShareOnOneNode ?? 1;
  }

  private share(
    pool: Pool | undefined,
    node: string,
    pods: readonly number[],
    moved: readonly number[],
  ): MoveRefusal | undefined {
    const maxShare = this.shareOf(pool);
    if (pool === undefined || maxShare === 1) return undefined;
    const counts = this.countByWorkload(pods);
    for (const workload of new Set(moved.map(this.workloadOf))) {
      this.replicas ??= this.countByWorkload([...this.cluster.pods.keys()]);
      const at = { node, nodePool: pool.name };
      const refusal = workloadShare(
        workload,
        at,
        counts.get(workload) ?? 0,
        this.replicas.get(workload) ?? 0,
        maxShare,
      );
      if (refusal !== undefined) return refusal;
    }
    return undefined;
  }

  private countByWorkload(pods: readonly number[]): ReadonlyMap<string, number> {
    const counts = new Map<string, number>();
    for (const pod of pods) {
      const { facts, pods: objects } = this.cluster;
      if (facts[pod].terminal || objects[pod].capacityBuffer !== undefined) continue;
      const workload = this.workloadOf(pod);
      counts.set(workload, (counts.get(workload) ?? 0) + 1);
    }
    return counts;
  }

  /** By row: requests of virtual pods of CapacityBuffers. */
  private virtualRequests(simulation: Simulation): ReadonlyMap<number, Float64Array> {
    const { pods, requests, requestOfPod, objects } = this.cluster;
    const taken = new Map<number, Float64Array>();
    if (objects.capacityBuffers.length === 0) return taken;
    for (const { pod, row } of simulation.placed) {
      if (pods[pod].capacityBuffer === undefined) continue;
      const sum = taken.get(row) ?? new Float64Array(requests.dimensions.size);
      requests.amounts(requestOfPod[pod]).forEach((amount, d) => {
        sum[d] += amount;
      });
      taken.set(row, sum);
    }
    return taken;
  }

  private poolOf(name: string, policy: PoolPolicy): Pool {
    const { cluster } = this;
    const rows: number[] = [];
    cluster.rows.forEach((node, row) => {
      if (node.labels[NODE_POOL] === name && node.tracked && !node.deleting) rows.push(row);
    });
    const pods = rows.reduce((sum, row) => sum + cluster.movableOfRow[row].length, 0);
    const open = new Set(rows.filter((row) => takesPods(cluster.rows[row])));
    const nodes = [...open].map((row) => capacityOfRow(cluster, row, undefined));
    const needs = (policy.headroom ?? []).map((need) => ({ need, before: measureHeadroom(need, nodes, pods) }));
    return { name, policy, rows, open, pods, needs };
  }
}
