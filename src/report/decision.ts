import type { Plan, PlannedNode } from '../engine/plan-document.ts';

/** What becomes of a node, for the eye. */
export type Decision = 'delete' | 'replace' | 'new' | 'keep' | 'blocked' | 'protected';

/** In the order in which they matter. */
export const DECISIONS: readonly { readonly decision: Decision; readonly words: string }[] = [
  { decision: 'delete', words: 'deleted' },
  { decision: 'replace', words: 'replaced' },
  { decision: 'new', words: 'new' },
  { decision: 'keep', words: 'could go, waits its turn' },
  { decision: 'blocked', words: 'evaluated, no better place' },
  { decision: 'protected', words: 'not a candidate' },
];

export function decisionWords(decision: Decision): string {
  return DECISIONS.find((each) => each.decision === decision)?.words ?? decision;
}

/** By name of the node, for the nodes that leave. */
export function leavingNodes(plan: Pick<Plan, 'moves'>): ReadonlyMap<string, 'delete' | 'replace'> {
  return new Map(plan.moves.flatMap((move) => move.nodes.map((name) => [name, move.kind] as const)));
}

export function decisionOf(node: PlannedNode, leaving: ReadonlyMap<string, 'delete' | 'replace'>): Decision {
  const kind = leaving.get(node.name);
  if (kind !== undefined) return kind;
  if (!node.candidate) return 'protected';
  return node.refusals.length > 0 || node.alone.decision === 'none' ? 'blocked' : 'keep';
}
