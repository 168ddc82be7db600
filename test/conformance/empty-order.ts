import type { RecordedAnswer, RecordedNode } from './recorded-answer.ts';

/**
 * May Emptiness have chosen just these nodes? Each NodePool gives its best by savings ratio, as many
 * as its budget allows; among equals chance decides.
 */
export function couldBeEmptied(answer: RecordedAnswer, names: readonly string[]): boolean {
  const candidates = (answer.nodes ?? []).filter((n) => n.shouldDisrupt?.empty === true);
  const chosen = new Set(names);
  if (names.some((name) => !candidates.some((n) => n.name === name))) return false;
  return [...new Set(candidates.map((n) => n.nodePool ?? ''))].every((pool) => {
    const ofPool = candidates.filter((n) => n.nodePool === pool);
    const taken = ofPool.filter((n) => chosen.has(n.name));
    const left = ofPool.filter((n) => !chosen.has(n.name));
    const allowed = answer.budgets.Empty?.[pool] ?? 0;
    return taken.length === Math.min(allowed, ofPool.length) && least(taken) >= most(left);
  });
}

function least(nodes: readonly RecordedNode[]): number {
  return Math.min(...nodes.map((n) => n.savingsRatio));
}

function most(nodes: readonly RecordedNode[]): number {
  return Math.max(...nodes.map((n) => n.savingsRatio));
}
