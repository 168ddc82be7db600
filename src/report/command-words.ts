import type { BlockingFact, Command, CommandReplacement, CommandRollout } from '../controller/command.ts';
import type { Proposal } from '../controller/report.ts';
import { INSTANCE_TYPE } from '../engine/cluster/well-known.ts';
import { refusalText } from '../engine/refusal-text.ts';
import { count } from './money.ts';

/** What a command does and what it is expected to save: "removes empty node a: saves 3.1 ¢/h". */
export function commandInWords({ nodes, replacements, predicted, rollouts = [] }: Command): string {
  const pods = nodes.reduce((sum, n) => sum + n.pods, 0);
  const { savingsCentsPerHour, requiredCentsPerHour } = predicted;
  const required = requiredCentsPerHour > 0 ? ` (${requiredCentsPerHour.toFixed(1)} required)` : '';
  const saves = `saves ${cents(savingsCentsPerHour)}${required}`;
  if (replacements.length === 0) {
    const where = pods === 0 ? '' : `, ${count(pods, 'pod')} to other nodes${rolledInWords(rollouts)}`;
    return `removes ${nodesInWords(nodes, pods === 0 ? 'empty node' : 'node')}${where}: ${saves}`;
  }
  const before = nodes.reduce((sum, n) => sum + n.centsPerHour, 0);
  const by = replacements.map((r) => `one ${likelyType(r)} (${cents(r.centsPerHour)})`).join(' and ');
  return `replaces ${nodesInWords(nodes)} (${cents(before)}) by ${by}, ${count(pods, 'pod')} to move${rolledInWords(rollouts)}: ${saves}`;
}

/** A finished command in one line: "removed node a, 2 pods moved: saves 3.1 ¢/h, done in 35 s". */
export function outcomeInWords({ nodes, replacements, predicted, realised = predicted, ...command }: Command): string {
  const { phase, reason = 'unknown', blockedBy, decidedMs, phaseMs, rollouts = [] } = command;
  const took = length(phaseMs - decidedMs);
  const pods = nodes.reduce((sum, n) => sum + n.pods, 0);
  // A pod may have landed after the decision.
  const noun = pods === 0 && realised.evictions === 0 ? 'empty node' : 'node';
  if (phase === 'abandoned')
    return `abandoned after ${took}: ${nodesInWords(nodes, noun)} ${nodes.length === 1 ? 'stays' : 'stay'}, ${reasonInWords(reason, blockedBy)}`;
  const before = nodes.reduce((sum, n) => sum + n.centsPerHour, 0);
  const by = replacements.map((r) => `one ${likelyType(r)} (${cents(r.centsPerHour)})`).join(' and ');
  const what =
    by === ''
      ? `removed ${nodesInWords(nodes, noun)}`
      : `replaced ${nodesInWords(nodes, noun)} (${cents(before)}) by ${by}`;
  const evicted = pods === 0 && realised.evictions === 0 ? '' : `, ${count(realised.evictions, 'pod')} moved`;
  const moved = rollouts.length === 0 ? evicted : `${evicted}, ${rolloutsInWords(rollouts)} rolled, not evicted`;
  const [saves, expected] = [cents(realised.savingsCentsPerHour), cents(predicted.savingsCentsPerHour)];
  return `${what}${moved}: saves ${saves}${saves === expected ? '' : ` (${expected} predicted)`}, done in ${took}`;
}

const MOST_NAMES = 4;

function rolledInWords(rollouts: readonly CommandRollout[]): string {
  return rollouts.length === 0 ? '' : ` (${rolloutsInWords(rollouts)} rolled, not evicted)`;
}

/** "shop/web and 2 more" */
export function rolloutsInWords(rollouts: readonly CommandRollout[]): string {
  const names = rollouts.slice(0, MOST_NAMES).map((r) => `${r.namespace}/${r.deployment}`);
  return `${names.join(', ')}${rollouts.length > MOST_NAMES ? ` and ${rollouts.length - MOST_NAMES} more` : ''}`;
}

function nodesInWords(nodes: Command['nodes'], noun = 'node'): string {
  const names = nodes.slice(0, MOST_NAMES).map((n) => n.node);
  if (nodes.length > MOST_NAMES) names.push('…');
  return `${nodes.length === 1 ? noun : count(nodes.length, noun)} ${names.join(', ')}`;
}

/** The result of a completed command. */
export function resultInWords({ predicted, realised = predicted, rollouts = [] }: Command): string {
  const saved = cents(realised.savingsCentsPerHour);
  const expected = cents(predicted.savingsCentsPerHour);
  const evicted = realised.evictions === 0 ? 'no pod moved' : `${count(realised.evictions, 'pod')} moved`;
  const moved = rollouts.length === 0 ? evicted : `${evicted}, ${rolloutsInWords(rollouts)} rolled, not evicted`;
  return `${saved} saved${saved === expected ? ' as predicted' : ` (${expected} predicted)`}, ${moved}`;
}

/** Reasons that are not refusal codes. */
const REASONS: Readonly<Record<string, string>> = {
  'node-gone': 'one of its nodes is gone',
  'pod-landed': 'a pod was scheduled to one of its nodes',
  'pods-arriving': 'pods of another command need one of its nodes',
  'not-ours': 'Decant may no longer act on the NodePool',
  taken: 'Karpenter is disrupting one of its nodes',
  dearer: 'its replacements now cost more than when it was proposed',
  'not-approved': 'a gate now refuses the move',
  'replacement-gone': 'a replacement could not be launched',
  timeout: 'it timed out',
  'no-rollout': 'a pod can no longer be rolled',
  'rollout-timeout': 'the new pod of a rollout was not ready in time',
  'rollout-needed': 'a pod that must be rolled was scheduled to one of its nodes',
  'plan-outdated': 'the planned placement no longer holds',
};

/** Why a command was abandoned or is on hold. */
export function reasonInWords(code: string, blockedBy?: BlockingFact): string {
  const words = REASONS[code] ?? code.replaceAll('-', ' ');
  return blockedBy === undefined ? words : `${words}: ${factInWords(blockedBy)}`;
}

/** "m6a.xlarge default-00003 has no pod slot left for shop/web-7". */
function factInWords({ pod, node, instanceType = 'node', resource }: BlockingFact): string {
  return `${instanceType} ${node} has ${resource === 'pods' ? 'no pod slot left' : `too little ${resource}`} for ${pod}`;
}

/** Why a brake delays a move. */
export function brakeInWords(refusal: NonNullable<Proposal['refusal']>): string {
  if (refusal.code !== 'given-up-before') return refusalText(refusal);
  const { blockedBy } = refusal;
  return `the same move was abandoned${blockedBy === undefined ? ' recently' : `: ${factInWords(blockedBy)}`}`;
}

/** The cheapest instance type that the replacement allows. */
function likelyType({ requirements }: CommandReplacement): string {
  return requirements.find(({ key }) => key === INSTANCE_TYPE)?.values?.[0] ?? 'node';
}

/** "35 s", "12 min", "3 h 20 min". */
export function length(ms: number): string {
  const s = Math.round(ms / 1000);
  if (s < 120) return `${s} s`;
  const minutes = Math.round(s / 60);
  if (minutes < 120) return `${minutes} min`;
  return minutes % 60 === 0 ? `${minutes / 60} h` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

function cents(amount: number): string {
  return `${amount.toFixed(1)} ¢/h`;
}
