import type { PlannedMove } from '../../engine/plan-document.ts';

/** What a controller would do and a brake holds back. */
export interface HeldMove {
  readonly nodes: readonly string[];
  /** As its log has it. */
  readonly why: string;
  /** When the brake may let go; undefined: nobody knows. */
  readonly untilMs?: number;
}

/** What holds the move back: a brake on the same nodes, or on one of them. */
export function heldBy(held: readonly HeldMove[], { nodes }: Pick<PlannedMove, 'nodes'>): HeldMove | undefined {
  const own = new Set(nodes);
  const same = held.find((each) => each.nodes.length === own.size && each.nodes.every((node) => own.has(node)));
  return same ?? held.find((each) => each.nodes.some((node) => own.has(node)));
}
