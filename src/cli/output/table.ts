import { oneLine } from './terminal-text.ts';

const GAP = '  ';

/**
 * Rows as lines under titles; a title that starts with > is of a right-aligned column. Columns are as wide as their
 * widest cell; the last one takes what is left of `width`, and wraps to at most `maxLines`.
 */
export function table(
  columns: readonly string[],
  texts: readonly (readonly string[])[],
  width = Number.POSITIVE_INFINITY,
  maxLines = 2,
): string[] {
  const titles = columns.map((column) => column.replace(/^>/, ''));
  const rows = texts.map((row) => row.map(oneLine));
  const last = columns.length - 1;
  const widths = titles.map((title, i) => rows.reduce((w, row) => Math.max(w, row[i].length), title.length));
  const indent = widths.slice(0, last).reduce((sum, w) => sum + w + GAP.length, 0);
  const room = Math.max(20, width - indent);

  const lines = [line(titles)];
  for (const row of rows) {
    const [first, ...more] = wrap(row[last], room, maxLines);
    lines.push(line([...row.slice(0, last), first]));
    for (const text of more) lines.push(' '.repeat(indent) + text);
  }
  return lines;

  function line(cells: readonly string[]): string {
    const padded = cells.map((cell, i) => {
      if (columns[i].startsWith('>')) return cell.padStart(i === last ? Math.min(room, widths[i]) : widths[i]);
      return i === last ? cell : cell.padEnd(widths[i]);
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
