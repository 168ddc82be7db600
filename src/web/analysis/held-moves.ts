import type { PlannedMove } from '../../engine/plan-document.ts';

/** A move that a brake of the controller holds back. */
export interface BrakedMove {
  readonly nodes: readonly string[];
  /** As in the controller's log. */
  readonly why: string;
  /** When the brake may let go, if known. */
  readonly untilMs?: number;
}

/** The brake on the same nodes, or else on one of them. */
export function heldBy(held: readonly BrakedMove[], { nodes }: Pick<PlannedMove, 'nodes'>): BrakedMove | undefined {
  const own = new Set(nodes);
  const same = held.find((each) => each.nodes.length === own.size && each.nodes.every((node) => own.has(node)));
  return same ?? held.find((each) => each.nodes.some((node) => own.has(node)));
}
