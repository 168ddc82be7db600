export interface CsvRow {
  /** From 1. */
  readonly line: number;
  readonly cells: readonly string[];
}

/** A row that is longer has a quote that nothing closes. */
const LONGEST_ROW = 1 << 20;
const COMMENT = /^[#;]/;

/**
 * Reads CSV (RFC 4180: quotes, line breaks in quotes) in pieces; empty lines are skipped. Cells are separated by commas,
 * semicolons or tabs, whichever the first line has most of, or by blanks if it has none of these.
 */
export class CsvReader {
  private readonly comments: boolean;
  private separator: string | undefined;
  private rest = '';
  private line = 1;

  /** With `comments`, lines that start with # or ; are skipped. */
  constructor({ comments }: { readonly comments: boolean }) {
    this.comments = comments;
  }

  /** The rows that end in `piece`; after the last piece, `isLast` gives what is left. */
  *rows(piece: string, isLast = false): Generator<CsvRow> {
    const text = this.rest + piece;
    let at = 0;
    for (;;) {
      const lineEnd = text.indexOf('\n', at);
      if (lineEnd < 0 && (!isLast || at >= text.length)) break;
      const first = text.slice(at, lineEnd < 0 ? text.length : lineEnd);
      if (first.trim() === '' || (this.comments && COMMENT.test(first))) {
        at += first.length + 1;
        this.line++;
        continue;
      }
      this.separator ??= separatorOf(first);
      const row = this.separator === ' ' ? byBlanks(first, at) : bySeparator(text, at, this.separator);
      if (row.end >= text.length && !isLast && text.length - at <= LONGEST_ROW && row.breaks > 0) break;
      yield { line: this.line, cells: row.cells };
      this.line += row.breaks + 1;
      at = row.end + 1;
    }
    this.rest = text.slice(at);
  }
}

interface Cells {
  readonly cells: readonly string[];
  /** Position of the line break that ends the row, or of the end of the text. */
  readonly end: number;
  /** Line breaks in quotes. */
  readonly breaks: number;
}

function separatorOf(line: string): string {
  const most = (a: string, b: string) => (line.split(b).length > line.split(a).length ? b : a);
  const separator = [',', ';', '\t'].reduce(most);
  return line.includes(separator) || !/\S\s+\S/.test(line) ? separator : ' ';
}

function byBlanks(line: string, at: number): Cells {
  return { cells: line.trim().split(/\s+/), end: at + line.length, breaks: 0 };
}

function bySeparator(text: string, from: number, separator: string): Cells {
  const cells: string[] = [];
  let breaks = 0;
  for (let at = from; ; at++) {
    let cell = '';
    if (text[at] === '"') {
      let end = text.indexOf('"', at + 1);
      while (end >= 0 && text[end + 1] === '"') end = text.indexOf('"', end + 2);
      if (end < 0) end = text.length;
      cell = text.slice(at + 1, end).replaceAll('""', '"');
      breaks += cell.split('\n').length - 1;
      at = end + 1;
    }
    const start = at;
    while (at < text.length && text[at] !== separator && text[at] !== '\n') at++;
    cells.push((cell + text.slice(start, at)).trim());
    if (text[at] !== separator) return { cells, end: Math.min(at, text.length), breaks };
  }
}
