import type { ClusterObjects, NodeClaimObject } from '../engine/cluster/objects.ts';
import { type Command, isOpen } from './command.ts';

/**
 * The cluster as if the nodes of these commands were on their way out: their pods are placed before anybody else's,
 * nothing is placed on them, they are no candidates, and they count against their pools' budgets.
 */
export function withLeaving(objects: ClusterObjects, commands: readonly Command[]): ClusterObjects {
  const leaving = new Set(commands.flatMap((c) => c.nodes.map((n) => n.nodeClaim)));
  if (leaving.size === 0) return objects;
  const markedAs = (claim: NodeClaimObject) =>
    leaving.has(claim.name) && !claim.terminating ? { ...claim, terminating: true } : claim;
  return { ...objects, nodeClaims: objects.nodeClaims.map(markedAs) };
}

/** Open, and not being undone. */
export function isUnderWay(command: Command): boolean {
  return isOpen(command) && command.reason === undefined;
}
