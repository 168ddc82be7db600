/** What a column of a trace means. */
export type TraceColumn =
  | 'start'
  | 'end'
  | 'lifetime'
  | 'longestLifetime'
  | 'censored'
  | 'cpu'
  | 'memory'
  | 'group'
  | 'count';

/** Names without unit suffix; the first one of a list that the header has counts. */
const NAMES: Readonly<Record<TraceColumn, readonly string[]>> = {
  start: ['start', 'start_time', 'submit_time', 'creation_time', 'created', 'created_at', 'vmcreated', 'arrival'],
  end: ['end', 'end_time', 'deletion_time', 'deleted', 'deleted_at', 'vmdeleted', 'finish_time'],
  lifetime: ['lifetime', 'duration', 'runtime', 'run_time'],
  longestLifetime: ['lifetime_max'],
  censored: ['censored'],
  cpu: ['cpu', 'cores', 'vcpu', 'cpu_request', 'plan_cpu'],
  memory: ['memory', 'mem', 'memory_request', 'plan_mem'],
  group: ['group', 'batch', 'job', 'job_name', 'job_id', 'app', 'app_name', 'deployment_id', 'service'],
  count: ['count', 'instances', 'instances_num', 'instance_num', 'replicas'],
};

const SECONDS = { s: 1, ms: 1e-3, us: 1e-6, min: 60, h: 3600 };
const CORES = { milli: 1e-3 };
const BYTES = { gb: 1e9, gib: 2 ** 30, mb: 1e6, mib: 2 ** 20, kib: 2 ** 10, bytes: 1 };

/** Unit suffixes by column, as factors to seconds, cores and bytes. */
const SUFFIXES: Partial<Record<TraceColumn, Readonly<Record<string, number>>>> = {
  start: SECONDS,
  end: SECONDS,
  lifetime: SECONDS,
  longestLifetime: SECONDS,
  cpu: CORES,
  memory: BYTES,
};
const DEFAULT_UNITS: Partial<Record<TraceColumn, number>> = { memory: 2 ** 30 };

export interface FoundColumn {
  readonly index: number;
  /** As in the header. */
  readonly name: string;
  /** Factor to seconds, cores or bytes. */
  readonly unit: number;
}

export interface TraceHeader {
  readonly columns: Partial<Readonly<Record<TraceColumn, FoundColumn>>>;
  /** Names of columns that are not read. */
  readonly ignored: readonly string[];
}

/** Only letters and digits count, in any case: "Mem (GB)" is mem_gb. */
export function readTraceHeader(header: readonly string[]): TraceHeader {
  const names = header.map((name) =>
    name
      .trim()
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '_')
      .replace(/^_|_$/g, ''),
  );
  const columns: Partial<Record<TraceColumn, FoundColumn>> = {};
  for (const [column, known] of Object.entries(NAMES) as [TraceColumn, readonly string[]][]) {
    const found = known.map((name) => columnNamed(column, name, names)).find((each) => each !== undefined);
    if (found !== undefined) columns[column] = { ...found, name: header[found.index].trim() };
  }
  const read = new Set(Object.values(columns).map(({ index }) => index));
  return { columns, ignored: header.map((name) => name.trim()).filter((_, i) => !read.has(i) && names[i] !== '') };
}

function columnNamed(
  column: TraceColumn,
  name: string,
  names: readonly string[],
): Omit<FoundColumn, 'name'> | undefined {
  const units = { '': DEFAULT_UNITS[column] ?? 1, ...SUFFIXES[column] };
  for (const [suffix, unit] of Object.entries(units)) {
    const index = names.indexOf(suffix === '' ? name : `${name}_${suffix}`);
    if (index >= 0) return { index, unit };
  }
  return undefined;
}
