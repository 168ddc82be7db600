import type { BlockerEntry, BlockersDocument } from '../../report/blockers-document.ts';
import { count, perHour, perMonth } from '../../report/money.ts';
import { notBlockedInWords } from '../../report/stay-words.ts';
import { table, wrap } from '../output/table.ts';

export function renderBlockers(document: BlockersDocument, width: number): string {
  const { blockers, totalCentsPerHour, plannedSavingsCentsPerHour } = document;
  const saves = perHour(plannedSavingsCentsPerHour);
  const notBlocked = notBlockedInWords(document).flatMap((text) => wrap(text, width, 3));
  if (blockers.length === 0) {
    const first = saves === perHour(0) ? 'no blockers; the plan saves nothing' : `no blockers: the plan saves ${saves}`;
    return `${[first, ...notBlocked].join('\n')}\n`;
  }
  const priced = blockers.filter((b) => b.jointCentsPerHour !== null);
  const worth = priced.filter((b) => (b.jointCentsPerHour ?? 0) > 0);
  const free = priced.filter((b) => b.jointCentsPerHour === 0);
  const hasOwners = worth.some((b) => b.owner !== null);
  const columns = ['>#', '>A MONTH ALONE', '>WITH OTHERS', '>NODES', ...(hasOwners ? ['OWNER'] : []), 'BLOCKER'];
  const rows = worth.map((b, i) => [
    String(i + 1),
    perMonth(b.aloneCentsPerHour ?? 0),
    perMonth(b.jointCentsPerHour ?? 0),
    String(b.nodes.length),
    ...(hasOwners ? [b.owner ?? ''] : []),
    b.title,
  ]);
  const untried = blockers.length - priced.length;
  const them = blockers.length === 1 ? 'it' : 'them';
  const more =
    totalCentsPerHour === 0
      ? 'no more would be saved'
      : `${perHour(totalCentsPerHour)} more would be saved, ${perMonth(totalCentsPerHour)} a month`;
  return `${[
    `${count(blockers.length, 'blocker')}: without ${them} ${more}`,
    `(the plan saves ${saves === perHour(0) ? 'nothing' : saves} with the blockers in place)`,
    ...notBlocked,
    '',
    ...(worth.length === 0 ? [] : table(columns, rows, width, 3)),
    ...(worth.length > 0 && free.length + untried > 0 ? [''] : []),
    ...(free.length === 0 ? [] : ['COSTS NOTHING', ...free.slice(0, MAX_FREE).map(({ title }) => title)]),
    ...(free.length > MAX_FREE ? [`and ${free.length - MAX_FREE} more: -o json has all`] : []),
    ...(untried > 0 ? [`${untried} more not priced: --limit ${blockers.length} prices all`] : []),
    ...(worth.length === 0 ? [] : ['', 'REMOVE', ...worth.flatMap((b, i) => remedy(b, i, width))]),
  ]
    .join('\n')
    .trimEnd()}\n`;
}

const MAX_FREE = 5;

function remedy(b: BlockerEntry, i: number, width: number): string[] {
  const number = `${i + 1}. `;
  const indent = ' '.repeat(number.length);
  const together = b.jointCentsPerHour === b.aloneCentsPerHour ? [] : [`together with ${b.others.join('; ')}`];
  const lines = together.flatMap((line) => wrap(line, width - indent.length, 4));
  return [number + b.remedy, ...lines.map((line) => indent + line)];
}
