import type { Command, CommandReplacement } from '../controller/command.ts';
import type { Proposal } from '../controller/report.ts';
import { INSTANCE_TYPE } from '../engine/cluster/well-known.ts';
import { refusalText } from '../engine/refusal-text.ts';
import { count } from './money.ts';

/** What a command does and what it is expected to save: "removes empty node a: saves 3.1 ¢/h". */
export function moveInWords({ nodes, replacements, predicted }: Command): string {
  const pods = nodes.reduce((sum, n) => sum + n.pods, 0);
  const { savingsCentsPerHour, requiredCentsPerHour } = predicted;
  const required = requiredCentsPerHour > 0 ? ` (${requiredCentsPerHour.toFixed(1)} required)` : '';
  const saves = `saves ${cents(savingsCentsPerHour)}${required}`;
  if (replacements.length === 0) {
    const where = pods === 0 ? '' : `, ${count(pods, 'pod')} to other nodes`;
    return `removes ${nodesInWords(nodes, pods === 0 ? 'empty node' : 'node')}${where}: ${saves}`;
  }
  const before = nodes.reduce((sum, n) => sum + n.centsPerHour, 0);
  const by = replacements.map((r) => `one ${likelyType(r)} (${cents(r.centsPerHour)})`).join(' and ');
  return `replaces ${nodesInWords(nodes)} (${cents(before)}) by ${by}, ${count(pods, 'pod')} to move: ${saves}`;
}

const MOST_NAMES = 4;

function nodesInWords(nodes: Command['nodes'], noun = 'node'): string {
  const names = nodes.slice(0, MOST_NAMES).map((n) => n.node);
  if (nodes.length > MOST_NAMES) names.push('…');
  return `${nodes.length === 1 ? noun : count(nodes.length, noun)} ${names.join(', ')}`;
}

/** What a command that is over came to. */
export function resultInWords({ predicted, realised = predicted }: Command): string {
  const saved = cents(realised.savingsCentsPerHour);
  const expected = cents(predicted.savingsCentsPerHour);
  const moved = realised.evictions === 0 ? 'no pod moved' : `${count(realised.evictions, 'pod')} moved`;
  return `${saved} saved${saved === expected ? ' as predicted' : ` (${expected} predicted)`}, ${moved}`;
}

/** What may happen between a decision and its end; other reasons are codes of refusals. */
const REASONS: Readonly<Record<string, string>> = {
  'node-gone': 'a node of it is gone',
  'pod-landed': 'a pod has landed on a node of it',
  'pods-arriving': 'pods are on their way to a node of it',
  'not-ours': 'the pool is not ours any more',
  taken: 'Karpenter is disrupting a node of it',
  dearer: 'its new nodes would cost more than when it was decided',
  'not-approved': 'a gate refuses it now',
  'replacement-gone': 'a new node could not be launched',
  timeout: 'it took too long',
};

/** Why a command was given up or is held up. */
export function reasonInWords(code: string): string {
  return REASONS[code] ?? code.replaceAll('-', ' ');
}

/** What a brake has against a move that it holds back. */
export function brakeInWords(refusal: NonNullable<Proposal['refusal']>): string {
  return refusal.code === 'given-up-before' ? 'the same was given up lately' : refusalText(refusal);
}

/** The type that a replacement most likely becomes: the cheapest of those that it may be. */
function likelyType({ requirements }: CommandReplacement): string {
  return requirements.find(({ key }) => key === INSTANCE_TYPE)?.values?.[0] ?? 'node';
}

function cents(amount: number): string {
  return `${amount.toFixed(1)} ¢/h`;
}
