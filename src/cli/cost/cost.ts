import { type CostDocument, costDocument, costOfNobody } from '../../report/cost-document.ts';
import { count, inDollars, perHour, perMonth, sumPerHour } from '../../report/money.ts';
import { badFlag } from '../flags/usage-error.ts';
import { loadInput, tell } from '../input/load-input.ts';
import { documentText } from '../output/document-text.ts';
import { EXIT } from '../output/exit.ts';
import { table } from '../output/table.ts';
import { print } from '../output/terminal-text.ts';
import type { CostOptions } from './flags.ts';

export async function costCommand(options: CostOptions): Promise<number> {
  const { cluster, notices, notes } = await loadInput(options);
  const { by, limit, output } = options;
  const document = costDocument(cluster, by);
  if (document === undefined)
    throw badFlag('--by', by, 'namespace, workload, pool, node, or label:KEY such as label:team');
  tell(notices, notes);
  if (output === 'text') print(renderCost(document, limit));
  else print(await documentText({ ...document, groups: document.groups.slice(0, limit) }, output));
  return EXIT.ok;
}

const GIB = 2 ** 30;

function renderCost(document: CostDocument, limit = document.groups.length): string {
  const { by, totals, groups } = document;
  const { centsPerHour, idleCentsPerHour, allocatedCentsPerHour, unpricedNodes } = totals;
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
  rows.push(...costOfNobody(document).map(({ name, centsPerHour: cents }) => [name, '', '', '', ...money(cents)]));
  const head = [
    `${count(totals.nodes, 'node')}, ${count(totals.pods, 'pod')}: ${sumPerHour(centsPerHour, unpricedNodes.length)}, ${perMonth(centsPerHour)} a month`,
    `${perHour(allocatedCentsPerHour)} requested by pods, ${perHour(idleCentsPerHour)} (${share(idleCentsPerHour)}) idle`,
  ];
  const unpriced =
    unpricedNodes.length === 0 ? [] : [`${count(unpricedNodes.length, 'node')} without a price: not counted`];
  return `${[...head, ...unpriced, '', ...table(columns, rows)].join('\n')}\n`;
}
