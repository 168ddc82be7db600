import type { History } from '../disruption/history.ts';
import type { MoveRefusal } from '../refusal.ts';

/** A pause in a pool after each command; a move of several pools waits for the last. */
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
