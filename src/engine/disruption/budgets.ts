import type { Budget, ClusterObjects, NodePoolObject } from '../cluster/objects.ts';
import { conditionIsTrue, type StateNode } from '../cluster/state-nodes.ts';
import { NODE_POOL } from '../cluster/well-known.ts';
import { isWindowOpen, parseCron } from './cron.ts';

export type DisruptionReason = 'Empty' | 'Underutilized' | 'Drifted';

const UNLIMITED = 2 ** 31 - 1;

/** Nodes of each pool that may be disrupted now for this reason, beyond those that are already. */
export function remainingBudgets(
  objects: ClusterObjects,
  rows: readonly StateNode[],
  reason: DisruptionReason,
): Map<string, number> {
  const total = new Map<string, number>();
  const disrupting = new Map<string, number>();
  for (const { node, claim, labels, initialized, deleting, tracked } of rows) {
    if (!tracked || claim === undefined || !initialized || conditionIsTrue(claim, 'InstanceTerminating')) continue;
    const pool = labels[NODE_POOL] ?? '';
    total.set(pool, (total.get(pool) ?? 0) + 1);
    if (node?.ready !== 'True' || deleting) disrupting.set(pool, (disrupting.get(pool) ?? 0) + 1);
  }
  return new Map(
    objects.nodePools.map((pool) => {
      const allowed = allowedDisruptions(pool, total.get(pool.name) ?? 0, reason, objects.nowMs);
      return [pool.name, Math.max(0, allowed - (disrupting.get(pool.name) ?? 0))];
    }),
  );
}

/** The tightest budget that names the reason or none. One that makes no sense forbids everything. */
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
    if (schedule === undefined) return undefined;
    if (!isWindowOpen(schedule, budget.durationMs ?? 0, nowMs)) return UNLIMITED;
  }
  if (/^[+-]?[0-9]+$/.test(budget.nodes)) return Number(budget.nodes);
  const percent = /^([+-]?[0-9]+)%$/.exec(budget.nodes);
  return percent === null ? undefined : Math.ceil((Number(percent[1]) * nodes) / 100);
}
