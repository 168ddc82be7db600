import type { BlockerEntry, BlockersDocument } from '../../report/blockers-document.ts';
import { count, perHour, perMonth } from '../../report/money.ts';
import { table, wrap } from '../output/table.ts';

export function renderBlockers(
  { blockers, totalCentsPerHour, plannedSavingsCentsPerHour }: BlockersDocument,
  width: number,
): string {
  if (blockers.length === 0) {
    const saves = perHour(plannedSavingsCentsPerHour);
    return saves === perHour(0)
      ? 'nothing blocks, and nothing can be saved\n'
      : `nothing blocks: the plan saves ${saves}\n`;
  }
  const priced = blockers.filter((b) => b.jointCentsPerHour !== null);
  const worth = priced.filter((b) => (b.jointCentsPerHour ?? 0) > 0);
  const free = priced.length - worth.length;
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
  return `${[
    `${count(blockers.length, 'blocker')}: without them ${perHour(totalCentsPerHour)} more would be saved, ${perMonth(totalCentsPerHour)} a month`,
    `(the plan saves ${perHour(plannedSavingsCentsPerHour)} as things are)`,
    '',
    ...(worth.length === 0 ? ['none of them costs anything'] : table(columns, rows, width, 3)),
    ...(free + untried > 0 ? [''] : []),
    ...(free > 0 ? [`${free} more: removing ${free === 1 ? 'it' : 'them'} would save nothing`] : []),
    ...(untried > 0 ? [`${untried} more not priced: --limit ${blockers.length} prices all`] : []),
    ...(worth.length === 0 ? [] : ['', 'REMOVE', ...worth.flatMap((b, i) => remedy(b, i, width))]),
  ]
    .join('\n')
    .trimEnd()}\n`;
}

function remedy(b: BlockerEntry, i: number, width: number): string[] {
  const number = `${i + 1}. `;
  const indent = ' '.repeat(number.length);
  const together = b.jointCentsPerHour === b.aloneCentsPerHour ? [] : [`together with ${b.others.join('; ')}`];
  const lines = together.flatMap((line) => wrap(line, width - indent.length, 4));
  return [number + b.remedy, ...lines.map((line) => indent + line)];
}
