import type { NodeClaimObject } from '../cluster/objects.ts';

/** Share of its life that a node still has: 1 when new, 0 at expiry, 1 for nodes that do not expire. */
export function lifetimeRemaining(claim: NodeClaimObject | undefined, nowMs: number): number {
  if (claim?.expireAfterMs === undefined) return 1;
  const remaining = (claim.expireAfterMs - (nowMs - claim.createdMs)) / claim.expireAfterMs;
  return Number.isNaN(remaining) ? 0 : Math.min(Math.max(remaining, 0), 1);
}
