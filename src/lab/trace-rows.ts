import type { Problem } from '../config/problem.ts';
import { parseQuantity } from '../kube/decode/quantity.ts';
import { parseTimestamp } from '../kube/decode/timestamp.ts';
import { csvRows } from './csv.ts';
import { type FoundColumn, readTraceHeader, type TraceColumn } from './trace-columns.ts';

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

export type TraceReading =
  | { readonly rows: readonly TraceRow[]; readonly ignored: readonly string[] }
  | { readonly problems: readonly Problem[] };

const REQUIRED = ['start', 'cpu', 'memory'] as const;
const MAX_PROBLEMS = 5;
/** Times and sizes beyond these are in another unit. Seconds since 1970 reach this in the year 2286, milliseconds did in 1970. */
const LATEST_S = 1e10;
const LARGEST = {
  cpu: { most: 10_000, allowed: 'at most 10,000 cores; cpu_milli or --cpu-unit names another unit' },
  memory: { most: 2 ** 50, allowed: 'at most 1 PiB; memory_mib, memory_bytes or --memory-unit names another unit' },
} as const;

/** Reads a trace. `file` is for messages. */
export function readTrace(text: string, file: string, units: TraceUnits = {}): TraceReading {
  const [head, ...body] = csvRows(text);
  const { columns, ignored } = readTraceHeader(head?.cells ?? []);
  const missing = REQUIRED.filter((name) => columns[name] === undefined);
  if (missing.length > 0) {
    const allowed = `a header with start, cpu and memory (missing: ${missing.join(', ')})`;
    return { problems: [{ object: file, field: 'line 1', value: head?.cells.join(','), allowed }] };
  }
  const problems: Problem[] = [];
  const rows = body.flatMap(({ line, cells }, i) => {
    const reader = new RowReader(cells, columns, ({ name }, value, allowed) => {
      problems.push({ object: file, field: `line ${line}, column ${name}`, value, allowed });
    });
    const row = reader.row(`row-${i + 1}`, units);
    return row === undefined ? [] : [row];
  });
  if (problems.length > 0) return { problems: problems.slice(0, MAX_PROBLEMS) };
  return { rows, ignored };
}

class RowReader {
  private readonly cells: readonly string[];
  private readonly columns: Partial<Readonly<Record<TraceColumn, FoundColumn>>>;
  private readonly complain: (column: FoundColumn, value: string, allowed: string) => void;
  private failed = false;

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
    const endS = this.time('end');
    const shortest = this.seconds('lifetime', this.amount('lifetime'));
    const longest = this.seconds('longestLifetime', this.amount('longestLifetime'));
    const cores = this.size('cpu', cpuUnit);
    const bytes = this.size('memory', memoryUnit);
    const count = this.columns.count === undefined ? 1 : this.wholeNumber('count');
    const censored = this.flag('censored') || (endS === undefined && shortest === undefined);
    if (endS !== undefined && endS < startS) this.refuse('end', 'a time after the start');
    if (longest !== undefined && shortest !== undefined && longest < shortest)
      this.refuse('longestLifetime', 'at least the lifetime');
    for (const size of ['cpu', 'memory'] as const) if (this.text(size) === '') this.refuse(size, 'a number');
    if (this.failed || cores === undefined || bytes === undefined || count === undefined) return undefined;
    const known = shortest ?? (endS ?? 0) - startS;
    const lives = censored
      ? { shortestS: Number.POSITIVE_INFINITY, longestS: Number.POSITIVE_INFINITY }
      : { shortestS: known, longestS: Math.max(known, longest ?? known) };
    // Alive before the trace began: what is known is when it ends.
    if (startS === Number.NEGATIVE_INFINITY && endS !== undefined && !censored)
      return { startS, shortestS: endS, longestS: endS, cores, bytes, group: this.text('group') || ownGroup, count };
    return { startS, ...lives, cores, bytes, group: this.text('group') || ownGroup, count };
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

  /** undefined if empty. */
  private amount(column: TraceColumn, unit = this.columns[column]?.unit ?? 1): number | undefined {
    const text = this.text(column);
    if (text === '') return undefined;
    const value = Number(text);
    if (!Number.isFinite(value)) return this.refuse(column, 'a number');
    return value < 0 ? this.refuse(column, 'a number of at least 0') : value * unit;
  }

  /** In seconds. */
  private seconds(column: TraceColumn, value: number | undefined): number | undefined {
    if (value === undefined || value <= LATEST_S) return value;
    const name = this.columns[column]?.name;
    return this.refuse(column, `at most 10,000,000,000 seconds; ${name}_ms or ${name}_us names another unit`);
  }

  /** A number in the unit of the column, or a quantity of Kubernetes such as 500m or 2Gi; undefined if empty. */
  private size(column: 'cpu' | 'memory', unit?: number): number | undefined {
    const text = this.text(column);
    const given = text === '' || Number.isFinite(Number(text)) ? undefined : parseQuantity(text);
    const value = given === undefined ? this.amount(column, unit) : Number(given) / 1e9;
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
