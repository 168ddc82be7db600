import type { ClusterObjects, NodeClaimObject, NodeObject } from '../engine/cluster/objects.ts';
import { conditionIsTrue } from '../engine/cluster/state-nodes.ts';
import { asTerminating } from '../engine/cluster/terminating-claim.ts';
import { DISRUPTED_TAINT } from '../engine/cluster/well-known.ts';
import { type Command, isOpen } from './command.ts';
import { plannedDestinations } from './pods-in-transit.ts';

/**
 * The cluster as if the nodes of these commands were being deleted: their pods are placed first, where they are planned
 * to go, nothing is placed on them, they are not candidates, and they count against their pools' budgets.
 */
export function withLeaving(objects: ClusterObjects, commands: readonly Command[]): ClusterObjects {
  const leaving = new Set(commands.flatMap((c) => c.nodes.map((n) => n.nodeClaim)));
  if (leaving.size === 0) return objects;
  return { ...marked(objects, ({ name }) => leaving.has(name)), plannedDestinations: plannedDestinations(commands) };
}

/**
 * Karpenter has begun to disrupt it (drift, repair): it is tainted, waits for its replacement, and is then deleted.
 * Karpenter removes the condition if it stops.
 */
export function isTaken(claim: NodeClaimObject): boolean {
  return conditionIsTrue(claim, 'DisruptionReason');
}

/**
 * The cluster as Karpenter sees it: nodes that it is disrupting count as being deleted. Karpenter 1.0 has only the
 * taint and no condition: on a node without an open command of ours it is Karpenter's.
 */
export function withTaken(objects: ClusterObjects, commands: readonly Command[]): ClusterObjects {
  const ours = new Set(commands.filter(isOpen).flatMap((c) => c.nodes.map((n) => n.nodeClaim)));
  const tainted = new Set(objects.nodes.filter(isTainted).map((n) => n.providerId));
  // A Node without a provider ID says nothing about claims that are not launched yet.
  tainted.delete('');
  const leaves = (c: NodeClaimObject) => isTaken(c) || (tainted.has(c.providerId) && !ours.has(c.name));
  return objects.nodeClaims.some(leaves) ? marked(objects, leaves) : objects;
}

export function isTainted({ taints }: NodeObject): boolean {
  return taints.some((t) => t.key === DISRUPTED_TAINT.key && t.effect === DISRUPTED_TAINT.effect);
}

function marked(objects: ClusterObjects, leaves: (claim: NodeClaimObject) => boolean): ClusterObjects {
  const markedAs = (claim: NodeClaimObject) => (leaves(claim) ? asTerminating(claim) : claim);
  return { ...objects, nodeClaims: objects.nodeClaims.map(markedAs) };
}

/** Open, and not being undone. */
export function isUnderWay(command: Command): boolean {
  return isOpen(command) && command.reason === undefined;
}
