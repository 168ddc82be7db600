import { count, perHour, perMonth } from '../../report/money.ts';
import { table } from '../output/table.ts';
import type { ChangedNode, DiffTotals, PlanDiff } from './diff.ts';

const WIDTH = 110;
/** Limit for a readable comment. */
const MOST_IN_MARKDOWN = 20;

export function renderDiff(diff: PlanDiff, output: 'text' | 'markdown'): string {
  return `${(output === 'text' ? textOf(diff) : markdownOf(diff)).join('\n')}\n`;
}

function textOf(diff: PlanDiff): string[] {
  const { before, after, nodes } = diff;
  const columns = ['', `>${before.title}`, `>${after.title}`, ''] as const;
  const changed = nodes.map((node) => [node.name, node.nodePool, price(node), fate(node), node.why]);
  const titles = ['NODE', 'POOL', '$/H', 'CHANGE', 'WHY IT STAYS'];
  return [
    headline(diff),
    '',
    ...table(columns, rowsOf(before, after), WIDTH),
    '',
    ...(nodes.length === 0
      ? ['the plan is the same for every node']
      : [`NODES WITH A DIFFERENT OUTCOME (${nodes.length})`, ...table(titles, changed, WIDTH, 3)]),
  ];
}

function markdownOf(diff: PlanDiff): string[] {
  const { before, after, nodes } = diff;
  const row = (cells: readonly string[]) => `| ${cells.map(cell).join(' | ')} |`;
  const shown = nodes.slice(0, MOST_IN_MARKDOWN);
  const more = nodes.length - shown.length;
  return [
    `**Decant: ${headline(diff)}**`,
    '',
    row(['', before.title, after.title, '']),
    '|---|---:|---:|---|',
    ...rowsOf(before, after).map(row),
    '',
    ...(nodes.length === 0
      ? ['The plan is the same for every node.']
      : [
          `<details><summary>${count(nodes.length, 'node')} with a different outcome</summary>`,
          '',
          row(['node', 'pool', '$/h', 'change', 'why it stays']),
          '|---|---|---:|---|---|',
          ...shown.map((node) => row([node.name, node.nodePool, price(node), fate(node), node.why])),
          ...(more > 0 ? ['', `and ${count(more, 'more')}`] : []),
          '',
          '</details>',
        ]),
  ];
}

function headline({ before, after, plannedCentsPerHourDifference: cents }: PlanDiff): string {
  if (Math.abs(cents) < 0.05) return `the planned cost stays ${perHour(after.plannedCentsPerHour)}`;
  const share = before.plannedCentsPerHour > 0 ? (100 * Math.abs(cents)) / before.plannedCentsPerHour : 0;
  const by = `${perHour(Math.abs(cents))} (${share.toFixed(1)} %), ${perMonth(Math.abs(cents))} a month`;
  return `the planned cost ${cents > 0 ? 'rises' : 'falls'} by ${by}`;
}

function rowsOf(before: DiffTotals, after: DiffTotals): string[][] {
  const money = (title: string, of: (totals: DiffTotals) => number) => [
    title,
    perHour(of(before)),
    perHour(of(after)),
    signed(of(after) - of(before), perHour, 0.05),
  ];
  const number = (title: string, of: (totals: DiffTotals) => number) => [
    title,
    String(of(before)),
    String(of(after)),
    signed(of(after) - of(before), String, 0.5),
  ];
  return [
    money('cost now', (t) => t.centsPerHour),
    money('planned cost', (t) => t.plannedCentsPerHour),
    money('saved by the plan', (t) => t.savingsCentsPerHour),
    number('moves', (t) => t.moves),
    number('evictions', (t) => t.evictions),
  ];
}

function signed(difference: number, text: (amount: number) => string, least: number): string {
  if (Math.abs(difference) < least) return '';
  return `${difference > 0 ? '+' : '−'}${text(Math.abs(difference))}`;
}

const FATES = { delete: 'removed', replace: 'replaced', stay: 'stays' } as const;

function fate({ before, after }: ChangedNode): string {
  return `${FATES[before]} → ${FATES[after]}`;
}

function price({ centsPerHour }: ChangedNode): string {
  return centsPerHour === null ? '' : (centsPerHour / 100).toFixed(3);
}

/** Names of objects are external text. */
function cell(text: string): string {
  return text.replace(/[\p{Cc}]/gu, ' ').replace(/[\\|<>[\]`*_]/g, '\\$&');
}
