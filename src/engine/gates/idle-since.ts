import type { NodeClaimObject } from '../cluster/objects.ts';

/** When the last pod came or went; on a node that never had any, when it came up. */
export function idleSinceMs(claim: NodeClaimObject): number {
  const initialized = claim.conditions.find((c) => c.type === 'Initialized');
  return claim.lastPodEventMs ?? initialized?.changedMs ?? claim.createdMs;
}
