import { explain } from '../engine/explain.ts';
import { amounts, cents, count, listed, percent } from '../engine/explanation/amounts.ts';
import { isMoveGate } from '../engine/explanation/gate-names.ts';
import { gateTitle } from '../engine/explanation/gate-titles.ts';
import type { ExplainedGate, NodeExplanation } from '../engine/explanation/node-explanation.ts';
import type { PodsWithoutPlace } from '../engine/explanation/removal.ts';
import { turnWords, unlockWords } from '../engine/explanation/words.ts';
import { hanging } from './paragraph.ts';
import type { Layout } from './render-plan.ts';

export function renderNodeExplanation(e: NodeExplanation, layout: Layout): string[][] {
  return [headline(e, layout), unlocks(e, layout), gates(e, layout), removal(e, layout)];
}

function headline(e: NodeExplanation, { width, paint }: Layout): string[] {
  const { node, pods } = e;
  const [first, ...more] = hanging('', `node ${node.name} ${verdictText(e)}`, width, 6);
  const price = node.centsPerHour === null ? 'no price known' : cents(node.centsPerHour);
  const daemons = pods.ofDaemonSets === 0 ? '' : ` (${pods.ofDaemonSets} of DaemonSets)`;
  const facts = [
    [node.instanceType, node.capacityType, node.zone].filter((s) => s !== '').join(' '),
    node.nodePool === '' ? 'no pool' : `pool ${node.nodePool}`,
    price,
    `${percent(node.utilization)} used`,
    `${count(pods.running, 'pod')}${daemons}`,
    `disruption cost ${node.disruptionCost.toFixed(1)}`,
  ];
  return [
    ...[first, ...more].map((line) => paint('bold', line)),
    ...hanging('', facts.join(', '), width, 3).map((line) => paint('dim', line)),
  ];
}

function verdictText(e: NodeExplanation): string {
  const failed = e.gates.filter((g) => g.verdict === 'fail');
  switch (e.verdict) {
    case 'goes':
      return `goes${moveText(e)}`;
    case 'waits':
      return `may go, but not in this plan: ${e.turn === undefined ? '' : turnWords(e.turn)}`;
    case 'stays':
      return `stays: ${staysText(failed)}`;
  }
}

/** The first refusal; with what its gate has to add if that is all that refuses. */
function staysText(failed: readonly ExplainedGate[]): string {
  const [first] = failed;
  if (first === undefined) return 'nothing to gain';
  const reasons = failed.reduce((n, g) => n + g.refusals.length, 0);
  return reasons === 1 ? first.message : `${explain(first.refusals[0])} (first of ${reasons} reasons)`;
}

function moveText({ move, node }: NodeExplanation): string {
  if (move === undefined) return '';
  const { kind, nodes, wave, savingsCentsPerHour, requiredCentsPerHour, replacements } = move.move;
  const others = nodes.length - 1;
  const together = others === 0 ? '' : ` together with ${listed(nodes.filter((n) => n !== node.name))}`;
  const by = replacements.length === 0 ? '' : ` by ${replacements.map((r) => r.instanceTypes[0]).join(' and ')}`;
  const required = requiredCentsPerHour > 0 ? ` (${cents(requiredCentsPerHour)} required)` : '';
  const done = kind === 'delete' ? 'deleted' : 'replaced';
  return ` in move ${move.number}, wave ${wave}: ${done}${by}${together}, which saves ${cents(savingsCentsPerHour)}${required}`;
}

function unlocks(e: NodeExplanation, layout: Layout): string[] {
  const { width, paint } = layout;
  if (e.verdict !== 'stays') return [];
  const title = paint('bold', 'WHAT WOULD UNLOCK IT');
  if (e.unlocks.length === 0) return [title, ...hanging('  ', `nothing that we know of${deadEndText(e)}`, width)];
  const shared = e.unlocks[0].changes.filter(({ message }) =>
    e.unlocks.every(({ changes }) => changes.some((c) => c.message === message)),
  );
  if (e.unlocks.length === 1 || shared.length === 0)
    return [title, ...e.unlocks.flatMap(({ message }) => arrows(message, layout))];
  return [
    title,
    '  all of these:',
    ...shared.flatMap(({ message }) => arrows(message, layout)),
    '  and one of these:',
    ...e.unlocks.flatMap((unlock) => {
      const changes = unlock.changes.filter((c) => !shared.some(({ message }) => message === c.message));
      return arrows(unlockWords({ ...unlock, changes }), layout);
    }),
  ];
}

function arrows(message: string, { width, paint }: Layout): string[] {
  return hanging('  → ', message, width).map((line) => paint('green', line));
}

function deadEndText({ deadEnd }: NodeExplanation): string {
  if (deadEnd === undefined || deadEnd.changes.length === 0) return '';
  const changes = deadEnd.changes.map((c) => c.message).join(', and ');
  return `; ${changes}, it would still be refused: ${deadEnd.refusals[0].message}`;
}

const MARK = { pass: '✓', fail: '✗' } as const;

function gates(e: NodeExplanation, { width, wide, paint }: Layout): string[] {
  const lines = [paint('bold', 'GATES')];
  const told = e.gates.filter((g) => g.verdict === 'fail' || (g.verdict === 'pass' && g.message !== ''));
  const plain = e.gates.filter((g) => g.verdict === 'pass' && g.message === '' && !isMoveGate(g.gate));
  const room = Math.max(...told.map((g) => gateTitle(g.gate).length)) + 2;
  if (plain.length > 0) lines.push(...hanging('  ✓ ', titles(plain), width).map((line) => paint('dim', line)));
  let assumed = e.assumed.length === 0;
  for (const gate of told) {
    if (!assumed && isMoveGate(gate.gate)) {
      assumed = true;
      lines.push(paint('dim', '  as if it had passed those:'));
    }
    const mark = `  ${gate.verdict === 'fail' ? MARK.fail : MARK.pass} ${gateTitle(gate.gate).padEnd(room)}`;
    const style = gate.verdict === 'fail' ? 'yellow' : 'dim';
    lines.push(...hanging(mark, gate.message, width).map((line) => paint(style, line)));
  }
  const without = e.gates.filter((g) => g.verdict === 'not-reached');
  if (without.length > 0)
    lines.push(...hanging('  · ', `not reached: ${titles(without)}`, width).map((line) => paint('dim', line)));
  const off = e.gates.filter((g) => g.verdict === 'off');
  if (wide && off.length > 0) lines.push(...hanging('  · ', `off: ${titles(off)}`, width).map((l) => paint('dim', l)));
  return lines;
}

function titles(gateReports: readonly ExplainedGate[]): string {
  return gateReports.map((g) => gateTitle(g.gate)).join(', ');
}

/** Lines that one screen has for pods without a place; `-o wide` has them all. */
const MAX_GROUPS = 3;

function removal({ removal: dry, verdict, gates: all }: NodeExplanation, layout: Layout): string[] {
  if (dry === undefined) return [];
  // A new node is worth a word where it is in the way.
  const refused = all.some((g) => g.verdict === 'fail' && isMoveGate(g.gate));
  const { width, wide, paint } = layout;
  const lines = [paint('bold', verdict === 'goes' ? 'BY ITSELF' : 'IF IT WENT')];
  const to = dry.destinations.map(({ node, pods }) => `${pods} to ${node}`);
  if (dry.placements.length > 0) {
    const places = listed(to, wide ? to.length : 5);
    lines.push(...hanging('  ', `${count(dry.placements.length, 'pod')} would move: ${places}`, width));
  }
  if (wide) lines.push(...dry.placements.map(({ pod, to: node }) => `    ${pod} → ${node}`));
  const most = wide ? undefined : MAX_GROUPS;
  for (const group of dry.stranded.slice(0, most)) lines.push(...withoutPlace(group, layout));
  lines.push(...moreGroups(dry.stranded, most));
  if (refused || wide) {
    for (const group of dry.onNewNodes.slice(0, most))
      lines.push(...hanging('  ', `${subject(group)} a new node${closestText(group)}`, width, 2));
    lines.push(...moreGroups(dry.onNewNodes, most));
  }
  return lines;
}

function moreGroups(groups: readonly PodsWithoutPlace[], most: number | undefined): string[] {
  const rest = groups.slice(most ?? groups.length).reduce((n, g) => n + g.pods.length, 0);
  return rest === 0 ? [] : [`  and ${count(rest, 'more pod')} (-o wide)`];
}

function subject({ pods }: PodsWithoutPlace): string {
  return `${listed(pods)} ${pods.length > 1 ? 'need' : 'needs'}`;
}

const EVERYWHERE = {
  'resource-claims': 'it uses ResourceClaims, which Karpenter does not place',
  'volume-missing': 'its volume cannot be found',
} as const;

function withoutPlace(group: PodsWithoutPlace, { width, wide, paint }: Layout): string[] {
  const have = group.pods.length > 1 ? 'have' : 'has';
  const lines = hanging('  ', `${listed(group.pods)} ${have} no place${closestText(group)}`, width).map((line) =>
    paint('yellow', line),
  );
  if (group.everywhere !== undefined) return [...lines, `    ${EVERYWHERE[group.everywhere]}`];
  const shown = group.nodes.slice(0, wide ? undefined : 3);
  for (const { nodes, message, example } of shown)
    lines.push(...hanging('    ', nodes === 1 ? `${example}: ${message}` : `${nodes} nodes: ${message}`, width, 2));
  const rest = group.nodes.slice(shown.length).reduce((n, g) => n + g.nodes, 0);
  if (rest > 0) lines.push(`    ${count(rest, 'other node')}: other reasons (-o wide)`);
  for (const { nodePool, message } of group.nodePools)
    lines.push(...hanging('    ', `no new node of pool ${nodePool}: ${message}`, width, 2));
  return lines;
}

function closestText({ closest }: PodsWithoutPlace): string {
  return closest === undefined ? '' : `; closest is ${closest.node}, which lacks ${amounts(closest.missing)}`;
}
