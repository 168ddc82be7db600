import { setTimeout as sleep } from 'node:timers/promises';
import type { ClusterView } from '../../src/controller/cluster-port.ts';
import { isOpen } from '../../src/controller/command.ts';
import { Cluster } from '../../test/e2e/cluster.ts';
import { DecantRun } from '../../test/e2e/decant-run.ts';
import { installDecant, Live } from '../../test/e2e/live.ts';
import { scenarioPolicy, scenarioPool } from '../../test/e2e/scenario-pools.ts';
import { deployment, disruptionBudget } from '../../test/e2e/workloads.ts';
import { APPS, BATCH, replicasAt } from '../live-day/day.ts';
import { play } from '../live-day/play.ts';
import { LeakWatch, leftBehind, steered } from './leak-watch.ts';
import { slope } from './slope.ts';

const POOL = 'soak';
const SEED = 1;
/** A day of replicas takes this long. */
const DAY_MINUTES = 10;
const SAMPLE_MS = 30_000;
/** Samples from one look for leaks to the next. */
const LOOK_EVERY = 6;
/** Samples of which one is printed. */
const PRINT_EVERY = 10;
const FLAGS = ['--mode', 'act', '--scaledown-utilization-threshold', '1', '--log-level', 'info'];

/** Minutes of churn on a real control plane. Returns what is left behind. */
export async function liveSoak(
  minutes: number,
  snapshots: string | undefined,
  say: (line: string) => void,
): Promise<readonly string[]> {
  await using cluster = await Cluster.start({ say });
  await cluster.plane.kubectl(['delete', 'nodepool', 'default']);
  await installDecant(cluster);
  const first = replicasAt(0, SEED);
  await cluster.apply(
    scenarioPool(POOL),
    scenarioPolicy(POOL),
    ...[...APPS, BATCH].map(({ name, cpu, memory }) =>
      deployment(name, { cpu, memory, replicas: first.get(name) ?? 0, nodeSelector: { scenario: POOL } }),
    ),
    ...APPS.map(({ name }) => disruptionBudget(name, 2)),
  );
  await cluster.settled([...first.values()].reduce((a, b) => a + b, 0));
  await using live = await Live.start(cluster);
  const watch = new LeakWatch();
  await churn(cluster, live, { minutes, snapshots, watch, say });
  await using _without = await DecantRun.start(cluster, { flags: FLAGS });
  const left = (view: ClusterView) => [...leftBehind(view), ...steered(view)];
  const isClean = (view: ClusterView) => !view.commands.some(isOpen) && left(view).length === 0;
  const clean = live.until('nothing is left behind', isClean).then(
    () => [],
    () =>
      left(
        live.port.view() ??
          (() => {
            throw new Error('the caches are not synced');
          })(),
      ),
  );
  return [...watch.leaks, ...(await clean)];
}

interface Churn {
  readonly minutes: number;
  /** Folder for a heap snapshot after a third of the time, and one at the end. */
  readonly snapshots: string | undefined;
  readonly watch: LeakWatch;
  readonly say: (line: string) => void;
}

async function churn(cluster: Cluster, live: Live, { minutes, snapshots, watch, say }: Churn): Promise<void> {
  const nodeFlags = ['--expose-gc', '--import', import.meta.resolve('./report-heap.ts')];
  if (snapshots !== undefined) nodeFlags.push('--heapsnapshot-signal=SIGUSR2', `--diagnostic-dir=${snapshots}`);
  await using run = await DecantRun.start(cluster, { flags: [...FLAGS, '--steer'], nodeFlags });
  const snapshot = () => snapshots !== undefined && run.process.kill('SIGUSR2');
  const startMs = performance.now();
  const samples: { readonly hour: number; readonly rss: number; readonly heap: number; readonly data: number }[] = [];
  const requestsBefore = (await run.metric('decant_api_requests_total')) ?? 0;
  const over = new AbortController();
  const sampling = async () => {
    for (let i = 1; !over.signal.aborted; i++) {
      await sleep(SAMPLE_MS, undefined, { signal: over.signal }).catch(() => undefined);
      const said = run.lines.findLast(({ message }) => message === 'heap');
      const heap = Number(said?.heapMiB ?? 0);
      const data = heap - Number(said?.codeMiB ?? 0);
      const sample = { hour: (performance.now() - startMs) / 3_600_000, rss: run.residentMiB, heap, data };
      if (heap > 0) samples.push(sample);
      if (i % PRINT_EVERY === 0)
        say(
          `after ${(60 * sample.hour).toFixed(0)} minutes: heap ${heap.toFixed(1)} MiB, ${data.toFixed(1)} without compiled code, rss ${sample.rss.toFixed(0)} MiB`,
        );
      if (i === Math.ceil((minutes * 60_000) / SAMPLE_MS / 3)) snapshot();
      const view = live.port.view();
      if (i % LOOK_EVERY === 0 && view !== undefined) watch.look(view);
    }
    snapshot();
  };
  const sampled = sampling();
  await play(cluster, SEED, 0, (24 * minutes) / DAY_MINUTES, DAY_MINUTES);
  over.abort();
  await sampled;
  const seconds = (performance.now() - startMs) / 1000;
  const requests = ((await run.metric('decant_api_requests_total')) ?? 0) - requestsBefore;
  const done = (await run.metric('decant_decisions_total', { outcome: 'done' })) ?? 0;
  const cpu = (await run.metric('process_cpu_seconds_total')) ?? 0;
  // The first third fills caches and histories.
  const steady = samples.slice(Math.floor(samples.length / 3));
  const figure = (key: 'rss' | 'heap' | 'data') =>
    `${steady[0]?.[key].toFixed(1)} MiB after a third, ${steady.at(-1)?.[key].toFixed(1)} MiB at the end, ` +
    `${slope(steady.map((s) => [s.hour, s[key]])).toFixed(1)} MiB an hour`;
  say(
    `${(seconds / 60).toFixed(0)} minutes of churn: ${done} commands done, ${(requests / seconds).toFixed(2)} requests a second, ${cpu.toFixed(0)} s CPU`,
  );
  say(`resident memory: ${figure('rss')}`);
  say(`heap after garbage collections: ${figure('heap')}`);
  say(`the same without compiled code: ${figure('data')}`);
  await run.until('it stops', async () => (await run.stop()).code === 0);
}
