import type { NodePoolObject } from '../cluster/objects.ts';
import { evictionCost, isDisruptable, isReschedulable } from '../cluster/pods.ts';
import { conditionIsTrue } from '../cluster/state-nodes.ts';
import { CAPACITY_TYPE, INSTANCE_TYPE, NODE_POOL, ZONE } from '../cluster/well-known.ts';
import type { NodeRefusal } from '../refusal.ts';
import type { CompiledCluster } from '../scheduling/compiled-cluster.ts';
import { lifetimeRemaining } from './lifetime.ts';

/** Cost of draining a node that has nothing on it, in pods. */
const BASE_COST = 1;

/** A node that Karpenter could remove, with what it weighs. */
export interface Candidate {
  readonly row: number;
  readonly name: string;
  readonly pool: NodePoolObject;
  /** Index into the catalog, -1 if it is not there. */
  readonly type: number;
  readonly zone: string;
  readonly capacityType: string;
  /** Dollars per hour; 0 when unknown, as Karpenter has it. */
  readonly price: number;
  readonly priced: boolean;
  /** Σ eviction cost of all pods × remaining lifetime. Karpenter computes it and uses it nowhere. */
  readonly disruptionCost: number;
  /** 1 + Σ eviction cost of the pods that would have to move, none below 0. */
  readonly rescheduleCost: number;
  readonly pods: number;
}

export type Assessment = { readonly candidate: Candidate } | { readonly refusals: readonly NodeRefusal[] };

/** Candidate construction, karpenter-semantics §1.1: every reason why not, in Karpenter's order. */
export function assess(cluster: CompiledCluster, row: number): Assessment {
  const refusals = [...nodeRefusals(cluster, row), ...podRefusals(cluster, row)];
  return refusals.length > 0 ? { refusals } : { candidate: candidate(cluster, row) };
}

function nodeRefusals(cluster: CompiledCluster, row: number): NodeRefusal[] {
  const { claim, node, initialized, deleting, doNotDisrupt, labels } = cluster.rows[row];
  if (claim === undefined) return [{ code: 'not-managed' }];
  if (node === undefined) return [{ code: 'no-node' }];
  const out: NodeRefusal[] = [];
  if (!initialized) out.push({ code: 'not-initialized' });
  if (deleting) out.push({ code: 'deleting' });
  if (doNotDisrupt === 'true') out.push({ code: 'node-annotation' });
  const pool = labels[NODE_POOL];
  if (pool === undefined) out.push({ code: 'no-node-pool-label' });
  else if (poolOf(cluster, row) === undefined || cluster.types.count === 0)
    out.push({ code: 'unknown-node-pool', nodePool: pool });
  return out;
}

function poolOf(cluster: CompiledCluster, row: number): NodePoolObject | undefined {
  return cluster.poolByName.get(cluster.rows[row].labels[NODE_POOL] ?? '');
}

function podRefusals(cluster: CompiledCluster, row: number): NodeRefusal[] {
  const { pods, objects, budgets } = cluster;
  const out: NodeRefusal[] = [];
  for (const i of cluster.podsOfRow[row]) {
    const pod = pods[i];
    const name = `${pod.namespace}/${pod.name}`;
    if (!isDisruptable(pod, objects.nowMs))
      out.push({ code: 'pod-annotation', pod: name, value: pod.doNotDisrupt ?? '' });
    const blocking = budgets.blocking(pod).map((b) => `${b.namespace}/${b.name}`);
    if (blocking.length === 1) out.push({ code: 'pod-disruption-budget', pod: name, budget: blocking[0] });
    else if (blocking.length > 1) out.push({ code: 'several-disruption-budgets', pod: name, budgets: blocking });
  }
  return out;
}

function candidate(cluster: CompiledCluster, row: number): Candidate {
  const { rows, types, pods, objects, podsOfRow } = cluster;
  const { labels, claim, name } = rows[row];
  const pool = poolOf(cluster, row);
  if (pool === undefined) throw new Error(`candidate ${name} has no NodePool`);
  const type = types.indexOf(labels[INSTANCE_TYPE] ?? '') ?? -1;
  const zone = labels[ZONE] ?? '';
  const capacityType = labels[CAPACITY_TYPE] ?? '';
  const price = type < 0 ? undefined : types.priceOf(type, zone, capacityType);
  let all = 0;
  let moving = BASE_COST;
  let count = 0;
  for (const i of podsOfRow[row]) {
    const cost = evictionCost(pods[i]);
    all += cost;
    if (!isReschedulable(pods[i])) continue;
    moving += Math.max(0, cost);
    count++;
  }
  return {
    row,
    name,
    pool,
    type,
    zone,
    capacityType,
    price: price ?? 0,
    priced: price !== undefined,
    disruptionCost: all * lifetimeRemaining(claim, objects.nowMs),
    rescheduleCost: moving,
    pods: count,
  };
}

/** No pod on it costs anything to move. */
export function isEmpty(c: Candidate): boolean {
  return c.rescheduleCost <= BASE_COST;
}

export function savingsRatio(c: Candidate): number {
  return c.price / c.rescheduleCost;
}

/** Filter of the emptiness method; of the others, §1.2. Silent refusals of Karpenter have a code here too. */
export function emptinessRefusals(cluster: CompiledCluster, c: Candidate): NodeRefusal[] {
  if (c.pool.replicas !== undefined) return [{ code: 'static-node-pool', nodePool: c.pool.name }];
  if (c.pool.consolidateAfterMs === undefined) return [{ code: 'consolidation-disabled', nodePool: c.pool.name }];
  return isEmpty(c) ? waiting(cluster, c) : [];
}

export function underutilizedRefusals(cluster: CompiledCluster, c: Candidate): NodeRefusal[] {
  const { labels } = cluster.rows[c.row];
  if (c.pool.replicas !== undefined) return [{ code: 'static-node-pool', nodePool: c.pool.name }];
  const out: NodeRefusal[] = [];
  if (c.type < 0) out.push({ code: 'unknown-instance-type', instanceType: labels[INSTANCE_TYPE] ?? '' });
  for (const label of [CAPACITY_TYPE, ZONE])
    if (labels[label] === undefined) out.push({ code: 'missing-label', label });
  if (c.pool.consolidateAfterMs === undefined) out.push({ code: 'consolidation-disabled', nodePool: c.pool.name });
  if (c.pool.consolidationPolicy === 'WhenEmpty')
    out.push({ code: 'policy-when-empty', nodePool: c.pool.name, pods: c.pods });
  return [...out, ...waiting(cluster, c)];
}

function waiting(cluster: CompiledCluster, c: Candidate): NodeRefusal[] {
  const { claim } = cluster.rows[c.row];
  if (claim === undefined || conditionIsTrue(claim, 'Consolidatable')) return [];
  const since =
    claim.lastPodEventMs ?? claim.conditions.find((x) => x.type === 'Initialized')?.changedMs ?? claim.createdMs;
  const waitMs = Math.max(0, since + (c.pool.consolidateAfterMs ?? 0) - cluster.objects.nowMs);
  return [{ code: 'not-consolidatable', waitMs }];
}
