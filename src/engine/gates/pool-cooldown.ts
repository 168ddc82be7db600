import type { History } from '../disruption/history.ts';
import type { MoveRefusal } from '../refusal.ts';

/** A pool has peace for a while after each command; a move of several pools waits for the last of them. */
export function poolCooldown(
  { lastCommandMs }: Pick<History, 'lastCommandMs'>,
  pools: readonly string[],
  cooldownMs: number,
  nowMs: number,
): MoveRefusal | undefined {
  let longest: MoveRefusal | undefined;
  let waitMs = 0;
  for (const nodePool of pools) {
    const last = lastCommandMs.get(nodePool);
    if (last === undefined || last + cooldownMs - nowMs <= waitMs) continue;
    waitMs = last + cooldownMs - nowMs;
    longest = { code: 'pool-cooldown', nodePool, waitMs };
  }
  return longest;
}
