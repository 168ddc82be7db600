import { oneLine } from './terminal-text.ts';

/** Columns as wide as their widest cell; the last one takes what is left of the width and wraps. */
export interface Column {
  readonly title: string;
  readonly align?: 'left' | 'right';
}

const GAP = '  ';

/**
 * Rows of plain strings as lines. `maxLines` limits how far the last column wraps; cut text ends in an ellipsis. An
 * infinite width never wraps.
 */
export function table(columns: readonly Column[], texts: readonly (readonly string[])[], width: number, maxLines = 2) {
  const rows = texts.map((row) => row.map(oneLine));
  const last = columns.length - 1;
  const widths = columns.map(({ title }, i) => rows.reduce((w, row) => Math.max(w, row[i].length), title.length));
  const indent = widths.slice(0, last).reduce((sum, w) => sum + w + GAP.length, 0);
  const room = Math.max(20, width - indent);

  const lines = [line(columns.map(({ title }) => title))];
  for (const row of rows) {
    const [first, ...more] = wrap(row[last], room, maxLines);
    lines.push(line([...row.slice(0, last), first]));
    for (const text of more) lines.push(' '.repeat(indent) + text);
  }
  return lines;

  function line(cells: readonly string[]): string {
    const padded = cells.map((cell, i) => {
      if (i === last) return cell;
      return columns[i].align === 'right' ? cell.padStart(widths[i]) : cell.padEnd(widths[i]);
    });
    return padded.join(GAP).trimEnd();
  }
}

/** Text broken at spaces into at most maxLines lines of at most `room` characters. */
export function wrap(text: string, room: number, maxLines: number): string[] {
  const lines: string[] = [];
  let rest = oneLine(text);
  while (rest.length > room) {
    if (lines.length === maxLines - 1) {
      lines.push(`${rest.slice(0, room - 1).trimEnd()}…`);
      return lines;
    }
    const space = rest.lastIndexOf(' ', room);
    const at = space > 0 ? space : room;
    lines.push(rest.slice(0, at));
    rest = rest.slice(at).trimStart();
  }
  lines.push(rest);
  return lines;
}
