import type { Plan, PlannedNode } from '../engine/plan-document.ts';

/** A node's decision, as the dashboard and reports colour it. */
export type Decision = 'delete' | 'replace' | 'new' | 'keep' | 'blocked' | 'protected';

/** Most important first. */
export const DECISIONS: readonly { readonly decision: Decision; readonly words: string }[] = [
  { decision: 'delete', words: 'deleted' },
  { decision: 'replace', words: 'replaced' },
  { decision: 'new', words: 'new' },
  { decision: 'keep', words: 'removable, not planned' },
  { decision: 'blocked', words: 'evaluated, stays' },
  { decision: 'protected', words: 'not a candidate' },
];

export function decisionWords(decision: Decision): string {
  return DECISIONS.find((each) => each.decision === decision)?.words ?? decision;
}

/** Nodes that leave, by name. */
export function leavingNodes(plan: Pick<Plan, 'moves'>): ReadonlyMap<string, 'delete' | 'replace'> {
  return new Map(plan.moves.flatMap((move) => move.nodes.map((name) => [name, move.kind] as const)));
}

export function decisionOf(node: PlannedNode, leaving: ReadonlyMap<string, 'delete' | 'replace'>): Decision {
  const kind = leaving.get(node.name);
  if (kind !== undefined) return kind;
  if (!node.candidate) return 'protected';
  return node.refusals.length > 0 || node.alone.decision === 'none' ? 'blocked' : 'keep';
}
