import { cents, count, percent } from '../../engine/explanation/amounts.ts';
import { GATE_TITLES, isMoveGate } from '../../engine/explanation/gate-names.ts';
import type { ExplainedGate, NodeExplanation } from '../../engine/explanation/node-explanation.ts';
import {
  coverageInWords,
  emptyingInWords,
  interruptionsInWords,
  type RemovalDetail,
  removalInWords,
  unlocksInWords,
  verdictInWords,
} from '../../report/node-words.ts';
import { hanging } from '../output/paragraph.ts';
import type { Layout } from '../plan/render.ts';

export function renderNodeExplanation(e: NodeExplanation, layout: Layout): string[][] {
  return [headline(e, layout), unlocks(e, layout), gates(e, layout), removal(e, layout)];
}

function headline(e: NodeExplanation, { width, paint }: Layout): string[] {
  const { node, pods } = e;
  const [first, ...more] = hanging('', `node ${node.name} ${verdictInWords(e)}`, width, 6);
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
    ...[...coverageInWords(node), ...emptyingInWords(e), ...interruptionsInWords(e)].flatMap((line) =>
      hanging('', line, width, 3).map((text) => paint('dim', text)),
    ),
  ];
}

function unlocks(e: NodeExplanation, layout: Layout): string[] {
  const { width, paint } = layout;
  if (e.verdict !== 'stays') return [];
  const title = paint('bold', 'WHAT WOULD UNLOCK IT');
  const { all, oneOf, deadEnd } = unlocksInWords(e);
  if (deadEnd !== undefined) return [title, ...hanging('  ', deadEnd, width)];
  const alternatives = oneOf.flatMap((message) => arrows(message, layout));
  if (all.length === 0) return [title, ...alternatives];
  const shared = all.flatMap((message) => arrows(message, layout));
  return [title, '  all of these:', ...shared, '  and one of these:', ...alternatives];
}

function arrows(message: string, { width, paint }: Layout): string[] {
  return hanging('  → ', message, width).map((line) => paint('green', line));
}

const MARK = { pass: '✓', fail: '✗' } as const;

function gates(e: NodeExplanation, { width, wide, paint }: Layout): string[] {
  // A node that goes in a move of several is judged by itself here, as in what follows.
  const alone = e.verdict === 'goes' && e.gates.some((g) => g.verdict === 'fail');
  const lines = [paint('bold', alone ? 'GATES, REMOVED ALONE' : 'GATES')];
  const told = e.gates.filter((g) => g.verdict === 'fail' || (g.verdict === 'pass' && g.message !== ''));
  const plain = e.gates.filter((g) => g.verdict === 'pass' && g.message === '' && !isMoveGate(g.gate));
  const room = Math.max(...told.map((g) => GATE_TITLES[g.gate].length)) + 2;
  if (plain.length > 0) lines.push(...hanging('  ✓ ', titles(plain), width).map((line) => paint('dim', line)));
  let assumed = e.assumed.length === 0;
  for (const gate of told) {
    if (!assumed && isMoveGate(gate.gate)) {
      assumed = true;
      lines.push(paint('dim', '  as if it had passed those:'));
    }
    const mark = `  ${gate.verdict === 'fail' ? MARK.fail : MARK.pass} ${GATE_TITLES[gate.gate].padEnd(room)}`;
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
  return gateReports.map((g) => GATE_TITLES[g.gate]).join(', ');
}

/** Fits one screen; -o wide shows all. */
const BRIEF: RemovalDetail = { destinations: 5, groups: 3, reasons: 3, more: ' (-o wide)' };
const ALL = Number.POSITIVE_INFINITY;
const WIDE: RemovalDetail = { destinations: ALL, groups: ALL, reasons: ALL, more: '' };
const MOST_LINES = { moving: 4, stranded: 4, 'new-node': 2, detail: 2, more: 1 } as const;

function removal(e: NodeExplanation, { width, wide, paint }: Layout): string[] {
  if (e.removal === undefined) return [];
  const lines = [paint('bold', e.verdict === 'goes' ? 'REMOVED ALONE' : 'IF REMOVED')];
  for (const { of, text } of removalInWords(e, wide ? WIDE : BRIEF)) {
    const own = hanging(of === 'detail' ? '    ' : '  ', text, width, MOST_LINES[of]);
    lines.push(...(of === 'stranded' ? own.map((line) => paint('yellow', line)) : own));
    if (wide && of === 'moving') lines.push(...e.removal.placements.map(({ pod, to }) => `    ${pod} → ${to}`));
  }
  return lines;
}
