import { appendFileSync, statSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { InputError } from '../../config/input-error.ts';
import type { ClusterView } from '../../controller/cluster-port.ts';
import type { ClusterObjects } from '../../engine/cluster/objects.ts';
import { writeSnapshot } from '../../kube/encode/snapshot.ts';
import { reasonOf } from '../../kube/read/input-paths.ts';
import { type Answers, prometheusChanges, QUERIES } from '../../lab/history/prometheus-history.ts';
import { changeLine } from '../../lab/history/recorded-change.ts';
import { HistoryRecorder } from '../../lab/history/recorder.ts';
import { connect } from '../../live/api-client.ts';
import { LiveCluster } from '../../live/live-cluster.ts';
import { poolsUnderPolicies } from '../../live/pools-under-policies.ts';
import { count } from '../../report/money.ts';
import { type EarlierHistory, earlierHistory } from '../experiment/load-history.ts';
import { liveCatalog, synced } from '../input/live-catalog.ts';
import { loadInput, tell } from '../input/load-input.ts';
import { EXIT } from '../output/exit.ts';
import { complain, print } from '../output/terminal-text.ts';
import { withKnownFields } from '../snapshot/known-fields.ts';
import { jsonLines } from '../snapshot/snapshot.ts';
import { askPrometheus } from './ask-prometheus.ts';
import type { RecordOptions } from './flags.ts';

export async function recordCommand(options: RecordOptions): Promise<number> {
  if (options.prometheus !== undefined) return recordPast(options.prometheus, options);
  const file = new HistoryFile(options.to, await earlierHistory(options.to));
  const client = await connect(options);
  const warn = (message: string) => complain(`warning: ${message}`);
  const cluster = new LiveCluster({
    client,
    loadCatalog: liveCatalog(options, client, warn),
  });
  const ending = new AbortController();
  const end = () => ending.abort();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, end);
  cluster.start();
  try {
    await synced(cluster);
    await follow(() => cluster.view(), file, options, ending.signal);
  } finally {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.removeListener(signal, end);
    await cluster.stop();
    file.flush();
  }
  print(`${file.summary}\n`);
  return EXIT.ok;
}

/**
 * The cluster as it is now, without the pods of Jobs, and the load of the past: a simulation scales it to where that began.
 */
async function recordPast(url: string, options: RecordOptions): Promise<number> {
  const { cluster, notices, notes } = await loadInput(options);
  const [endS, stepS] = [Math.floor(cluster.nowMs / 1000), Math.round(options.every / 1000)];
  const range = { startS: endS - Math.round(options.range / 1000), endS, stepS };
  const answers = await askPrometheus(url, range.startS, endS, stepS);
  const changes = prometheusChanges(answers, { ...range, types: cluster.instanceTypes });
  const file = new HistoryFile(options.to);
  tell([...notices, ...missing(answers)], notes);
  const pods = cluster.pods.filter(({ owners }) => !owners.some((o) => o.controller && o.kind === 'Job'));
  file.begin(snapshotOf({ objects: { ...cluster, pods }, commands: [] }));
  for (const change of changes) file.add(changeLine(change));
  file.flush();
  print(`${file.summary}\n`);
  return EXIT.ok;
}

/** Without these there is no load, or nothing to compare with. */
function missing(answers: Answers): readonly string[] {
  const needed = {
    deployments: 'replicas do not change',
    nodes: 'the recorded cost is 0',
    evictions: 'the record has none',
  };
  return Object.entries(needed)
    .filter(([name]) => answers[name as keyof typeof needed].length === 0)
    .map(([name, why]) => `Prometheus has no ${QUERIES[name as keyof typeof needed]}: ${why}`);
}

async function follow(
  view: () => ClusterView | undefined,
  file: HistoryFile,
  { every, for: forMs = Number.POSITIVE_INFINITY }: RecordOptions,
  signal: AbortSignal,
): Promise<void> {
  let recorder: HistoryRecorder | undefined;
  let untilMs = Number.POSITIVE_INFINITY;
  for (let isLast = false; !isLast; ) {
    isLast = signal.aborted;
    const seen = view();
    let leftMs = Number.POSITIVE_INFINITY;
    // While a watch restarts there is no view; the next one has everything.
    if (seen !== undefined) {
      const { nowMs } = seen.objects;
      if (recorder === undefined) {
        untilMs = nowMs + forMs;
        recorder = new HistoryRecorder(file.before?.startMs ?? nowMs, file.before?.changes);
        if (file.before === undefined) file.begin(snapshotOf(seen));
      }
      leftMs = untilMs - nowMs;
      isLast ||= leftMs <= 0;
      const change = recorder.observe(seen.objects, isLast);
      if (change !== undefined) file.add(changeLine(change));
    }
    if (!isLast) await sleep(Math.min(every, leftMs), undefined, { signal }).catch(() => undefined);
  }
}

/** Pools with the blocks of the ConsolidationPolicies that select them, so that a simulation knows what applied. */
function snapshotOf({ objects, policies = [] }: ClusterView): string {
  const { pools } = poolsUnderPolicies(objects, policies);
  const known: ClusterObjects = { ...objects, nodePools: withKnownFields(pools).pools };
  return [...jsonLines(writeSnapshot(known))].join('');
}

/** A compressed file is written in pieces of this many lines, each compressed separately. */
const PIECE = 10;

/** Can be read after every write. */
class HistoryFile {
  private readonly path: string;
  private readonly compressed: boolean;
  private waiting = '';
  private lines = 0;
  private bytes = 0;

  /** What an earlier recorder wrote, which is continued. */
  readonly before: EarlierHistory | undefined;

  /** Throws InputError if it cannot be written, or is there already and not continued. */
  constructor(path: string, before?: EarlierHistory) {
    this.path = path;
    this.before = before;
    this.compressed = path.endsWith('.gz');
    if (before === undefined) this.written(() => writeFileSync(path, '', { flag: 'wx' }));
  }

  get summary(): string {
    return `${this.path}: ${count(this.lines, 'change')}, ${(this.bytes / 1e6).toFixed(1)} MB`;
  }

  begin(snapshot: string): void {
    this.waiting = snapshot;
    this.flush();
  }

  add(line: string): void {
    this.lines++;
    this.waiting += line;
    if (!this.compressed || this.lines % PIECE === 1) this.flush();
  }

  flush(): void {
    if (this.waiting === '') return;
    const content = this.compressed ? gzipSync(this.waiting) : this.waiting;
    this.written(() => appendFileSync(this.path, content));
    this.waiting = '';
    this.bytes = statSync(this.path).size;
  }

  private written(write: () => void): void {
    try {
      write();
    } catch (error) {
      throw new InputError(`--to ${this.path}: ${reasonOf(error)}`);
    }
  }
}
