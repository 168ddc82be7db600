import { addBit, type Bitset, bitset } from '../cluster/bitset.ts';
import { amountOf, type NodePoolObject } from '../cluster/objects.ts';
import type { RequestTable } from '../cluster/request-table.ts';
import { conditionIsTrue, type StateNode } from '../cluster/state-nodes.ts';
import { NODE_POOL } from '../cluster/well-known.ts';
import type { CompiledCluster, CompileSettings } from './compiled-cluster.ts';
import type { DaemonSets } from './daemon-sets.ts';
import type { VolumeLimits } from './volume-limits.ts';

/** By column: allocatable minus running pods, minus outstanding DaemonSet pods. Unchanged rows have what they had. */
export function freeCapacity(
  { facts, requestOfPod }: Pick<CompiledCluster, 'facts' | 'requestOfPod'>,
  podsOfRow: CompiledCluster['podsOfRow'],
  requests: RequestTable,
  rows: readonly StateNode[],
  daemonSets: Pick<DaemonSets, 'expectedOn'>,
  unchanged: Int32Array,
  last: CompiledCluster | undefined,
): Float64Array[] {
  const width = requests.dimensions.size;
  const free = Array.from({ length: width }, () => new Float64Array(rows.length));
  const running = new Float64Array(width);
  for (let row = 0; row < rows.length; row++) {
    if (last !== undefined && unchanged[row] >= 0) {
      for (let d = 0; d < width; d++) free[d][row] = last.free[d][unchanged[row]];
      continue;
    }
    running.fill(0);
    for (const i of podsOfRow[row]) {
      const { terminal, daemon } = facts[i];
      if (terminal) continue;
      const amounts = requests.amounts(requestOfPod[i]);
      for (let d = 0; d < width; d++) {
        free[d][row] -= amounts[d];
        if (daemon) running[d] += amounts[d];
      }
    }
    const allocatable = requests.row(rows[row].allocatable);
    const expected = daemonSets.expectedOn(rows[row]);
    for (let d = 0; d < width; d++) free[d][row] += allocatable[d] - Math.max(0, expected[d] - running[d]);
  }
  return free;
}

export function isDestination(
  node: StateNode,
  row: number,
  free: readonly Float64Array[],
  requests: RequestTable,
  volumeLimits: VolumeLimits,
  { compat }: Pick<CompileSettings, 'compat'>,
): boolean {
  if (!node.tracked || node.deleting || node.undecodable.length > 0) return false;
  if (!compat && (lostReadiness(node) || isCordoned(node) || node.rebooting)) return false;
  return !volumeLimits.isExceeded(row) && !isOvercommitted(node, row, free, requests);
}

/** It was initialized and is not Ready now: pods placed there might not run. Karpenter relies on the taint. */
export function lostReadiness({ node, initialized }: StateNode): boolean {
  return initialized && (node?.ready === 'False' || node?.ready === 'Unknown');
}

/** It has spec.unschedulable and not the taint for it: kube-scheduler uses no such node. Karpenter relies on the taint. */
export function isCordoned({ node }: StateNode): boolean {
  return node?.cordoned === true;
}

/** A node with a negative amount of a resource that it has takes nothing; resources that it lacks count as 0. */
function isOvercommitted(node: StateNode, row: number, free: readonly Float64Array[], requests: RequestTable): boolean {
  for (const [name, d] of requests.dimensions) {
    if (free[d][row] >= 0) continue;
    if (amountOf(node.allocatable, name) !== undefined) return true;
    free[d][row] = 0;
  }
  return false;
}

/** Nodes inside their own consolidateAfter window. */
export function shieldedRows(rows: readonly StateNode[], pools: readonly NodePoolObject[], nowMs: number): Bitset {
  const set = bitset(rows.length);
  const windows = new Map(pools.map((p) => [p.name, p.consolidateAfterMs ?? 0]));
  for (let row = 0; row < rows.length; row++) {
    const { claim, labels } = rows[row];
    const window = windows.get(labels[NODE_POOL] ?? '') ?? 0;
    if (claim === undefined || window === 0) continue;
    // The common case, which needs no conditions.
    if (claim.lastPodEventMs !== undefined && nowMs - claim.lastPodEventMs >= window) continue;
    if (!conditionIsTrue(claim, 'Initialized')) continue;
    const since = claim.lastPodEventMs ?? claim.conditions.find((c) => c.type === 'Initialized')?.changedMs ?? 0;
    if (nowMs - since < window) addBit(set, row);
  }
  return set;
}

/** What a pod that moves may use of the row. */
export function freeForMoves(
  { free, reserve }: Pick<CompiledCluster, 'free' | 'reserve'>,
  d: number,
  row: number,
): number {
  return free[d][row] - Math.max(0, reserve?.[d][row] ?? 0);
}

export function without(set: Bitset, others: Bitset): Bitset {
  return set.map((word, w) => word & ~others[w]);
}
