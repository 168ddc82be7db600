import type { Problem } from '../config/problem.ts';
import { parseQuantity } from '../kube/decode/quantity.ts';
import { parseTimestamp } from '../kube/decode/timestamp.ts';
import { CsvReader } from './csv.ts';
import { type FoundColumn, readTraceHeader, type TraceColumn, type TraceHeader } from './trace-columns.ts';

/** Machines, pods or tasks of a trace that are alike. Times in seconds. */
export interface TraceRow {
  /** -Infinity: before the trace began. */
  readonly startS: number;
  /** Infinity: it runs on. */
  readonly shortestS: number;
  readonly longestS: number;
  readonly cores: number;
  readonly bytes: number;
  readonly group: string;
  readonly count: number;
}

export interface TraceUnits {
  /** Cores that a cpu of 1 stands for. */
  readonly cpuUnit?: number;
  /** Bytes that a memory of 1 stands for. */
  readonly memoryUnit?: number;
}

export interface TraceShape extends TraceUnits {
  /**
   * Names of the columns, in order, of a file without a header or instead of it. Names without a meaning leave a column out.
   */
  readonly columns?: readonly string[];
}

/** What was read otherwise than written, by what it was. */
export type Oddity = 'no size' | 'end before start';

const REQUIRED = ['start', 'cpu', 'memory'] as const;
const MAX_PROBLEMS = 5;
/** Times and sizes beyond these are in another unit. Seconds since 1970 reach this in the year 2286, milliseconds did in 1970. */
const LATEST_S = 1e10;
/** After the end of the trace, in traces of Google. */
const AFTER_TRACE = 2 ** 63;
const LARGEST = {
  cpu: { most: 10_000, allowed: 'at most 10,000 cores; cpu_milli or --cpu-unit names another unit' },
  memory: { most: 2 ** 50, allowed: 'at most 1 PiB; memory_mib, memory_bytes or --memory-unit names another unit' },
} as const;

/** Reads a trace in pieces. */
export class TraceReader {
  private readonly file: string;
  private readonly shape: TraceShape;
  private readonly csv: CsvReader;
  private header: TraceHeader | undefined;
  private rowCount = 0;
  readonly problems: Problem[] = [];
  /** Rows of each oddity. */
  readonly oddities = new Map<Oddity, number>();

  /** `file` is for messages. */
  constructor(file: string, shape: TraceShape = {}) {
    this.file = file;
    this.shape = shape;
    this.csv = new CsvReader({ comments: shape.columns !== undefined });
  }

  /** Rows after some problems, or after a header that says too little, are not read. */
  get isStopped(): boolean {
    return this.problems.length >= MAX_PROBLEMS || (this.problems.length > 0 && this.rowCount === 0);
  }

  /** Names of columns that are not read. */
  get ignored(): readonly string[] {
    return this.header?.ignored ?? [];
  }

  *rows(piece: string, isLast = false): Generator<TraceRow> {
    for (const { line, cells } of this.csv.rows(piece, isLast)) {
      if (this.isStopped) return;
      if (this.header === undefined && this.readHeader(line, cells)) continue;
      const row = this.rowOf(line, cells);
      if (row !== undefined) yield row;
    }
    if (isLast && this.header === undefined) this.readHeader(1, []);
  }

  private readHeader(line: number, cells: readonly string[]): boolean {
    const { columns: given } = this.shape;
    const header = readTraceHeader(given ?? cells);
    const missing = REQUIRED.filter((name) => header.columns[name] === undefined);
    this.header = header;
    if (missing.length > 0) {
      const allowed = `start, cpu and memory (missing: ${missing.join(', ')})`;
      const ofFile = `a header with ${allowed}; --columns names the columns of a file without such a header`;
      this.problems.push(
        given === undefined
          ? { object: this.file, field: `line ${line}`, value: cells.join(','), allowed: ofFile }
          : { object: '--columns', field: 'names', value: given.join(','), allowed },
      );
      return true;
    }
    if (given === undefined) return true;
    // A header that --columns replaces has words where rows have numbers.
    const sizes = [header.columns.cpu, header.columns.memory].map((found) => cells[found?.index ?? 0] ?? '');
    return sizes.every((size) => /^[a-z]/i.test(size));
  }

  private rowOf(line: number, cells: readonly string[]): TraceRow | undefined {
    const reader = new CellReader(cells, this.header?.columns ?? {}, ({ name }, value, allowed) => {
      this.problems.push({ object: this.file, field: `line ${line}, column ${name}`, value, allowed });
    });
    this.rowCount++;
    const row = reader.row(`row-${this.rowCount}`, this.shape);
    const { oddity } = reader;
    if (oddity !== undefined) this.oddities.set(oddity, (this.oddities.get(oddity) ?? 0) + 1);
    return row;
  }
}

class CellReader {
  private readonly cells: readonly string[];
  private readonly columns: Partial<Readonly<Record<TraceColumn, FoundColumn>>>;
  private readonly complain: (column: FoundColumn, value: string, allowed: string) => void;
  private failed = false;
  oddity: Oddity | undefined;

  constructor(
    cells: readonly string[],
    columns: Partial<Readonly<Record<TraceColumn, FoundColumn>>>,
    complain: (column: FoundColumn, value: string, allowed: string) => void,
  ) {
    this.cells = cells;
    this.columns = columns;
    this.complain = complain;
  }

  row(ownGroup: string, { cpuUnit, memoryUnit }: TraceUnits): TraceRow | undefined {
    const startS = this.time('start') ?? Number.NEGATIVE_INFINITY;
    const end = this.end();
    const endsEarly = end !== undefined && end < startS;
    const endS = endsEarly ? undefined : end;
    const shortest = this.seconds('lifetime', this.amount('lifetime'));
    const longest = this.seconds('longestLifetime', this.amount('longestLifetime'));
    const cores = this.size('cpu', cpuUnit);
    const bytes = this.size('memory', memoryUnit);
    const count = this.columns.count === undefined ? 1 : this.wholeNumber('count');
    const censored = this.flag('censored') || (endS === undefined && shortest === undefined);
    if (longest !== undefined && shortest !== undefined && longest < shortest)
      this.refuse('longestLifetime', 'at least the lifetime');
    if (this.failed || count === undefined) return undefined;
    if (cores === undefined || bytes === undefined) return this.strange('no size');
    if (endsEarly) this.strange('end before start');
    const group = this.text('group') || ownGroup;
    // Alive before the trace began: what is known is when it ends.
    if (startS === Number.NEGATIVE_INFINITY && endS !== undefined && !censored)
      return { startS, shortestS: endS, longestS: endS, cores, bytes, group, count };
    const known = censored ? Number.POSITIVE_INFINITY : (shortest ?? (endS ?? 0) - startS);
    return { startS, shortestS: known, longestS: Math.max(known, longest ?? known), cores, bytes, group, count };
  }

  private strange(oddity: Oddity): undefined {
    this.oddity = oddity;
    return undefined;
  }

  private text(column: TraceColumn): string {
    const found = this.columns[column];
    return found === undefined ? '' : (this.cells[found.index] ?? '');
  }

  private refuse(column: TraceColumn, allowed: string): undefined {
    const found = this.columns[column];
    if (found !== undefined) this.complain(found, this.text(column), allowed);
    this.failed = true;
    return undefined;
  }

  /** undefined if empty or -1, which stands for unknown in logs of batch systems. */
  private amount(
    column: TraceColumn,
    unit = this.columns[column]?.unit ?? 1,
    text = this.text(column),
  ): number | undefined {
    if (text === '' || text === '-1') return undefined;
    const value = Number(text);
    if (!Number.isFinite(value)) return this.refuse(column, 'a number');
    return value < 0 ? this.refuse(column, 'a number of at least 0') : value * unit;
  }

  private seconds(column: TraceColumn, value: number | undefined): number | undefined {
    if (value === undefined || value <= LATEST_S) return value;
    const name = this.columns[column]?.name;
    return this.refuse(column, `at most 10,000,000,000 seconds; ${name}_ms or ${name}_us names another unit`);
  }

  /** A number in the unit of the column, or a quantity of Kubernetes such as 500m or 2Gi; undefined if empty. */
  private size(column: 'cpu' | 'memory', unit?: number): number | undefined {
    // ">24" is how a histogram names its last bucket.
    const text = this.text(column).replace(/^>\s*/, '');
    const given = text === '' || Number.isFinite(Number(text)) ? undefined : parseQuantity(text);
    const value = given === undefined ? this.amount(column, unit, text) : Number(given) / 1e9;
    const { most, allowed } = LARGEST[column];
    return value !== undefined && value > most ? this.refuse(column, allowed) : value;
  }

  private time(column: TraceColumn): number | undefined {
    const text = this.text(column);
    if (text === '') return undefined;
    const value = Number(text);
    if (Number.isFinite(value)) return this.seconds(column, value * (this.columns[column]?.unit ?? 1));
    const ms = parseTimestamp(asRfc3339(text));
    return ms === undefined ? this.refuse(column, 'a number or an RFC 3339 time') : ms / 1000;
  }

  /** undefined if it runs on: empty, 0, or after the trace. */
  private end(): number | undefined {
    const value = Number(this.text('end'));
    return value === 0 || value === AFTER_TRACE ? undefined : this.time('end');
  }

  private wholeNumber(column: TraceColumn): number | undefined {
    const text = this.text(column);
    if (text === '') return 1;
    const value = Number(text);
    return Number.isInteger(value) && value >= 0 ? value : this.refuse(column, 'a whole number of at least 0');
  }

  private flag(column: TraceColumn): boolean {
    const text = this.text(column).toLowerCase();
    if (!['', '0', '1', 'true', 'false'].includes(text)) this.refuse(column, '0, 1, true or false');
    return text === '1' || text === 'true';
  }
}

/** As databases write times, "2026-11-01 03:00:00 UTC"; without a zone it is UTC. */
function asRfc3339(text: string): string {
  const time = text.replace(/ ?UTC$/, 'Z').replace(' ', 'T');
  return /(Z|[+-]\d\d:\d\d)$/i.test(time) ? time : `${time}Z`;
}
