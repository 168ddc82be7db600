import type { NodeClaimObject } from '../cluster/objects.ts';

/** When the last pod came or went; without one, when the node was initialized. */
export function idleSinceMs(claim: NodeClaimObject): number {
  const initialized = claim.conditions.find((c) => c.type === 'Initialized');
  return claim.lastPodEventMs ?? initialized?.changedMs ?? claim.createdMs;
}
