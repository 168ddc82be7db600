import type { MoveRefusal } from '../refusal.ts';

/** A pool that had fewer before may not lose one. */
export function minNodes(nodePool: string, least: number, before: number, after: number): MoveRefusal | undefined {
  if (after >= Math.min(least, before)) return undefined;
  return { code: 'min-nodes', nodePool, nodes: after, required: least };
}
