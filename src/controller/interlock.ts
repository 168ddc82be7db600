import type { Budget, NodePoolObject } from '../engine/cluster/objects.ts';

/**
 * Karpenter's own consolidation is off in the pool for good: `consolidateAfter: Never`, or budgets that at no time allow
 * a node to go as empty or underutilized. Two that consolidate one pool would undo each other's work.
 */
export function karpenterLeavesAlone(pool: Pick<NodePoolObject, 'consolidateAfterMs' | 'budgets'>): boolean {
  if (pool.consolidateAfterMs === undefined) return true;
  return ['Empty', 'Underutilized'].every((reason) => pool.budgets.some((b) => alwaysForbids(b, reason)));
}

function alwaysForbids({ nodes, schedule, durationMs, reasons }: Budget, reason: string): boolean {
  return (
    schedule === undefined &&
    durationMs === undefined &&
    /^0+%?$/.test(nodes) &&
    (reasons === undefined || reasons.includes(reason))
  );
}
