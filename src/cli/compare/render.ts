import type { ComparedRow, Comparison, TotalRow } from '../../lab/comparison.ts';
import { extentText, lifetime, secondsInWords, totalCells } from '../../lab/figures.ts';
import { againstRecord } from '../../lab/history/against-record.ts';
import { pointLabels } from '../../lab/point-labels.ts';
import { scatterPlot } from '../../lab/scatter-plot.ts';
import { table } from '../output/table.ts';
import type { Layout } from '../plan/render.ts';

/** With more, only the plot of all workloads is shown. */
const MOST_PLOTS = 2;
const PLOT_WIDTH = 80;

/** A comparison as text: a table per workload, cost against evictions, and the total. */
export function renderComparison(
  { days, workloads, total, recorded }: Comparison,
  { paint }: Pick<Layout, 'paint'>,
): string {
  const seeds = Math.max(...workloads.flatMap(({ rows }) => rows.map((row) => row.seeds)));
  const lines = [paint('dim', extentText(days, seeds)), ''];
  let isLostShown = false;
  for (const { name, rows } of workloads) {
    lines.push(...section(name, COLUMNS, rows, cells));
    if (workloads.length <= MOST_PLOTS) lines.push('', ...scatterPlot(rows, PLOT_WIDTH));
    lines.push('');
  }
  if (total !== undefined) {
    lines.push(...section('all workloads together', TOTAL_COLUMNS, total, totalCells));
    lines.push('', ...scatterPlot(total, PLOT_WIDTH), '');
  }
  if (recorded !== undefined) lines.push(...againstRecord(recorded, workloads[0].rows), '');
  lines.push(...[...NOTES, ...(isLostShown ? [LOST_NOTE] : [])].map((note) => paint('dim', note)));
  return `${lines.join('\n')}\n`;

  function section<T extends TotalRow>(
    name: string,
    columns: readonly string[],
    rows: readonly T[],
    cellsOf: (row: T) => readonly string[],
  ): string[] {
    const labels = pointLabels(rows);
    const texts = rows.map((row, i) => [labels[i], ...cellsOf(row)]);
    // Most workloads have no Jobs.
    const lost = columns.indexOf(LOST);
    const isLost = texts.some((row) => row[lost] !== '–');
    isLostShown ||= isLost;
    const shown = columns.map((_, i) => isLost || i !== lost);
    const [head, ...body] = table(
      columns.filter((_, i) => shown[i]),
      texts.map((row) => row.filter((_, i) => shown[i])),
      Number.POSITIVE_INFINITY,
    );
    return [
      paint('bold', name),
      paint('dim', head),
      ...body.map((line, i) => (rows[i].onFront ? paint('green', line) : line)),
    ];
  }
}

const LOST = '>LOST';

const NOTES = [
  'Capitals are the Pareto front: no other policy is better in one figure and worse in none.',
  'SAVED: against none. AGAIN: evicted again within 30 min. NODE LIFE: p50 / p95. PENDING: p95.',
  'UNAVAILABLE: replicas wanted but not ready, over time.',
];
const LOST_NOTE = 'LOST: pod-hours of evicted Jobs.';

const FIGURES = ['>COST', '>SAVED', '>EVICTED', LOST, '>AGAIN'];
const TOTAL_COLUMNS = ['', 'POLICY', ...FIGURES, '>UNAVAILABLE'];
const COLUMNS = [...TOTAL_COLUMNS.slice(0, -1), '>NODE LIFE', '>PENDING', '>UNAVAILABLE'];

function cells(row: ComparedRow): string[] {
  const [unavailable, ...others] = totalCells(row).reverse();
  const life = [row.nodeLifetimeP50Minutes, row.nodeLifetimeP95Minutes].map(({ mean }) => lifetime(mean));
  return [...others.reverse(), life.join(' / '), secondsInWords(row.pendingP95Seconds.mean), unavailable];
}
