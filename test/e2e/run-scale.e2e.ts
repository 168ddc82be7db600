// Many nodes and pods on KWOK: how long a pass takes, how much memory and how many requests `decant run` needs.
// It takes long and asserts little: DECANT_E2E_SCALE=1 npm run test:e2e -- test/e2e/run-scale.e2e.ts runs it, and prints figures.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Cluster } from './cluster.ts';
import { DecantRun } from './decant-run.ts';
import { type Asked, HttpProxy } from './http-proxy.ts';
import type { ConsolidationCommand } from './kube-objects.ts';
import { installDecant } from './live.ts';
import { scenarioPolicy, scenarioPool } from './scenario-pools.ts';
import { deployment } from './workloads.ts';

/** With ten pods on each on average. */
const NODES = Number(process.env.DECANT_E2E_NODES ?? 500);
/** While they are all there. */
const PODS_PER_NODE = 11;
const APPS = 10;
/** Over which requests are counted. */
const WINDOW_S = 60;
const skip = process.env.DECANT_E2E_SCALE === undefined ? 'set DECANT_E2E_SCALE=1 to run it' : false;

interface Pass {
  readonly durationMs: number;
  readonly proposals: number;
}

const listsPods = ({ path }: Asked) => /^\/api\/v1\/pods\?/.test(path) && !path.includes('watch=1');

test('a large cluster', { skip }, async (t) => {
  await using cluster = await Cluster.start();
  await installDecant(cluster);
  await cluster.plane.kubectl(['delete', 'nodepool', 'default']);
  await cluster.apply(scenarioPool('large'), scenarioPolicy('large', { budgets: [{ nodes: '5%' }] }));
  // This number fills the largest type; in steps, so that Karpenter's batches stay small.
  const pod = { cpu: '680m', nodeSelector: { scenario: 'large' } };
  const replicas = (NODES * PODS_PER_NODE) / APPS;
  for (let i = 0; i < APPS; i++) {
    await cluster.apply(deployment(`app-${i}`, { replicas, ...pod }));
    await running(cluster, (i + 1) * replicas);
    process.stderr.write(`${(i + 1) * replicas} pods run\n`);
  }
  // Two apps, which have their nodes to themselves, lose half of their pods: there is something to do.
  for (const i of [0, APPS / 2]) await cluster.scale(`app-${i}`, replicas - NODES / 2);
  await running(cluster, NODES * (PODS_PER_NODE - 1));
  const before = (await cluster.list('nodes')).length;
  await using proxy = await HttpProxy.start(cluster);
  const startedMs = performance.now();
  await using run = await DecantRun.start(cluster, { flags: ['--mode', 'act'], kubeconfig: proxy.kubeconfig });
  const passes = () => run.lines.filter(({ message }) => message === 'pass') as unknown as Pass[];
  await run.until('there is a pass', () => passes().length > 0, { timeoutMs: 600_000 });
  const firstPassS = (performance.now() - startedMs) / 1000;
  t.diagnostic(`${before} nodes, a first pass ${firstPassS.toFixed(1)} s after the start`);
  const lists = proxy.asked.filter(listsPods).length;
  assert.ok(lists > 0);
  /** Requests and passes of a minute, in which nodes are removed or nothing is left to do. */
  const minute = async (what: string) => {
    const [asked, passed] = [proxy.asked.length, passes().length];
    await sleep(WINDOW_S * 1000);
    const since = proxy.asked.slice(asked);
    const writes = since.filter(({ method }) => method !== 'GET').length;
    const nodes = (await cluster.list('nodes')).length;
    const pods = (await cluster.list('pods', '-n', 'default')).length;
    t.diagnostic(`${what}: ${nodes} nodes and ${pods} pods at its end`);
    t.diagnostic(`  API requests: ${perSecond(since.length)} a second, ${perSecond(writes)} of them writes`);
    for (const [kind, count] of byKind(since)) t.diagnostic(`    ${perSecond(count)} ${kind}`);
    const durations = passes().slice(passed);
    t.diagnostic(`  passes: ${durations.map(({ durationMs }) => durationMs).join(', ')} ms`);
    t.diagnostic(`  memory: ${run.residentMiB.toFixed(0)} MiB, at most ${run.peakMiB.toFixed(0)} MiB`);
    const cpu = (await run.metric('process_cpu_seconds_total')) ?? 0;
    t.diagnostic(`  CPU: ${cpu.toFixed(1)} s since the start`);
    return since.length / WINDOW_S;
  };
  await minute('the minute after the first pass');
  await run.until('something is done', () => run.said(/^command done/), { timeoutMs: 600_000 });
  const isOpen = ({ status }: ConsolidationCommand) => !/^(Done|Abandoned)$/.test(status.phase);
  const isAtRest = async () => {
    if (passes().at(-1)?.proposals !== 0) return false;
    return !(await cluster.list('consolidationcommands')).some(isOpen);
  };
  await run.until('nothing is left to do', isAtRest, { timeoutMs: 1_800_000, pauseMs: 10_000 });
  t.diagnostic(`at rest ${((performance.now() - startedMs) / 1000).toFixed(0)} s after the start`);
  const requests = await minute('a steady minute');
  assert.equal(proxy.asked.filter(listsPods).length, lists, 'pods are watched, not listed again');
  assert.equal((await run.get('/healthz')).status, 200);
  assert.ok(requests <= 10, `${requests} requests a second`);
});

const perSecond = (n: number) => (n / WINDOW_S).toFixed(2);

/** The most frequent first: method and resource, without names. */
function byKind(asked: readonly Asked[]): readonly (readonly [string, number])[] {
  const counts = new Map<string, number>();
  for (const { method, path } of asked) {
    const resource = /\/(?:v1|v1beta1|v1alpha1)\/(?:namespaces\/[^/?]+\/)?([a-z]+)/.exec(path)?.[1] ?? path;
    const kind = `${method} ${resource}${path.includes('watch=1') ? ' (watch)' : ''}`;
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
  }
  return [...counts].sort(([, a], [, b]) => b - a).slice(0, 8);
}

/** As the Deployments say: a list of thousands of pods is work for the API server. */
async function running(cluster: Cluster, pods: number): Promise<void> {
  const query = [
    'get',
    'deployments',
    '-n',
    'default',
    '-o',
    'jsonpath={range .items[*]}{.status.replicas} {.status.readyReplicas}\n{end}',
  ];
  const total = (counts: readonly string[]) => counts.reduce((sum, count) => sum + Number(count), 0);
  const isThere = async () => {
    const lines = (await cluster.plane.kubectl(query)).trim().split('\n');
    const columns = lines.map((line) => line.split(' '));
    return [0, 1].every((i) => total(columns.map((column) => column[i])) === pods);
  };
  await cluster.until(`${pods} pods run`, isThere, { timeoutMs: 1_200_000, pauseMs: 2_000 });
}
