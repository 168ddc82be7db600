import { getOrInsert } from '../engine/cluster/get-or-insert.ts';
import { RandomStreams } from '../simulator/random-streams.ts';
import type { TraceRow } from './trace-rows.ts';

export interface TraceOptions {
  readonly as: 'jobs' | 'deployments';
  readonly seed: number;
  /** Share of groups to keep, above 0 and up to 1. */
  readonly sample: number;
  /** Keep the times of the trace instead of shifting its earliest start to 0. */
  readonly keepTimes: boolean;
  /** Window, in seconds of the (shifted) trace. */
  readonly fromS: number;
  readonly lengthS: number;
  readonly timeScale: number;
  readonly requestScale: number;
}

/** The part of a workload file that a trace decides. */
export interface TraceApp {
  readonly kind: 'Job' | 'Deployment';
  readonly name: string;
  readonly requests: Readonly<Record<'cpu' | 'memory', string>>;
  /** Of Jobs: a line per start, `seconds pods×runTime …`. */
  readonly runs?: string;
  /** Of Deployments. */
  readonly replicas?: {
    readonly base: number;
    readonly settle: '0s';
    readonly steps: readonly { readonly after: string; readonly replicas: number }[];
  };
}

/** Pods in the window. Times in seconds from its start. */
interface Lives {
  readonly startS: number;
  readonly shortestS: number;
  readonly longestS: number;
  readonly row: TraceRow;
}

/** The part of a trace that becomes workloads: groups are sampled, cut to the window and scaled. Other rows are not kept. */
export class TraceSelection {
  private readonly options: TraceOptions;
  private readonly kept: TraceRow[] = [];
  private readonly groups = new Map<string, string>();
  private earliestS = Number.POSITIVE_INFINITY;

  constructor(options: TraceOptions) {
    this.options = options;
  }

  add(row: TraceRow): void {
    if (Number.isFinite(row.startS)) this.earliestS = Math.min(this.earliestS, row.startS);
    const { fromS, lengthS } = this.options;
    if (row.startS - this.shiftS() >= fromS + lengthS || !this.inSample(row.group)) return;
    this.kept.push({ ...row, group: this.ownGroup(row.group) });
  }

  apps(): readonly TraceApp[] {
    const lives = this.kept
      .flatMap((row) => inWindow(row, this.shiftS(), this.options))
      .sort((a, b) => a.startS - b.startS);
    return this.options.as === 'jobs' ? jobApps(lives, this.options) : deploymentApps(lives, this.options);
  }

  private shiftS(): number {
    return this.options.keepTimes || this.earliestS === Number.POSITIVE_INFINITY ? 0 : this.earliestS;
  }

  /** Whole groups, never single rows: batches are what makes a load bursty. */
  private inSample(group: string): boolean {
    const { sample, seed } = this.options;
    return sample >= 1 || new RandomStreams(seed).stream(group).uniform() < sample;
  }

  /** Jobs need none. A part of a text keeps the whole text in memory, so each group is copied, once. */
  private ownGroup(group: string): string {
    return this.options.as === 'jobs' ? '' : getOrInsert(this.groups, group, () => [...group].join(''));
  }
}

/** Rows that started before the window and end in it or later are alive at its start. */
function inWindow(row: TraceRow, shiftS: number, { fromS, lengthS, timeScale }: TraceOptions): readonly Lives[] {
  const startS = Math.max(row.startS - shiftS, Number.NEGATIVE_INFINITY);
  const isBefore = row.startS === Number.NEGATIVE_INFINITY;
  const [shortestEnd, longestEnd] = [row.shortestS, row.longestS].map((s) => (isBefore ? s - shiftS : startS + s));
  if (startS >= fromS + lengthS || (startS < fromS && longestEnd <= fromS) || row.count === 0) return [];
  const begins = Math.max(startS, fromS);
  return [
    {
      row,
      startS: Math.round((begins - fromS) * timeScale),
      shortestS: Math.round(Math.max(0, shortestEnd - begins) * timeScale),
      longestS: Math.round(Math.max(0, longestEnd - begins) * timeScale),
    },
  ];
}

/** One workload per size, because thousands of Jobs that differ only in name make files large and runs slow. */
function jobApps(lives: readonly Lives[], { requestScale }: TraceOptions): readonly TraceApp[] {
  const bySize = Map.groupBy(lives, ({ row }) => sizeOf(row, requestScale));
  const names = new Set<string>();
  return [...bySize.values()].map((own) => ({
    kind: 'Job',
    name: uniqueName(sizeName(own[0].row), names),
    requests: requestsOf(own[0].row, requestScale),
    runs: [...Map.groupBy(own, ({ startS }) => startS)]
      .map(([startS, together]) => `${startS} ${runsText(together)}\n`)
      .join(''),
  }));
}

/** `3x300 1x3900..7200 2x-`: pods times run time in seconds; `-` runs on. */
function runsText(lives: readonly Lives[]): string {
  const counts = new Map<string, number>();
  for (const { row, shortestS, longestS } of lives) {
    const span = longestS > shortestS ? `${shortestS}..${longestS}` : String(shortestS);
    const text = Number.isFinite(shortestS) ? span : '-';
    counts.set(text, (counts.get(text) ?? 0) + row.count);
  }
  return [...counts].map(([text, count]) => `${count}x${text}`).join(' ');
}

/** A Deployment for each size of each group; its replicas are the rows that are alive. */
function deploymentApps(lives: readonly Lives[], { requestScale, seed }: TraceOptions): readonly TraceApp[] {
  const groups = Map.groupBy(lives, ({ row }) => JSON.stringify([row.group, sizeOf(row, requestScale)]));
  const random = new RandomStreams(seed);
  const names = new Set<string>();
  return [...groups.values()].map((own) => {
    const stream = random.stream(JSON.stringify([own[0].row.group, sizeName(own[0].row)]));
    const changes = own.flatMap(({ row, startS, shortestS, longestS }) =>
      Array.from({ length: row.count }, () => {
        const lifeS = longestS > shortestS ? shortestS + stream.uniform() * (longestS - shortestS) : shortestS;
        return [
          { atS: startS, by: 1 },
          ...(Number.isFinite(lifeS) ? [{ atS: startS + Math.round(lifeS), by: -1 }] : []),
        ];
      }).flat(),
    );
    const replicas = { base: 0, settle: '0s' as const, steps: stepsOf(changes) };
    return {
      kind: 'Deployment',
      name: uniqueName(groupName(own[0].row), names),
      requests: requestsOf(own[0].row, requestScale),
      replicas,
    };
  });
}

function stepsOf(changes: readonly { readonly atS: number; readonly by: number }[]) {
  const byTime = new Map<number, number>();
  for (const { atS, by } of changes) byTime.set(atS, (byTime.get(atS) ?? 0) + by);
  let replicas = 0;
  const steps: { after: string; replicas: number }[] = [];
  for (const [atS, by] of [...byTime].sort(([a], [b]) => a - b)) {
    if (by === 0) continue;
    replicas += by;
    steps.push({ after: `${atS}s`, replicas });
  }
  return steps;
}

const MAX_NAME = 40;

function uniqueName(base: string, taken: Set<string>): string {
  let name = base;
  for (let i = 2; taken.has(name); i++) name = `${base}-${i}`;
  taken.add(name);
  return name;
}

function groupName({ group }: TraceRow): string {
  const plain = group
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '');
  return `g-${plain || 'group'}`.slice(0, MAX_NAME - 6).replace(/-+$/, '');
}

function sizeName({ cores, bytes }: TraceRow): string {
  return `cpu-${decimal(cores)}-gib-${decimal(bytes / 2 ** 30)}`.slice(0, MAX_NAME);
}

function decimal(value: number): string {
  return String(Math.round(value * 100) / 100).replace('.', 'd');
}

/** Equal for rows with equal requests. */
function sizeOf(row: TraceRow, scale: number): string {
  const { cpu, memory } = requestsOf(row, scale);
  return `${cpu} ${memory}`;
}

function requestsOf({ cores, bytes }: TraceRow, scale: number): TraceApp['requests'] {
  const cpu = Math.max(1, Math.round(1000 * cores * scale));
  const memory = Math.max(1, Math.round((bytes * scale) / 2 ** 20));
  return { cpu: `${cpu}m`, memory: `${memory}Mi` };
}
