import { getOrInsert } from '../cluster/get-or-insert.ts';
import type { Budget, ClusterObjects, NodePoolObject } from '../cluster/objects.ts';
import { conditionIsTrue, type StateNode } from '../cluster/state-nodes.ts';
import { NODE_POOL } from '../cluster/well-known.ts';
import { isWindowOpen, parseCron } from './cron.ts';
import { isTimeZone } from './time-zone.ts';

export type DisruptionReason = 'Empty' | 'Underutilized' | 'Drifted';

const UNLIMITED = 2 ** 31 - 1;

/** Nodes of each pool that may still be disrupted now for this reason. */
export function remainingBudgets(
  objects: ClusterObjects,
  rows: readonly StateNode[],
  reason: DisruptionReason,
): Map<string, number> {
  return budgetsLeft(objects, poolCounts(rows), reason);
}

/** For both reasons of consolidation. `more`: nodes of each pool beside these, fewer if negative. */
export function consolidationBudgets(
  objects: ClusterObjects,
  rows: readonly StateNode[],
  more?: ReadonlyMap<string, number>,
): Record<'Empty' | 'Underutilized', Map<string, number>> {
  const counts = poolCounts(rows);
  for (const [pool, count] of counts) count.nodes += more?.get(pool) ?? 0;
  return {
    Empty: budgetsLeft(objects, counts, 'Empty'),
    Underutilized: budgetsLeft(objects, counts, 'Underutilized'),
  };
}

interface PoolCount {
  nodes: number;
  disrupting: number;
}

function poolCounts(rows: readonly StateNode[]): ReadonlyMap<string, PoolCount> {
  const counts = new Map<string, PoolCount>();
  for (const { node, claim, labels, initialized, deleting, rebooting, tracked } of rows) {
    if (!tracked || claim === undefined || !(initialized || rebooting)) continue;
    // Claims with the condition are being deleted; others need not be searched.
    if (deleting && conditionIsTrue(claim, 'InstanceTerminating')) continue;
    const pool = labels[NODE_POOL] ?? '';
    const count = getOrInsert(counts, pool, () => ({ nodes: 0, disrupting: 0 }));
    count.nodes++;
    if (node?.ready !== 'True' || deleting || rebooting) count.disrupting++;
  }
  return counts;
}

function budgetsLeft(
  { nodePools, nowMs }: ClusterObjects,
  counts: ReadonlyMap<string, PoolCount>,
  reason: DisruptionReason,
): Map<string, number> {
  return new Map(
    nodePools.map((pool) => {
      const { nodes = 0, disrupting = 0 } = counts.get(pool.name) ?? {};
      return [pool.name, Math.max(0, allowedDisruptions(pool, nodes, reason, nowMs) - disrupting)];
    }),
  );
}

/** The strictest budget that names the reason or none. A malformed one forbids everything. */
export function allowedDisruptions(
  pool: NodePoolObject,
  nodes: number,
  reason: DisruptionReason,
  nowMs: number,
): number {
  let allowed = UNLIMITED;
  for (const budget of pool.budgets) {
    const own = allowedBy(budget, nodes, nowMs);
    if (own === undefined) return 0;
    if (budget.reasons === undefined || budget.reasons.includes(reason)) allowed = Math.min(allowed, own);
  }
  return allowed;
}

function allowedBy(budget: Budget, nodes: number, nowMs: number): number | undefined {
  if (budget.schedule !== undefined || budget.durationMs !== undefined) {
    const schedule = parseCron(budget.schedule ?? '');
    if (schedule === undefined || (budget.timeZone !== undefined && !isTimeZone(budget.timeZone))) return undefined;
    if (!isWindowOpen(schedule, budget.durationMs ?? 0, nowMs, budget.timeZone)) return UNLIMITED;
  }
  if (/^[+-]?[0-9]+$/.test(budget.nodes)) return Number(budget.nodes);
  const percent = /^([+-]?[0-9]+)%$/.exec(budget.nodes);
  return percent === null ? undefined : Math.ceil((Number(percent[1]) * nodes) / 100);
}
