// Pods that exist once and may not be evicted: `decant run --rollouts` moves them with at least one ready endpoint at every
// moment, also if it is killed on the way, and leaves everything as it was if the new pod does not come.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { ApiClient } from '../../src/live/api-client.ts';
import { linesOf } from '../../src/live/lines.ts';
import { Cluster } from './cluster.ts';
import { DecantRun } from './decant-run.ts';
import { clientOf, installDecant } from './live.ts';
import { fillAndScaleDown, scenarioPods, scenarioPolicy, scenarioPool } from './scenario-pools.ts';
import { disruptionBudget } from './workloads.ts';

const [RESTART, EXTRA, STUCK, DRAINS] = ['restart', 'extra', 'stuck', 'drains'];
const NAMES = [RESTART, EXTRA, STUCK, DRAINS];
const MOVE = { 'decant.sh/move': 'rollout' };
/** Only one replica at a time, which need not wait for the Lease of a killed one. */
const FLAGS = [
  ...['--mode', 'act', '--leader-elect=false', '--rollouts', '--rollout-timeout', '20s'],
  ...['--scaledown-utilization-threshold', '1'],
];

interface Slice {
  readonly metadata: { readonly labels?: Readonly<Record<string, string>> };
  readonly endpoints?: readonly { readonly conditions?: { readonly ready?: boolean } }[] | null;
}

/** Ready endpoints of each Service, as the API server tells every change, and for how long there were none. */
class ReadyEndpoints implements AsyncDisposable {
  readonly changes = new Map<string, number>();
  private readonly ready = new Map<string, number>();
  private readonly noneSinceMs = new Map<string, number>();
  private readonly downMs = new Map<string, number>();
  private readonly ending = new AbortController();
  private reading: Promise<void> | undefined;

  static async watch(client: ApiClient): Promise<ReadyEndpoints> {
    const endpoints = new ReadyEndpoints();
    const path = '/apis/discovery.k8s.io/v1/namespaces/default/endpointslices';
    type List = { readonly metadata: { readonly resourceVersion: string }; readonly items: readonly Slice[] };
    const { metadata, items } = await client.request<List>({ method: 'GET', path });
    for (const slice of items) endpoints.take(slice);
    const query = { watch: '1', resourceVersion: metadata.resourceVersion, timeoutSeconds: '7200' };
    const { signal } = endpoints.ending;
    const stream = await client.stream({ method: 'GET', path, query, idleMs: 7_200_000, signal });
    const read = async () => {
      for await (const lines of linesOf(stream))
        for (const line of lines) endpoints.take(JSON.parse(Buffer.concat(line).toString()).object);
    };
    endpoints.reading = read().catch((error) => {
      if (!signal.aborted) throw error;
    });
    return endpoints;
  }

  private take({ metadata, endpoints }: Slice): void {
    const service = metadata.labels?.['kubernetes.io/service-name'] ?? '';
    const ready = (endpoints ?? []).filter((e) => e.conditions?.ready === true).length;
    this.settle(service);
    if (ready === 0) this.noneSinceMs.set(service, performance.now());
    this.ready.set(service, ready);
    this.changes.set(service, (this.changes.get(service) ?? 0) + 1);
  }

  private settle(service: string): void {
    const sinceMs = this.noneSinceMs.get(service);
    if (sinceMs === undefined) return;
    this.noneSinceMs.delete(service);
    this.downMs.set(service, (this.downMs.get(service) ?? 0) + performance.now() - sinceMs);
  }

  readyNow(service: string): number {
    return this.ready.get(service) ?? 0;
  }

  downtimeMs(service: string): number {
    this.settle(service);
    return this.downMs.get(service) ?? 0;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.ending.abort();
    await this.reading;
  }
}

function service(name: string): object {
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name, namespace: 'default' },
    spec: { selector: { app: name }, ports: [{ port: 80 }] },
  };
}

/** A rolling update would stop the only pod first. */
const STOPS_FIRST = { type: 'RollingUpdate', rollingUpdate: { maxSurge: 0, maxUnavailable: 1 } };

let cluster: Cluster;
/** By scenario: the node that it began with. */
const firstNodes = new Map<string, string>();

before(async () => {
  cluster = await Cluster.start();
  await installDecant(cluster);
  await cluster.plane.kubectl(['delete', 'nodepool', 'default']);
  const extra = scenarioPods(EXTRA, 7) as { readonly spec: object };
  await cluster.apply(
    ...NAMES.map((name) => scenarioPool(name)),
    ...NAMES.map(service),
    scenarioPods(RESTART, 7, MOVE),
    { ...extra, spec: { ...extra.spec, strategy: STOPS_FIRST } },
    scenarioPods(STUCK, 7),
    scenarioPods(DRAINS, 7),
  );
  await fillAndScaleDown(cluster, Object.fromEntries(NAMES.map((name) => [name, 1])));
  await cluster.plane.kubectl(['annotate', 'deployment', STUCK, 'decant.sh/move=rollout']);
  await cluster.apply(...NAMES.map((name) => disruptionBudget(name, 0)));
  for (const name of NAMES) firstNodes.set(name, (await podsOf(name))[0]?.spec.nodeName ?? '');
});
after(() => cluster?.plane.stop());

async function podsOf(name: string) {
  return cluster.list('pods', '-n', 'default', '-l', `app=${name}`);
}

async function deploymentOf(name: string) {
  const printed = await cluster.plane.kubectl(['get', 'deployment', name, '-o', 'json']);
  return JSON.parse(printed) as {
    readonly metadata: { readonly annotations?: Readonly<Record<string, string>> };
    readonly spec: {
      readonly replicas: number;
      readonly template: { readonly metadata: { readonly annotations?: Readonly<Record<string, string>> } };
    };
  };
}

/** The first node is gone, and one pod is on another. */
async function hasMoved(name: string): Promise<boolean> {
  const [nodes, pods, commands] = await Promise.all([
    cluster.list('nodes'),
    podsOf(name),
    cluster.list('consolidationcommands'),
  ]);
  const first = firstNodes.get(name);
  return (
    nodes.every(({ metadata }) => metadata.name !== first) &&
    pods.length === 1 &&
    pods[0].spec.nodeName !== first &&
    commands.every(({ status }) => /^(Done|Abandoned)$/.test(status.phase))
  );
}

/** Its node drains from now on and never ends: the only pod on it may not be evicted. */
async function beginDrain(name: string): Promise<void> {
  await cluster.plane.kubectl(['delete', 'nodeclaims', '-l', `karpenter.sh/nodepool=${name}`, '--wait=false']);
  const isDraining = async () =>
    (await cluster.list('nodes')).some(
      ({ metadata, spec }) =>
        metadata.name === firstNodes.get(name) && spec.taints?.some(({ key }) => key === 'karpenter.sh/disrupted'),
    );
  await cluster.until(`the node of ${name} drains`, isDraining);
}

test('a restart while another node drains: 0 s without a ready endpoint, also if the process is killed in the middle', async (t) => {
  await beginDrain(DRAINS);
  await using endpoints = await ReadyEndpoints.watch(await clientOf(cluster));
  await cluster.until('its endpoint is ready', async () => endpoints.readyNow(RESTART) === 1);
  await cluster.apply(scenarioPolicy(RESTART));
  await using first = await DecantRun.start(cluster, { flags: FLAGS });
  await first.until('it restarts the Deployment', () => first.said(/^command rolls pods instead of evicting them/), {
    timeoutMs: 120_000,
  });
  await first.stop('SIGKILL');
  await using run = await DecantRun.start(cluster, { flags: FLAGS });
  await cluster.until('the pod has moved', () => hasMoved(RESTART), { timeoutMs: 180_000, onTimeout: () => run.text });
  assert.equal(endpoints.downtimeMs(RESTART), 0);
  assert.ok((endpoints.changes.get(RESTART) ?? 0) > 1);
  t.diagnostic(`${endpoints.changes.get(RESTART)} changes of its endpoints, ${endpoints.downtimeMs(RESTART)} ms down`);
  const { spec } = await deploymentOf(RESTART);
  assert.ok(spec.template.metadata.annotations?.['decant.sh/restarted-by'] !== undefined);
  assert.equal((await podsOf(DRAINS))[0]?.spec.nodeName, firstNodes.get(DRAINS), 'it drained all the time');
  await cluster.until('the PodDisruptionBudget tells what it costs', async () =>
    (await cluster.list('events', '-n', 'default', '--field-selector', `involvedObject.name=${EXTRA}`)).some(
      ({ reason, message = '' }) => reason === 'DisruptionBlocked' && /^Keeps 1 node .* would save \$/.test(message),
    ),
  );
  // The event may be of the process that was killed.
  await run.until(
    'it has priced blockers itself',
    async () => ((await run.metric('decant_blocked_cost_dollars_per_hour', { removed: 'jointly' })) ?? 0) > 0,
    { timeoutMs: 120_000 },
  );
});

test('an extra replica, offered by the pool: 0 s too, and the replica is gone afterwards', async (t) => {
  await using endpoints = await ReadyEndpoints.watch(await clientOf(cluster));
  await cluster.until('its endpoint is ready', async () => endpoints.readyNow(EXTRA) === 1);
  await cluster.apply(scenarioPolicy(EXTRA, { moveSingletons: 'Rollout' }));
  await using run = await DecantRun.start(cluster, { flags: FLAGS });
  await cluster.until('the pod has moved', () => hasMoved(EXTRA), { timeoutMs: 180_000, onTimeout: () => run.text });
  assert.equal(endpoints.downtimeMs(EXTRA), 0);
  t.diagnostic(`${endpoints.changes.get(EXTRA)} changes of its endpoints, ${endpoints.downtimeMs(EXTRA)} ms down`);
  const { metadata, spec } = await deploymentOf(EXTRA);
  assert.equal(spec.replicas, 1);
  assert.equal(metadata.annotations?.['decant.sh/extra-replica'], undefined);
  assert.equal(await run.metric('decant_rollouts_total', { outcome: 'done' }), 1);
  assert.equal(await run.metric('decant_evictions_total'), 0);
});

test('a new pod that does not come: everything is as before, and the pod was never down', async () => {
  await using endpoints = await ReadyEndpoints.watch(await clientOf(cluster));
  await cluster.until('its endpoint is ready', async () => endpoints.readyNow(STUCK) === 1);
  const before = await deploymentOf(STUCK);
  const [pod] = await podsOf(STUCK);
  const quota = { apiVersion: 'v1', kind: 'ResourceQuota', metadata: { name: 'no-more', namespace: 'default' } };
  await cluster.apply({ ...quota, spec: { hard: { pods: String(NAMES.length) } } }, scenarioPolicy(STUCK));
  await using run = await DecantRun.start(cluster, { flags: FLAGS });
  await cluster.until(
    'the command is abandoned',
    async () =>
      (await cluster.list('consolidationcommands')).some(
        ({ status }) => status.phase === 'Abandoned' && status.reason === 'rollout-timeout',
      ),
    { timeoutMs: 180_000, onTimeout: () => run.text },
  );
  // The soft taint goes after the command has ended.
  await cluster.until('no taint of ours is left', async () => {
    const node = (await cluster.list('nodes')).find(({ metadata }) => metadata.name === firstNodes.get(STUCK));
    return node?.spec.taints?.some(({ key }) => /^(karpenter|decant)/.test(key)) !== true;
  });
  await run.stop();
  assert.equal(endpoints.downtimeMs(STUCK), 0);
  assert.deepEqual((await deploymentOf(STUCK)).spec, before.spec);
  assert.deepEqual(
    (await podsOf(STUCK)).map(({ metadata }) => metadata.name),
    [pod.metadata.name],
  );
  await cluster.until('its replacement is gone', async () => {
    const claims = await cluster.list('nodeclaims', '-l', `karpenter.sh/nodepool=${STUCK}`);
    return claims.length === 1 && claims[0].status?.nodeName === firstNodes.get(STUCK);
  });
});
