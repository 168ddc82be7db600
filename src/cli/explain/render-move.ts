import { cents, count, listed } from '../../engine/explanation/amounts.ts';
import type { MoveAlternative, MoveExplanation } from '../../engine/explanation/move-explanation.ts';
import { savingsInWords } from '../../report/plan-words.ts';
import { hanging } from '../output/paragraph.ts';
import { table } from '../output/table.ts';
import type { Layout } from '../plan/render.ts';

export function renderMoveExplanation(e: MoveExplanation, layout: Layout): string[][] {
  return [headline(e, layout), nodes(e, layout), alternatives(e, layout)];
}

function headline(e: MoveExplanation, { width, paint }: Layout): string[] {
  const { move } = e;
  const by = move.replacements
    .map((r) => `${r.instanceTypes[0]} (pool ${r.nodePool}, ${cents(r.centsPerHour)})`)
    .join(' and ');
  const what =
    move.kind === 'delete'
      ? `deletes ${count(move.nodes.length, 'node')}`
      : `replaces ${count(move.nodes.length, 'node')} by ${by}`;
  const required =
    move.requiredCentsPerHour > 0
      ? `, ${cents(e.netCentsPerHour)} more than the ${cents(move.requiredCentsPerHour)} required`
      : '';
  const facts = `wave ${move.wave}, ${count(move.placements.length, 'pod')} to move, disruption cost ${move.disruptionCost.toFixed(1)}`;
  return [
    ...hanging('', `move ${e.number} ${what}: ${savingsText(move)}${required}`, width).map((l) => paint('bold', l)),
    paint('dim', facts),
    ...hanging('', whyText(e), width, 6),
  ];
}

function savingsText(move: MoveExplanation['move']): string {
  return move.unpricedNodes === undefined ? `saves ${cents(move.savingsCentsPerHour)}` : savingsInWords(move);
}

/** The best alternative beside the move. */
function whyText(e: MoveExplanation): string {
  const [runnerUp] = e.alternatives.filter((a) => a.what === 'instead');
  const how = HOW[e.move.method];
  if (runnerUp === undefined) return `${how} No other node can be removed.`;
  if (runnerUp.decision === 'none')
    return `${how} No other node can be removed by itself; ${runnerUp.node} cannot: ${reason(runnerUp)}.`;
  const gain = `saves ${cents(runnerUp.savingsCentsPerHour)} for a disruption cost of ${runnerUp.disruptionCost.toFixed(1)}`;
  return `${how} Runner-up: ${runnerUp.node} alone ${gain}.${orderText(e, runnerUp)}`;
}

/** Karpenter takes the first acceptable node, so its order is the reason. */
function orderText({ move, nodes: own }: MoveExplanation, runnerUp: MoveAlternative): string {
  if (move.method !== 'single' || own.length === 0) return '';
  const [{ node, worth }] = own;
  return ` Price divided by pods to move plus one: ${node} ${worth.toFixed(2)}, ${runnerUp.node} ${runnerUp.worth.toFixed(2)}.`;
}

const HOW: Readonly<Record<MoveExplanation['move']['method'], string>> = {
  emptiness: 'Nothing on these nodes has to move, so they come first.',
  multi: 'The largest group that can be removed together, most expensive nodes per pod first.',
  single: 'The first node whose removal pays, most expensive nodes per pod first.',
  merged: 'Part of the plan with the greatest savings beyond what is required.',
};

const NODE_COLUMNS = ['NODE', '>¢/H', '>COST', 'ITS PODS GO TO'];

function nodes(e: MoveExplanation, { width, wide, paint }: Layout): string[] {
  const shown = e.nodes.slice(0, wide ? undefined : 10);
  const rows = shown.map((n) => {
    const counts = new Map<string, number>();
    for (const { to } of n.placements) counts.set(to, (counts.get(to) ?? 0) + 1);
    const to = [...counts].sort(([, a], [, b]) => b - a).map(([node, pods]) => `${node} (${pods})`);
    return [
      n.node,
      n.centsPerHour.toFixed(2),
      n.disruptionCost.toFixed(1),
      to.length === 0 ? 'nothing to move' : listed(to, wide ? to.length : 4),
    ];
  });
  const lines = table(NODE_COLUMNS, rows, width);
  lines[0] = paint('dim', lines[0]);
  const more = e.nodes.length - shown.length;
  return [paint('bold', 'NODES'), ...lines, ...(more > 0 ? [`and ${more} more (-o wide)`] : [])];
}

const COLUMNS = ['INSTEAD', '>SAVES', '>NET', '>COST', '>PODS', ''];

const WHAT: Readonly<Record<MoveAlternative['what'], (node: string) => string>> = {
  alone: (node) => `only ${node}`,
  without: (node) => `without ${node}`,
  with: (node) => `${node} as well`,
  instead: (node) => `${node} instead`,
};

/** Of each kind, on one screen. */
const MAX_OF_A_KIND = 4;

function alternatives(e: MoveExplanation, { width, wide, paint }: Layout): string[] {
  if (e.alternatives.length === 0) return [];
  const most = wide ? Number.POSITIVE_INFINITY : MAX_OF_A_KIND;
  const shown = e.alternatives.filter((a) => e.alternatives.filter((b) => b.what === a.what).indexOf(a) < most);
  const rows = shown.map((a) => [
    WHAT[a.what](a.node),
    a.decision === 'none' ? '–' : a.savingsCentsPerHour.toFixed(2),
    a.decision === 'none' ? '–' : a.netCentsPerHour.toFixed(2),
    a.disruptionCost.toFixed(1),
    a.decision === 'none' ? '–' : String(a.evictions),
    a.decision === 'none' ? `no: ${reason(a)}` : a.decision,
  ]);
  const lines = table(COLUMNS, rows, width, 3);
  lines[0] = paint('dim', lines[0]);
  const hidden = e.alternatives.length - shown.length;
  if (hidden > 0) lines.push(paint('dim', `and ${hidden} more (-o wide)`));
  if (e.untried > 0) lines.push(paint('dim', `${e.untried} more nodes of the group were not tried on their own`));
  const note = paint('dim', 'each on its own, in the present cluster');
  return [`${paint('bold', 'ALTERNATIVES')} ${note}`, ...lines];
}

function reason({ refusal, keepsOne }: MoveAlternative): string {
  return keepsOne ? 'no better than keeping one of them' : (refusal?.message ?? '');
}
