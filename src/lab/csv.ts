export interface CsvRow {
  /** From 1. */
  readonly line: number;
  readonly cells: readonly string[];
}

/**
 * Rows of a CSV text (RFC 4180: quotes, line breaks in quotes); empty lines are skipped. Cells are separated by commas,
 * semicolons or tabs, whichever the first line has most of.
 */
export function* csvRows(text: string): Generator<CsvRow> {
  const [header] = text.split('\n', 1);
  const most = (a: string, b: string) => (header.split(b).length > header.split(a).length ? b : a);
  const separator = [',', ';', '\t'].reduce(most);
  let line = 1;
  for (let at = 0; at < text.length; ) {
    const cells: string[] = [];
    const first = line;
    for (;;) {
      let cell = '';
      if (text[at] === '"') {
        let end = text.indexOf('"', at + 1);
        while (end >= 0 && text[end + 1] === '"') end = text.indexOf('"', end + 2);
        if (end < 0) end = text.length;
        cell = text.slice(at + 1, end).replaceAll('""', '"');
        line += cell.split('\n').length - 1;
        at = end + 1;
      }
      const start = at;
      while (at < text.length && text[at] !== separator && text[at] !== '\n') at++;
      cells.push((cell + text.slice(start, at)).trim());
      if (text[at] !== separator) break;
      at++;
    }
    at++;
    line++;
    if (cells.length > 1 || cells[0] !== '') yield { line: first, cells };
  }
}
