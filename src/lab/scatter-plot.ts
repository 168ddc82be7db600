import type { TotalRow } from './comparison.ts';
import { countOf, dollars } from './figures.ts';
import { onParetoFront } from './pareto-front.ts';
import { pointLabels } from './point-labels.ts';

const HEIGHT = 15;

/**
 * Cost against evictions as text: the front of these two is connected by dots. Where policies overlap, the first one on the
 * front is shown.
 */
export function scatterPlot(rows: readonly TotalRow[], width = 80): string[] {
  const [x, y] = [scale(rows.map((row) => row.evictions.mean)), scale(rows.map((row) => row.cost.mean))];
  const margin = Math.max(...[y.least, y.middle, y.most].map((value) => dollars(value).length));
  const columns = width - margin - 2;
  const cells = Array.from({ length: HEIGHT }, () => Array<string>(columns).fill(' '));
  const labels = pointLabels(rows);
  const points = rows.map((row, i) => ({
    column: x.cell(row.evictions.mean, columns),
    line: HEIGHT - 1 - y.cell(row.cost.mean, HEIGHT),
    label: labels[i],
  }));
  const isStair = onParetoFront(rows.map((row) => [row.cost.mean, row.evictions.mean]));
  const front = points.filter((_, i) => isStair[i]).sort((a, b) => a.column - b.column || a.line - b.line);
  for (let i = 1; i < front.length; i++) stairs(cells, front[i - 1], front[i]);
  // Later points overwrite earlier ones.
  const drawn = [...points.filter((_, i) => !isStair[i]), ...front.reverse()];
  for (const { column, line, label } of drawn) cells[line][column] = label;
  const lines = cells.map((cell, line) => `${yLabel(line)} │${cell.join('')}`.trimEnd());
  return ['cost', ...lines, `${' '.repeat(margin)} └${'─'.repeat(columns)}`, xLabels()];

  function yLabel(line: number): string {
    const labelled =
      line === 0 ? y.most : line === HEIGHT - 1 ? y.least : line === (HEIGHT - 1) / 2 ? y.middle : undefined;
    return (labelled === undefined ? '' : dollars(labelled)).padStart(margin);
  }

  function xLabels(): string {
    const [least, most] = [countOf(x.least), `${countOf(x.most)} evictions`];
    const room = columns - least.length - most.length;
    return ' '.repeat(margin + 2) + least + ' '.repeat(Math.max(1, room)) + most;
  }
}

/** One step of the front. */
function stairs(cells: string[][], from: Cell, to: Cell): void {
  for (let column = from.column; column <= to.column; column++) cells[from.line][column] = '·';
  const [top, bottom] = [Math.min(from.line, to.line), Math.max(from.line, to.line)];
  for (let line = top; line <= bottom; line++) cells[line][to.column] = '·';
}

interface Cell {
  readonly column: number;
  readonly line: number;
}

/** Maps values to cells; a single value to the middle one. */
function scale(values: readonly number[]) {
  const [least, most] = [Math.min(...values), Math.max(...values)];
  const span = most - least;
  return {
    least,
    most,
    middle: (least + most) / 2,
    cell: (value: number, cells: number) => {
      return span > 0 ? Math.round(((value - least) / span) * (cells - 1)) : Math.floor(cells / 2);
    },
  };
}
