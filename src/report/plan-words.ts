import type { PlannedMove, PlannedNode, PlannedReplacement } from '../engine/plan-document.ts';
import { count, perHour } from './money.ts';

/** What a plan says in words, the same on a terminal and in a page. */

export function moveInWords(move: PlannedMove): string {
  const nodes = count(move.nodes.length, move.method === 'emptiness' ? 'empty node' : 'node');
  const by = move.replacements.length === 0 ? '' : ` by ${move.replacements.map(replacementInWords).join(' and ')}`;
  return `${move.kind} ${nodes}${by}`;
}

export function replacementInWords(replacement: PlannedReplacement): string {
  const { nodePool, instanceTypes, capacityTypes, zones, centsPerHour } = replacement;
  const others = instanceTypes.length > 1 ? ` or ${count(instanceTypes.length - 1, 'other type')}` : '';
  const where = [...capacityTypes, ...zones].filter((value) => value !== '*').join(', ');
  return `one ${instanceTypes[0]}${others} (${where === '' ? '' : `${where}, `}pool ${nodePool}, ${perHour(centsPerHour)})`;
}

export function consequenceInWords({ placements, disruptionCost, requiredCentsPerHour }: PlannedMove): string {
  const required = requiredCentsPerHour > 0 ? ` (required ${perHour(requiredCentsPerHour)})` : '';
  return `${required}, ${count(placements.length, 'pod')} to move, disruption cost ${disruptionCost.toFixed(1)}`;
}

/** Why a node stays: every refusal, or what stands in their place. */
export function reasonsToStay({ refusals, alone }: PlannedNode): string[] {
  if (refusals.length > 0) return refusals.map(({ message }) => message);
  if (alone.decision === 'none') return ['nothing cheaper would hold its pods'];
  const doing = alone.decision === 'delete' ? 'deleting' : 'replacing';
  return [`waits its turn; alone, ${doing} saves ${perHour(alone.savingsCentsPerHour)}`];
}
