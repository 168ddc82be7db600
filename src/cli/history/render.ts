import { count, perHour, perMonth } from '../../report/money.ts';
import { table } from '../output/table.ts';
import type { HistoryDocument, HistoryEntry, HistoryTotals } from './document.ts';

const COLUMNS = ['WHEN (UTC)', 'POOL', 'PHASE', '>SAVES', '>SAVED', '>PODS', 'WHAT'];

/** An infinite width truncates nothing. */
export function renderHistory({ totals, commands }: HistoryDocument, width: number): string {
  if (totals.commands === 0) return 'no commands yet\n';
  const rows = commands.map((entry) => row(entry, width === Number.POSITIVE_INFINITY));
  const more = totals.commands - commands.length;
  const lines = [...summary(totals), '', ...table(COLUMNS, rows, width, 3)];
  return `${[...lines, ...(more > 0 ? [`… and ${count(more, 'older command')}`] : [])].join('\n')}\n`;
}

function summary(totals: HistoryTotals): string[] {
  const { commands, done, open, abandoned } = totals;
  const saved = totals.realisedSavingsCentsPerHour;
  const predicted = totals.predictedSavingsCentsPerHour;
  return [
    `${count(commands, 'command')}: ${done} done, ${abandoned} abandoned, ${open} open`,
    `${perHour(saved)} saved (${perHour(predicted)} predicted), ${perMonth(saved)} a month, for ${count(totals.evictions, 'eviction')}`,
  ];
}

function row(entry: HistoryEntry, wide: boolean): string[] {
  const { decidedAt, nodePools, phase, predicted, realised, reason } = entry;
  const undone = reason === undefined || phase === 'abandoned' ? '' : ', being undone';
  return [
    decidedAt.slice(0, 16).replace('T', ' '),
    nodePools.join(', '),
    phase + undone,
    perHour(predicted.savingsCentsPerHour),
    realised === undefined ? '-' : perHour(realised.savingsCentsPerHour),
    String((realised ?? predicted).evictions),
    what(entry, wide) + (reason === undefined ? '' : `: ${reason.message}`),
  ];
}

const MOST_NAMES = 3;

function what({ kind, nodes, replacements }: HistoryEntry, wide: boolean): string {
  const names = wide ? nodes : nodes.slice(0, MOST_NAMES);
  const rest = nodes.length - names.length;
  const list = `${names.join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`;
  if (kind === 'delete') return `delete ${list}`;
  const by = wide ? replacements.map((r) => r.nodeClaim).join(', ') : `${replacements.length} new`;
  return `replace ${list} by ${by}`;
}
