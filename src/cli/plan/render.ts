import type { Plan, PlannedMove, PlannedNode } from '../../engine/plan-document.ts';
import { count, grouped, perHour, perMonth } from '../../report/money.ts';
import {
  boundInWords,
  commitmentsInWords,
  consequenceInWords,
  costInWords,
  effortInWords,
  karpenterInWords,
  moveInWords,
  pricesInWords,
  priceWarnings,
  reasonsToStay,
  reasonsToStayCounted,
  savingsInWords,
  severalAtOnceInWords,
} from '../../report/plan-words.ts';
import { table, wrap } from '../output/table.ts';

/** How a word is emphasised; the identity in a pipe. */
type Paint = (style: 'bold' | 'green' | 'yellow' | 'dim', text: string) => string;

export interface Layout {
  readonly width: number;
  /** All columns and all rows, uncut. */
  readonly wide: boolean;
  readonly paint: Paint;
}

/** Rows shown; `-o wide` shows all. */
const MAX_ROWS = 50;
const MAX_MOVES = 20;
/** Keeps a number and its noun, or a pod and its arrow, on one line. */
const NO_BREAK = '\u00a0';

/** A plan as text: cost, moves, and why other nodes stay. */
export function renderPlan(plan: Plan, layout: Layout): string {
  const leaving = new Set(plan.moves.flatMap((move) => move.nodes));
  const staying = plan.nodes.filter((node) => !leaving.has(node.name)).sort(dearestFirst);
  const nameOf = layout.wide ? (name: string) => name : shortNames(plan.nodes.map(({ name }) => name));
  return [
    ...headline(plan, layout),
    '',
    ...moves(plan, layout, nameOf),
    '',
    ...stays(staying, layout, nameOf),
    ...(layout.wide || staying.length === 0 ? [] : ['', ...whatNext(staying[0], layout, nameOf)]),
    '',
  ].join('\n');
}

/** How a node is called here. */
type NameOf = (name: string) => string;

/** Names without the domain that nodes of a cloud share, where that is unique: `decant explain node` takes them. */
function shortNames(names: readonly string[]): NameOf {
  const label = (name: string) => (IP_ADDRESS.test(name) ? name : name.split('.', 1)[0]);
  const byLabel = Map.groupBy(names, label);
  return (name) => (byLabel.get(label(name))?.length === 1 ? label(name) : name);
}

const IP_ADDRESS = /^\d+(\.\d+){3}$/;

function whatNext(node: PlannedNode, { paint }: Layout, nameOf: NameOf): string[] {
  return [
    `decant explain node ${nameOf(node.name)}: what would change that`,
    'decant blockers: what keeps nodes, and what each blocker costs',
  ].map((line) => paint('dim', line));
}

function headline(plan: Plan, { width, paint }: Layout): string[] {
  const lines = (text: string) => wrap(text, width, 3);
  const { totals, moves } = plan;
  const { centsPerHour, savingsCentsPerHour: saved } = totals;
  const share = centsPerHour > 0 ? ` (${((100 * saved) / centsPerHour).toFixed(1)} %)` : '';
  const verdict =
    moves.length === 0 ? paint('bold', 'nothing to do') : paint('green', `saves ${perHour(saved)}${share}`);
  const [now, then] = costInWords(plan);
  const planned = moves.length === 0 ? '' : `, ${then} planned`;
  const month = moves.length === 0 ? '' : `${perMonth(saved)} a month for ${count(totals.evictions, 'eviction')}. `;
  return [
    `${count(totals.nodes, 'node')}, ${count(totals.pods, 'pod')}: ${now} now${planned}, ${verdict}`,
    paint('dim', `${month}${effortInWords(plan)}`),
    ...priceWarnings(plan)
      .flatMap(lines)
      .map((text) => paint('yellow', text)),
    ...[
      pricesInWords(plan) ?? [],
      commitmentsInWords(plan),
      karpenterInWords(plan) ?? [],
      severalAtOnceInWords(plan) ?? [],
      plan.bound === undefined ? [] : boundInWords(plan.bound),
    ]
      .flat()
      .flatMap(lines)
      .map((text) => paint('dim', text)),
  ];
}

function moves(plan: Plan, layout: Layout, nameOf: NameOf): string[] {
  const { paint, wide } = layout;
  if (plan.moves.length === 0) return [paint('bold', 'MOVES'), 'none'];
  const waves = Math.max(...plan.moves.map((move) => move.wave));
  const inWaves = waves > 1 ? ` in ${waves} waves: each starts when the pods of the previous wave run again` : '';
  const lines = [paint('bold', `MOVES (${plan.moves.length})`) + paint('dim', inWaves)];
  const shown = wide ? plan.moves : plan.moves.slice(0, MAX_MOVES);
  shown.forEach((move, i) => {
    if (waves > 1 && move.wave !== shown[i - 1]?.wave) lines.push(paint('dim', `wave ${move.wave}`));
    lines.push(...oneMove(move, i + 1, layout, nameOf));
  });
  const rest = plan.moves.slice(shown.length);
  if (rest.length > 0) {
    const saved = rest.reduce((sum, move) => sum + move.savingsCentsPerHour, 0);
    lines.push(
      paint('yellow', `and ${count(rest.length, 'more move')} that save ${perHour(saved)}: -o wide shows all`),
    );
  }
  return lines;
}

function oneMove(move: PlannedMove, position: number, { wide, width, paint }: Layout, nameOf: NameOf): string[] {
  const number = `${position}. `;
  const indent = ' '.repeat(number.length);
  const text = `${moveInWords(move)}: ${move.nodes.map(nameOf).join(', ')}`;
  const [first, ...more] = wrap(text, width - number.length, wide ? Number.POSITIVE_INFINITY : 4);
  const lines = [number + first, ...more.map((line) => indent + line)];
  lines.push(indent + paint('green', savingsInWords(move)) + consequenceInWords(move));
  if (wide) for (const { pod, to } of move.placements) lines.push(`${indent}  ${pod} → ${to}`);
  else lines.push(...destinations(move, width - indent.length, nameOf).map((line) => indent + paint('dim', line)));
  return lines;
}

/** Where its pods go: those of few pods by name, otherwise numbers of pods by node. */
function destinations({ placements }: PlannedMove, width: number, nameOf: NameOf): string[] {
  if (placements.length === 0) return [];
  const byNode = [...Map.groupBy(placements, ({ to }) => to)].sort(([, a], [, b]) => b.length - a.length);
  const texts = byNode.slice(0, MAX_DESTINATIONS).map(([to, own]) => {
    const pods = placements.length <= MAX_PODS ? own.map(({ pod }) => pod).join(', ') : String(own.length);
    return `${pods}${NO_BREAK}→${NO_BREAK}${nameOf(to)}`;
  });
  const rest = byNode.slice(MAX_DESTINATIONS).reduce((sum, [, own]) => sum + own.length, 0);
  if (rest > 0) texts.push(`${rest}${NO_BREAK}→${NO_BREAK}other nodes`);
  return wrap(`pods move: ${texts.join('; ')}`, width, 4).map((line) => line.replaceAll(NO_BREAK, ' '));
}

/** Of one move, unless `-o wide`. */
const MAX_PODS = 6;
const MAX_DESTINATIONS = 6;

function stays(nodes: readonly PlannedNode[], layout: Layout, nameOf: NameOf): string[] {
  const { wide, width, paint } = layout;
  const title = paint('bold', `NODES THAT STAY (${nodes.length})`);
  if (nodes.length === 0) return [title];
  const shown = wide ? nodes : nodes.slice(0, MAX_ROWS);
  const lines = wide
    ? table(WIDE_COLUMNS, shown.map(wideRow), Number.POSITIVE_INFINITY)
    : table(
        COLUMNS,
        shown.map((node) => row(node, nameOf)),
        width,
        3,
      );
  lines[0] = paint('dim', lines[0]);
  if (shown.length < nodes.length) {
    lines.push(paint('yellow', `and ${count(nodes.length - shown.length, 'cheaper node')}: -o wide shows all`));
  }
  const summary = wrap(reasons(nodes), width, 3).map((text) => paint('dim', text.replaceAll(NO_BREAK, ' ')));
  return [title, ...summary, '', ...lines];
}

function reasons(nodes: readonly PlannedNode[]): string {
  return reasonsToStayCounted(nodes)
    .map(([reason, n]) => `${grouped(String(n))}${NO_BREAK}${reason}`)
    .join(', ');
}

const COLUMNS = ['NODE', 'POOL', 'TYPE', '>$/H', '>USED', 'WHY'];

function row(node: PlannedNode, nameOf: NameOf): string[] {
  return [
    clip(nameOf(node.name), 30),
    clip(node.nodePool, 14),
    clip(node.instanceType, 16),
    price(node),
    used(node),
    why(node),
  ];
}

const WIDE_COLUMNS = ['NODE', 'POOL', 'TYPE', 'CAPACITY', 'ZONE', '>$/H', '>USED', '>COST', 'ALONE', 'WHY'];

function wideRow(node: PlannedNode): string[] {
  const { name, nodePool, instanceType, capacityType, zone, disruptionCost, alone } = node;
  return [name, nodePool, instanceType, capacityType, zone, price(node), used(node), disruptionCost.toFixed(2)].concat(
    alone.decision,
    why(node),
  );
}

function why(node: PlannedNode): string {
  return reasonsToStay(node).join('; ');
}

function dearestFirst(a: PlannedNode, b: PlannedNode): number {
  return (b.centsPerHour ?? 0) - (a.centsPerHour ?? 0) || (a.name < b.name ? -1 : 1);
}

function price({ centsPerHour }: PlannedNode): string {
  return centsPerHour === null ? '?' : (centsPerHour / 100).toFixed(3);
}

function used({ utilization }: PlannedNode): string {
  return `${Math.round(100 * utilization)}%`;
}

function clip(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length - 1)}…`;
}
