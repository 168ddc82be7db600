import { getOrInsert } from '../cluster/get-or-insert.ts';
import type { NodeClaimObject, PodObject } from '../cluster/objects.ts';
import { isReschedulable } from '../cluster/pods.ts';
import { NODE_POOL } from '../cluster/well-known.ts';
import type { CompiledCluster } from '../scheduling/compiled-cluster.ts';

/**
 * `consolidationMinSavingsPercent: auto`, "heuristically computed based on the cluster shape" (policies document,
 * option 1): a replacement must earn back the cost of the exchange itself.
 *
 * - It costs the time in which both nodes are paid: until the new one is initialized, and then until the last pod has
 *   moved. Budgets let pods of a workload go one at a time, so starts add up.
 * - Its savings last until the old node would have gone anyway: when it expires, or by the pool's usual churn. If nodes
 *   come and go steadily, the mean remaining life equals the mean age.
 *
 * percent = 100 × (node start + Σ pod starts) / min(remaining lifetime, mean age in the pool), within 5 to 50.
 */
export interface AutoPercent {
  readonly node: string;
  readonly percent: number;
  /** Median time from NodeClaim to initialized node in the pool. */
  readonly nodeStartMs: number;
  /** Pods that would have to move, and the sum of their start times. */
  readonly pods: number;
  readonly podStartsMs: number;
  /** null if the node does not expire. */
  readonly remainingMs: number | null;
  /** Mean age of the pool's nodes. */
  readonly meanAgeMs: number;
}

/** Less would pass noise, more would block moves that any operator would make. */
export const AUTO_RANGE = { least: 5, most: 50 } as const;
/** Defaults for unknown start times: typical EC2 nodes, and pods with a pulled image. */
const USUAL_NODE_START_MS = 60_000;
const USUAL_POD_START_MS = 30_000;
/** A pod with a longer time became ready again after an interruption. */
const LONGEST_POD_START_MS = 10 * 60_000;

export function autoPercent(cluster: CompiledCluster, row: number): AutoPercent {
  const { name, labels, claim } = cluster.rows[row];
  const { nowMs, nodeClaims } = cluster.objects;
  const pool = habitsOf(nodeClaims).get(labels[NODE_POOL] ?? '');
  const moving = cluster.podsOfRow[row].map((i) => cluster.pods[i]).filter(isReschedulable);
  const facts = {
    nodeStartMs: pool?.startMs ?? USUAL_NODE_START_MS,
    pods: moving.length,
    podStartsMs: moving.reduce((sum, pod) => sum + podStartMs(pod), 0),
    remainingMs: claim?.expireAfterMs === undefined ? null : Math.max(0, claim.createdMs + claim.expireAfterMs - nowMs),
    meanAgeMs: pool === undefined ? 0 : Math.max(0, nowMs - pool.createdMs),
  };
  return { node: name, percent: percentOf(facts), ...facts };
}

function percentOf(f: Omit<AutoPercent, 'node' | 'percent'>): number {
  const lastsMs = Math.min(f.remainingMs ?? Infinity, f.meanAgeMs);
  const percent = (100 * (f.nodeStartMs + f.podStartsMs)) / lastsMs;
  return Number.isNaN(percent) ? AUTO_RANGE.most : Math.min(Math.max(percent, AUTO_RANGE.least), AUTO_RANGE.most);
}

function podStartMs({ ready, readyChangedMs, startedMs }: PodObject): number {
  if (ready !== 'True' || readyChangedMs === undefined || startedMs === undefined || readyChangedMs < startedMs)
    return USUAL_POD_START_MS;
  return Math.min(readyChangedMs - startedMs, LONGEST_POD_START_MS);
}

/** Observed behavior of a pool's nodes. */
interface Habits {
  /** Mean time of creation. */
  readonly createdMs: number;
  /** undefined if no claim tells. */
  readonly startMs: number | undefined;
}

/** Cached by the list of claims, for all candidates. */
const known = new WeakMap<readonly NodeClaimObject[], ReadonlyMap<string, Habits>>();

function habitsOf(claims: readonly NodeClaimObject[]): ReadonlyMap<string, Habits> {
  const found = known.get(claims);
  if (found !== undefined) return found;
  const pools = new Map<string, NodeClaimObject[]>();
  for (const claim of claims) {
    const pool = claim.labels[NODE_POOL] ?? '';
    getOrInsert(pools, pool, () => []).push(claim);
  }
  const habits = new Map([...pools].map(([pool, own]) => [pool, habitsOfPool(own)]));
  known.set(claims, habits);
  return habits;
}

function habitsOfPool(claims: readonly NodeClaimObject[]): Habits {
  const starts = claims.flatMap(({ conditions, createdMs }) => {
    const initialized = conditions.find((c) => c.type === 'Initialized' && c.status === 'True');
    return initialized !== undefined && initialized.changedMs > createdMs ? [initialized.changedMs - createdMs] : [];
  });
  starts.sort((a, b) => a - b);
  return {
    createdMs: claims.reduce((sum, c) => sum + c.createdMs, 0) / claims.length,
    startMs: starts.length === 0 ? undefined : starts[starts.length >> 1],
  };
}
