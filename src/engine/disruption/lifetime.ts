import type { NodeClaimObject } from '../cluster/objects.ts';

/** Share of its lifetime that a node has left: 1 when new, 0 at expiry, 1 if it does not expire. */
export function lifetimeRemaining(claim: NodeClaimObject | undefined, nowMs: number): number {
  if (claim?.expireAfterMs === undefined) return 1;
  const remaining = (claim.expireAfterMs - (nowMs - claim.createdMs)) / claim.expireAfterMs;
  return Number.isNaN(remaining) ? 0 : Math.min(Math.max(remaining, 0), 1);
}
