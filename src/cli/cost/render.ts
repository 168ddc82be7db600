import type { CostDocument } from '../../report/cost-document.ts';
import { count, inDollars, perHour, perMonth, sumPerHour } from '../../report/money.ts';
import { table } from '../output/table.ts';

const GIB = 2 ** 30;

export function renderCost({ by, totals, groups }: CostDocument, limit = groups.length): string {
  const { centsPerHour, idleCentsPerHour, allocatedCentsPerHour, commitments, unpricedNodes } = totals;
  const share = (cents: number) => (centsPerHour === 0 ? '-' : `${((100 * cents) / centsPerHour).toFixed(1)} %`);
  const money = (cents: number) => [inDollars(cents / 100, 3), perMonth(cents), share(cents)];
  const columns = [by.replace(/^label:/, '').toUpperCase(), '>PODS', '>CPU', '>GIB', '>AN HOUR', '>A MONTH', '>SHARE'];
  const shown = groups.slice(0, limit);
  const rows = shown.map(({ name, pods, cpuMilli, memoryBytes, centsPerHour: cents }) => [
    name,
    String(pods),
    (cpuMilli / 1000).toFixed(1),
    (memoryBytes / GIB).toFixed(1),
    ...money(cents),
  ]);
  const rest = groups.slice(limit);
  if (rest.length > 0) {
    const cents = rest.reduce((sum, g) => sum + g.centsPerHour, 0);
    rows.push([`(${rest.length} more)`, String(rest.reduce((sum, g) => sum + g.pods, 0)), '', '', ...money(cents)]);
  }
  rows.push(['(idle)', '', '', '', ...money(idleCentsPerHour)]);
  if (commitments !== undefined)
    rows.push(['(unused commitments)', '', '', '', ...money(commitments.unusedCentsPerHour)]);
  const head = [
    `${count(totals.nodes, 'node')}, ${count(totals.pods, 'pod')}: ${sumPerHour(centsPerHour, unpricedNodes.length)}, ${perMonth(centsPerHour)} a month`,
    `${perHour(allocatedCentsPerHour)} requested by pods, ${perHour(idleCentsPerHour)} (${share(idleCentsPerHour)}) idle`,
  ];
  const unpriced =
    unpricedNodes.length === 0 ? [] : [`${count(unpricedNodes.length, 'node')} without a price: not counted`];
  return `${[...head, ...unpriced, '', ...table(columns, rows)].join('\n')}\n`;
}
