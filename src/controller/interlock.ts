import type { Budget, NodePoolObject } from '../engine/cluster/objects.ts';

/**
 * Whether Karpenter's own consolidation is permanently off in the pool: `consolidateAfter: Never`, or budgets that
 * never allow an empty or underutilized node to go. Two controllers that consolidate one pool would undo each other's
 * work.
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
