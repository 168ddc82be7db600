import { claimObject, type SimNode } from './sim-node.ts';

/** A node whose consolidateAfter has passed and that nothing else holds back. */
export function isIdle(node: SimNode, nowMs: number): boolean {
  if (node.readyMs === undefined || node.deleting || node.marked || node.nominatedUntilMs > nowMs) return false;
  // Makes known when that is, if something has happened to its pods.
  if (node.shownClaim === undefined) claimObject(node, nowMs);
  return nowMs >= node.consolidatableMs;
}

/** May take in pods that are moved: ready, staying, and not within its own consolidateAfter. */
export function isDestination(node: SimNode, nowMs: number): boolean {
  if (node.readyMs === undefined || node.deleting || node.marked) return false;
  const after = node.pool.consolidateAfterMs ?? 0;
  return after === 0 || nowMs - (node.lastPodEventMs ?? node.readyMs) >= after;
}
