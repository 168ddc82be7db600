import { amounts, cents, count, durationInWords, listed, percent } from '../engine/explanation/amounts.ts';
import { isMoveGate } from '../engine/explanation/gate-names.ts';
import type { ExplainedGate, NodeExplanation } from '../engine/explanation/node-explanation.ts';
import type { PodsWithoutPlace } from '../engine/explanation/removal.ts';
import { notPlannedWords, unlockWords } from '../engine/explanation/words.ts';
import type { PlannedNode } from '../engine/plan-document.ts';
import { refusalText } from '../engine/refusal-text.ts';

/** Texts of a node's explanation, for terminal and dashboard. */

export function verdictInWords(e: NodeExplanation): string {
  const failed = e.gates.filter((g) => g.verdict === 'fail');
  switch (e.verdict) {
    case 'goes':
      return `is ${moveInWords(e)}`;
    case 'waits':
      return `removable, but not in this plan: ${e.turn === undefined ? '' : notPlannedWords(e.turn)}`;
    case 'stays':
      return `stays: ${staysInWords(failed)}`;
  }
}

/** The middle of the band in which AWS puts the type. */
export function interruptionsInWords({ spotInterruptions }: NodeExplanation): readonly string[] {
  return spotInterruptions.map(
    ({ instanceType, monthlyShare }) =>
      `${instanceType} as spot: about ${percent(monthlyShare)} of them are interrupted within a month`,
  );
}

/** "emptying: 12 pods 50 min ago, 5 now". */
export function emptyingInWords({ emptying, now }: NodeExplanation): readonly string[] {
  if (emptying === undefined) return [];
  const agoMs = Math.max(0, Date.parse(now) - Date.parse(emptying.since));
  return [`emptying: ${count(emptying.podsThen, 'pod')} ${durationInWords(agoMs)} ago, ${emptying.podsNow} now`];
}

/** What commitments that match the node mean for it. */
export function coverageInWords({ coverage, centsPerHour }: PlannedNode): readonly string[] {
  if (coverage === undefined) return [];
  const { commitments, savedCentsPerHour } = coverage;
  const isPaid = savedCentsPerHour < (centsPerHour ?? 0) - 1e-6;
  const saved = `without this node the cluster costs ${cents(savedCentsPerHour)} less`;
  return [
    isPaid
      ? `covered by ${listed(commitments)}: ${saved}`
      : `matches ${listed(commitments)}, used up by other nodes: ${saved}`,
  ];
}

/** The first refusal, with its gate's details if it is the only one. */
function staysInWords(failed: readonly ExplainedGate[]): string {
  const [first] = failed;
  if (first === undefined) return 'nothing to gain';
  const reasons = failed.reduce((n, g) => n + g.refusals.length, 0);
  return reasons === 1 ? first.message : `${refusalText(first.refusals[0])} (first of ${reasons} reasons)`;
}

function moveInWords({ move, node }: NodeExplanation): string {
  if (move === undefined) return 'removed';
  const { kind, nodes, wave, savingsCentsPerHour, requiredCentsPerHour, replacements } = move.move;
  const others = nodes.length - 1;
  const together = others === 0 ? '' : `, together with ${listed(nodes.filter((n) => n !== node.name))}`;
  const by = replacements.length === 0 ? '' : ` by ${replacements.map((r) => r.instanceTypes[0]).join(' and ')}`;
  const required = requiredCentsPerHour > 0 ? ` (${cents(requiredCentsPerHour)} required)` : '';
  const done = kind === 'delete' ? 'deleted' : 'replaced';
  return `${done}${by} in move ${move.number}, wave ${wave}${together}, saving ${cents(savingsCentsPerHour)}${required}`;
}

/** What would unlock a node that stays: all of `all`, and one of `oneOf`. */
export interface UnlocksInWords {
  readonly all: readonly string[];
  readonly oneOf: readonly string[];
  /** If nothing unlocks it: how far the most promising changes lead. */
  readonly deadEnd?: string;
}

export function unlocksInWords(e: NodeExplanation): UnlocksInWords {
  if (e.verdict !== 'stays') return { all: [], oneOf: [] };
  if (e.unlocks.length === 0) return { all: [], oneOf: [], deadEnd: `no known change unlocks it${deadEndInWords(e)}` };
  const shared = e.unlocks[0].changes.filter(({ message }) =>
    e.unlocks.every(({ changes }) => changes.some((c) => c.message === message)),
  );
  if (e.unlocks.length === 1 || shared.length === 0) return { all: [], oneOf: e.unlocks.map(({ message }) => message) };
  return {
    all: shared.map(({ message }) => message),
    oneOf: e.unlocks.map((unlock) => {
      const changes = unlock.changes.filter((c) => !shared.some(({ message }) => message === c.message));
      return unlockWords({ ...unlock, changes }, e.node.name);
    }),
  };
}

function deadEndInWords({ deadEnd }: NodeExplanation): string {
  if (deadEnd === undefined || deadEnd.changes.length === 0) return '';
  const changes = deadEnd.changes.map((c) => c.message).join(', and ');
  return `; ${changes}, it would still be refused: ${deadEnd.refusals[0].message}`;
}

/** How much of a removal is shown. */
export interface RemovalDetail {
  readonly destinations: number;
  /** Groups of equal pods. */
  readonly groups: number;
  /** Reasons of nodes that do not take a group. */
  readonly reasons: number;
  /** Where the rest is shown, such as " (-o wide)". */
  readonly more: string;
}

/** A sentence about the removal; `of` is its topic. */
export interface RemovalSentence {
  readonly of: 'moving' | 'stranded' | 'new-node' | 'detail' | 'more';
  readonly text: string;
}

export function removalInWords(e: NodeExplanation, detail: RemovalDetail): RemovalSentence[] {
  const { removal: dry, gates } = e;
  if (dry === undefined) return [];
  const out: RemovalSentence[] = [];
  const to = dry.destinations.map(({ node, pods }) => `${pods} to ${node}`);
  if (dry.placements.length > 0) {
    const places = listed(to, Math.min(detail.destinations, to.length));
    out.push({ of: 'moving', text: `${count(dry.placements.length, 'pod')} would move: ${places}` });
  }
  for (const group of dry.stranded.slice(0, detail.groups)) out.push(...withoutPlace(group, detail));
  out.push(...moreGroups(dry.stranded, detail));
  // A new node is mentioned only if it is what refuses the move.
  const refused = gates.some((g) => g.verdict === 'fail' && isMoveGate(g.gate));
  if (!refused && detail.groups !== Number.POSITIVE_INFINITY) return out;
  for (const group of dry.onNewNodes.slice(0, detail.groups)) {
    out.push(...onNewNode(group, detail));
  }
  out.push(...moreGroups(dry.onNewNodes, detail));
  return out;
}

function onNewNode(group: PodsWithoutPlace, { reasons }: RemovalDetail): RemovalSentence[] {
  const one = group.pods.length === 1;
  if (group.preferences.length === 0) {
    const text = `${listed(group.pods)} ${one ? 'needs' : 'need'} a new node${closestInWords(group)}`;
    return [{ of: 'new-node', text }];
  }
  return [
    { of: 'new-node', text: `${listed(group.pods)} ${one ? 'prefers' : 'prefer'} a new node to those that fit` },
    ...group.preferences.slice(0, reasons).map(({ nodes, message, example }): RemovalSentence => {
      return { of: 'detail', text: `${nodes === 1 ? example : `${nodes} nodes, such as ${example}`}: ${message}` };
    }),
  ];
}

function moreGroups(groups: readonly PodsWithoutPlace[], { groups: most, more }: RemovalDetail): RemovalSentence[] {
  const rest = groups.slice(most).reduce((n, g) => n + g.pods.length, 0);
  return rest === 0 ? [] : [{ of: 'more', text: `and ${count(rest, 'more pod')}${more}` }];
}

const EVERYWHERE = {
  'resource-claims': 'it uses ResourceClaims, which Karpenter does not place',
  'volume-missing': 'its volume cannot be found',
} as const;

function withoutPlace(group: PodsWithoutPlace, { reasons, more }: RemovalDetail): RemovalSentence[] {
  const have = group.pods.length > 1 ? 'have' : 'has';
  const detail = (text: string): RemovalSentence => ({ of: 'detail', text });
  const stranded: RemovalSentence = {
    of: 'stranded',
    text: `${listed(group.pods)} ${have} no place${closestInWords(group)}`,
  };
  if (group.everywhere !== undefined) return [stranded, detail(EVERYWHERE[group.everywhere])];
  const shown = group.nodes.slice(0, reasons);
  const rest = group.nodes.slice(shown.length).reduce((n, g) => n + g.nodes, 0);
  return [
    stranded,
    ...shown.map(({ nodes, message, example }) =>
      detail(nodes === 1 ? `${example}: ${message}` : `${nodes} nodes: ${message}`),
    ),
    ...(rest > 0 ? [detail(`${count(rest, 'other node')}: other reasons${more}`)] : []),
    ...group.nodePools.map(({ nodePool, message }) => detail(`no new node of pool ${nodePool}: ${message}`)),
  ];
}

function closestInWords({ closest }: PodsWithoutPlace): string {
  return closest === undefined ? '' : `; closest is ${closest.node}, which lacks ${amounts(closest.missing)}`;
}
