import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { decant } from '../../../test/build/decant.ts';
import { recordedWorkload } from '../../../test/build/recorded-workload.ts';
import type { ClusterObjects } from '../../engine/cluster/objects.ts';
import { CAPACITY_TYPE, INSTANCE_TYPE, NODE_POOL, ZONE } from '../../engine/cluster/well-known.ts';
import { writeSnapshot } from '../../kube/encode/snapshot.ts';
import { type Answers, type MetricSeries, prometheusChanges, QUERIES } from '../../lab/history/prometheus-history.ts';
import { SimulatedCluster } from '../../simulator/simulated-cluster.ts';
import { parseWorkload } from '../experiment/load-workload.ts';
import { jsonLines } from '../snapshot/snapshot.ts';

const RANGE = { startS: 1000, endS: 4600, stepS: 60, types: [] };
const NOTHING = Object.fromEntries(Object.keys(QUERIES).map((name) => [name, []])) as unknown as Answers;

/** One sample a minute. */
function series(labels: MetricSeries['labels'], fromS: number, values: readonly number[]): MetricSeries {
  return { labels, samples: values.map((value, i) => [fromS + 60 * i, value]) };
}

describe('a history from series of Prometheus', () => {
  test('replicas change where the value does, and are 0 when the series has ended', () => {
    const deployments = [series({ namespace: 'a', deployment: 'web' }, 1000, [3, 3, 5, 5])];
    const changes = prometheusChanges({ ...NOTHING, deployments }, RANGE);
    const steps = changes.flatMap(({ t, replicas }) =>
      replicas === undefined ? [] : [[t, replicas['Deployment a/web']]],
    );
    assert.deepEqual(steps, [
      [0, 3],
      [120, 5],
      [240, 0],
    ]);
    assert.deepEqual([changes[0].t, changes.at(-1)?.t], [0, 3600]);
  });

  test('evictions are the rises of the counter, also when Karpenter has restarted', () => {
    const evictions = [series({}, 1000, [7, 9, 0, 4])];
    const changes = prometheusChanges({ ...NOTHING, evictions }, RANGE);
    assert.deepEqual(
      changes.flatMap(({ t, evicted }) => (evicted === undefined ? [] : [[t, evicted['all workloads']]])),
      [
        [60, 2],
        [180, 4],
      ],
    );
  });

  test('pods of Jobs begin and end; those of CronJobs go by its name', () => {
    const jobPods = [
      series({ namespace: 'a', pod: 'x', owner_name: 'report-1' }, 1000, [400, 400]),
      series({ namespace: 'a', pod: 'y', owner_name: 'once' }, 1120, Array<number>(60).fill(1100)),
    ];
    const completions = [series({ namespace: 'a', pod: 'x' }, 1060, [1050])];
    const jobOwners = [series({ namespace: 'a', job_name: 'report-1', owner_name: 'report' }, 1000, [1])];
    const changes = prometheusChanges({ ...NOTHING, jobPods, completions, jobOwners }, RANGE);
    assert.deepEqual(
      changes.flatMap(({ began = [] }) => began),
      [
        [0, 'CronJob a/report', -600],
        [1, 'Job a/once', 100],
      ],
    );
    assert.deepEqual(
      changes.flatMap(({ ended = [] }) => ended),
      [[0, 650]],
    );
  });
});

const WORKLOAD = recordedWorkload(`  - kind: Deployment
    name: web
    requests: { cpu: 500m, memory: 1Gi }
    replicas: { base: 6, steps: [{ after: 2h, replicas: 12 }, { after: 3h30m, replicas: 4 }, { after: 5h, replicas: 8 }] }
  - { kind: CronJob, name: report, every: 30m, pods: 2, runTime: 5m..25m, requests: { cpu: 700m } }
`);
const HOUR_MS = 3_600_000;

let folder: string;
before(() => {
  folder = mkdtempSync(join(tmpdir(), 'decant-'));
});
after(() => rmSync(folder, { recursive: true }));

test('what is not Prometheus is refused in one line', async (t) => {
  const server = createServer((_, response) => response.end('<html>')).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const scenario = await parseWorkload(WORKLOAD, 'recorded.yaml');
  const cluster = new SimulatedCluster(scenario, { seed: 1, consolidation: 'none' });
  cluster.advanceTo(scenario.startMs + HOUR_MS);
  const snapshot = join(folder, 'refused.json');
  writeFileSync(snapshot, [...jsonLines(writeSnapshot(cluster.view().objects))].join(''));
  const args = ['record', '-f', snapshot, '--to', join(folder, 'refused.jsonl'), '--prometheus'];
  const { code, stderr } = await decant([...args, url]);
  assert.deepEqual([code, stderr.split('\n').length], [2, 2]);
  assert.match(stderr, /--prometheus http.*: not a response of the Prometheus HTTP API/);
  assert.match((await decant([...args, 'http://127.0.0.1:1'])).stderr, /--prometheus http:\/\/127\.0\.0\.1:1: /);
});

const { PROMETHEUS } = process.env;

test('six hours that a real Prometheus holds are replayed with the same curve and Jobs', {
  skip: PROMETHEUS === undefined && 'PROMETHEUS names the folder of prometheus and promtool',
}, async (t) => {
  const scenario = await parseWorkload(WORKLOAD, 'recorded.yaml');
  const cluster = new SimulatedCluster(scenario, { seed: 1, consolidation: 'stock' });
  const exposition = new Exposition();
  for (let ms = scenario.startMs; ms <= scenario.startMs + 6 * HOUR_MS; ms += 60_000) {
    cluster.advanceTo(ms);
    exposition.scrape(cluster.view().objects, cluster.ledger.summary().evictions);
  }
  writeFileSync(join(folder, 'metrics'), exposition.text());
  const [data, config] = [join(folder, 'data'), join(folder, 'prometheus.yml')];
  execFileSync(join(PROMETHEUS ?? '', 'promtool'), [
    'tsdb',
    'create-blocks-from',
    'openmetrics',
    join(folder, 'metrics'),
    data,
  ]);
  writeFileSync(config, 'scrape_configs: []\n');
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const server = spawn(join(PROMETHEUS ?? '', 'prometheus'), [
    `--config.file=${config}`,
    `--storage.tsdb.path=${data}`,
    '--storage.tsdb.retention.time=50y',
    `--web.listen-address=127.0.0.1:${port}`,
  ]);
  const exited = once(server, 'exit');
  t.after(async () => {
    server.kill();
    await exited;
  });
  for (let ready = false; !ready; )
    ready = await fetch(`${url}/-/ready`).then(
      ({ ok }) => ok,
      () => false,
    );
  const [snapshot, file] = [join(folder, 'now.json'), join(folder, 'past.jsonl.gz')];
  writeFileSync(snapshot, [...jsonLines(writeSnapshot(cluster.view().objects))].join(''));
  const recording = await decant(['record', '-f', snapshot, '--to', file, '--prometheus', url, '--range', '6h']);
  assert.equal(recording.code, 0, recording.stderr);
  assert.equal(recording.stderr, '');
  const compared = await decant(['compare', '--history', file, '--policies', 'stock', '--seeds', '2', '-o', 'json']);
  const { recorded, runs } = JSON.parse(compared.stdout);
  const ledger = cluster.ledger.summary();
  assert.equal(recorded.days, 0.25);
  assert.equal(recorded.evictions, ledger.evictions);
  assert.ok(
    Math.abs(recorded.costDollars / ledger.costDollars - 1) < 0.1,
    `$${recorded.costDollars}, ledger $${ledger.costDollars}`,
  );
  const stock = runs.find(({ policy }: { policy: string }) => policy === 'stock');
  assert.ok(
    Math.abs(stock.costDollars / ledger.costDollars - 1) < 0.2,
    `$${stock.costDollars}, ledger $${ledger.costDollars}`,
  );
  const events = join(folder, 'events');
  await decant(['simulate', '--history', file, '--policy', 'none', '--events', events]);
  const scaled = readFileSync(events, 'utf8')
    .split('\n')
    .filter((line) => line.includes('scaled default/web'));
  assert.deepEqual(
    scaled.map((line) => line.split(' ')),
    [
      ['0', 'scaled', 'default/web', '6'],
      ['7200000', 'scaled', 'default/web', '12'],
      ['12600000', 'scaled', 'default/web', '4'],
      ['18000000', 'scaled', 'default/web', '8'],
    ],
  );
});

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  return port;
}

/** What kube-state-metrics and Karpenter would export of the cluster, scrape by scrape, for promtool. */
class Exposition {
  private readonly families = new Map<string, string[]>();

  scrape({ nowMs, workloads, nodes, pods }: ClusterObjects, evictions: number): void {
    const add = (name: string, labels: Readonly<Record<string, string>>, value: number) => {
      const text = Object.entries(labels).map(([key, each]) => `${key}="${each}"`);
      const family = this.families.get(name) ?? [];
      this.families.set(name, family);
      family.push(`${name}{${text.join(',')}} ${value} ${nowMs / 1000}`);
    };
    for (const { kind, namespace, name, replicas, owners } of workloads) {
      if (kind === 'Deployment') add('kube_deployment_spec_replicas', { namespace, deployment: name }, replicas);
      const [owner] = owners;
      if (kind === 'ReplicaSet')
        add(
          'kube_replicaset_owner',
          { namespace, replicaset: name, owner_kind: owner.kind, owner_name: owner.name },
          1,
        );
    }
    for (const { name: node_name, labels } of nodes) {
      const of = (key: string) => labels[key] ?? '';
      const place = { instance_type: of(INSTANCE_TYPE), zone: of(ZONE), capacity_type: of(CAPACITY_TYPE) };
      add('karpenter_nodes_allocatable', { node_name, nodepool: of(NODE_POOL), ...place, resource_type: 'cpu' }, 1);
    }
    for (const { namespace, name: pod, owners, startedMs, requests } of pods) {
      const [{ kind: owner_kind, name: owner_name }] = owners;
      add('kube_pod_owner', { namespace, pod, owner_kind, owner_name }, 1);
      if (startedMs !== undefined) add('kube_pod_start_time', { namespace, pod }, Math.round(startedMs / 1000));
      for (const resource of ['cpu', 'memory']) {
        const amount = (requests[resource] ?? 0) / (resource === 'cpu' ? 1000 : 1);
        add('kube_pod_container_resource_requests', { namespace, pod, container: 'c', resource }, amount);
      }
    }
    add('karpenter_pods_eviction_requests_total', { code: '200' }, evictions);
  }

  text(): string {
    return `${[...this.families.values()].map((lines) => `${lines.join('\n')}\n`).join('')}# EOF\n`;
  }
}
