import type { NodeFacts } from './node-facts.ts';

export interface FirstMove {
  readonly number: number;
  readonly kind: 'delete' | 'replace';
  readonly nodes: readonly NodeFacts[];
}

export function firstMoves(nodes: readonly NodeFacts[], most: number): readonly FirstMove[] {
  const leaving = nodes.filter(({ decision, move }) => move > 0 && (decision === 'delete' || decision === 'replace'));
  const byMove = [...Map.groupBy(leaving, ({ move }) => move)].sort(([a], [b]) => a - b);
  return byMove.slice(0, most).map(([number, members]) => ({
    number,
    kind: members[0].decision === 'delete' ? 'delete' : 'replace',
    nodes: members,
  }));
}
