import { listed } from '../engine/explanation/amounts.ts';
import type { BlockersDocument } from './blockers-document.ts';
import { count, grouped, perHour, perMonth } from './money.ts';

/** Texts about nodes that stay though nothing blocks their removal. */

/** Sentences: what savings rules forgo, and why other nodes stay. */
export function notBlockedInWords({ savingsRules, otherReasons }: BlockersDocument): readonly string[] {
  return [
    ...(savingsRules === null ? [] : [savingsRulesInWords(savingsRules)]),
    ...(otherReasons.length === 0 ? [] : [otherReasonsInWords(otherReasons)]),
  ];
}

function savingsRulesInWords({
  rules,
  nodes,
  centsPerHour,
  evictions,
}: NonNullable<BlockersDocument['savingsRules']>): string {
  const [keep, them] = rules.length === 1 ? ['keeps', 'it'] : ['keep', 'them'];
  const keeps = `The ${listed(rules)} alone ${keep} ${count(nodes.length, 'node')}`;
  if (centsPerHour === 0) return `${keeps}; without ${them} a plan saves no more`;
  const fewer = evictions < 0 ? 'fewer' : 'more';
  const pods = `${grouped(String(Math.abs(evictions)))} ${fewer} ${Math.abs(evictions) === 1 ? 'eviction' : 'evictions'}`;
  return `${keeps}: without ${them} a plan saves ${perHour(centsPerHour)} (${perMonth(centsPerHour)} a month) more, for ${pods}`;
}

function otherReasonsInWords(reasons: BlockersDocument['otherReasons']): string {
  const nodes = reasons.reduce((sum, reason) => sum + reason.nodes, 0);
  const each = reasons.map((reason) => `${grouped(String(reason.nodes))} ${reason.code}`).join(', ');
  return `${count(nodes, 'node')} stay${nodes === 1 ? 's' : ''} for other reasons: ${each}`;
}
