import { claimObject, type SimNode } from './sim-node.ts';

/** The NodeClaim is Consolidatable and neither deleted, marked for deletion nor nominated. */
export function isConsolidatable(node: SimNode, nowMs: number): boolean {
  if (node.readyMs === undefined || node.deleting || node.marked || node.nominatedUntilMs > nowMs) return false;
  // Sets consolidatableMs again after a pod event.
  if (node.cachedClaim === undefined) claimObject(node, nowMs);
  return nowMs >= node.consolidatableMs;
}

/** May take pods of removed nodes: ready, staying, and past its own consolidateAfter. */
export function mayTakePods(node: SimNode, nowMs: number): boolean {
  if (node.readyMs === undefined || node.deleting || node.marked) return false;
  const after = node.pool.consolidateAfterMs ?? 0;
  return after === 0 || nowMs - (node.lastPodEventMs ?? node.readyMs) >= after;
}
