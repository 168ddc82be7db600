import type { RecordedAnswer, RecordedNode } from './recorded-answer.ts';

/**
 * May single-node consolidation have looked at this node before every other node that it could act
 * on? It goes round the NodePools in random order, taking the next-best of each; within a pool it
 * goes by savings ratio, and ties are in random order. So a node's place lies between the number
 * of strictly better nodes of its pool and the number of those at least as good.
 */
export function couldComeFirst(answer: RecordedAnswer, name: string): boolean {
  const candidates = (answer.nodes ?? []).filter((n) => n.shouldDisrupt?.single === true);
  const chosen = candidates.find((n) => n.name === name);
  if (!chosen) return false;
  const best = rank(candidates, chosen, (other) => other > chosen.savingsRatio);
  return !candidates.some((rival) => {
    if (rival === chosen || !alwaysActs(answer, rival)) return false;
    if (rival.nodePool === chosen.nodePool) return rival.savingsRatio > chosen.savingsRatio;
    return rank(candidates, rival, (other) => other >= rival.savingsRatio) < best;
  });
}

function rank(candidates: readonly RecordedNode[], node: RecordedNode, ahead: (ratio: number) => boolean): number {
  return candidates.filter((n) => n !== node && n.nodePool === node.nodePool && ahead(n.savingsRatio)).length;
}

function alwaysActs(answer: RecordedAnswer, n: RecordedNode): boolean {
  const allowed = answer.budgets.Underutilized?.[n.nodePool ?? ''] ?? 0;
  return (
    allowed > 0 && n.alone !== undefined && [n.alone, ...(n.alone.others ?? [])].every((c) => c.decision !== 'no-op')
  );
}
