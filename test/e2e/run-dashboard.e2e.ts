// The dashboard of `decant run` beyond loopback, on a real API server: with the rights that the chart gives it, it finds
// out whose token it is and whether they may list pods.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Command } from '../../src/controller/command.ts';
import { commandObject } from '../../src/live/journal-object.ts';
import type { ClusterAnswer, LabAnswer, TimelineAnswer } from '../../src/web/api.ts';
import { startDecant } from '../build/served.ts';
import { Cluster } from './cluster.ts';
import { waitFor } from './control-plane/readiness.ts';
import { DecantRun } from './decant-run.ts';
import { installDecant } from './live.ts';
import { builtTool } from './tools/optional-tool.ts';
import { rendered } from './tools/plain-manifests.ts';

const NAMESPACE = 'decant';
const helm = builtTool('helm');

let cluster: Cluster;
before(async () => {
  cluster = await Cluster.start();
  await installDecant(cluster);
  await cluster.plane.kubectl(['create', 'namespace', NAMESPACE]);
  for (const name of ['viewer', 'stranger'])
    await cluster.plane.kubectl(['create', 'serviceaccount', name, '-n', NAMESPACE]);
  await cluster.plane.kubectl([
    ...['create', 'clusterrolebinding', 'viewers', '--clusterrole=view'],
    `--serviceaccount=${NAMESPACE}:viewer`,
  ]);
});
after(() => cluster?.plane.stop());

const NODE = {
  apiVersion: 'v1',
  kind: 'Node',
  metadata: { name: 'worker-1', labels: { 'kubernetes.io/hostname': 'worker-1' } },
  spec: { providerID: 'kwok://worker-1' },
};

/** Of a controller that ran before. */
const COMMAND: Command = {
  id: 'earlier',
  phase: 'waiting',
  decidedMs: Date.parse('2026-08-20T12:00:00Z'),
  phaseMs: Date.parse('2026-08-20T12:00:00Z'),
  nodes: [{ node: 'worker-9', nodeClaim: 'default-9', nodePool: 'default', centsPerHour: 10, pods: 2 }],
  replacements: [],
  workloads: {},
  predicted: { savingsCentsPerHour: 10, requiredCentsPerHour: 0, disruptionCost: 3, evictions: 2 },
};

async function tokenOf(account: string): Promise<string> {
  return (await cluster.plane.kubectl(['create', 'token', account, '-n', NAMESPACE])).trim();
}

test('tokens of those who may list all pods open it, and no others', async () => {
  const flags = ['--dashboard-port', '0', '--dashboard-bind-address', '127.0.0.1', '--dashboard-auth', 'kubernetes'];
  await using decant = await DecantRun.start(cluster, { flags });
  const [line] = decant.lines.filter(({ message }) => message === 'serving the dashboard');
  const status = async (token: string | undefined) => {
    const headers = token === undefined ? {} : { Authorization: `Bearer ${token}` };
    return (await fetch(new URL('/api/state', String(line.url)), { headers })).status;
  };
  assert.deepEqual(
    [
      await status(await tokenOf('viewer')),
      await status(await tokenOf('stranger')),
      await status('made-up'),
      await status(undefined),
    ],
    [200, 403, 401, 401],
  );
});

test('decant serve follows the cluster, with the commands that are in it, and needs no controller', async () => {
  const { kubeconfig, instanceTypes } = cluster.plane;
  const served = await startDecant(['serve', '--kubeconfig', kubeconfig, '--catalog', instanceTypes]);
  const answer = async <T>(path: string) => (await fetch(new URL(path, served.url))).json() as Promise<T>;
  try {
    const shows = (nodes: number) => async () =>
      (await answer<ClusterAnswer>('/api/cluster')).packing.nodes.name.length === nodes || undefined;
    await waitFor('no nodes', shows(0), { pauseMs: 200 });
    await cluster.plane.kubectl(['create', '-f', '-'], JSON.stringify(NODE));
    await waitFor('the new node', shows(1), { pauseMs: 200 });
    await cluster.plane.kubectl(['create', '-f', '-'], JSON.stringify(commandObject(COMMAND)));
    const events = async () => (await answer<TimelineAnswer>('/api/timeline')).events;
    await waitFor('the command', async () => (await events()).find(({ text }) => text.includes('worker-9')), {
      pauseMs: 200,
    });
    const { choices } = await answer<LabAnswer>('/api/lab');
    assert.equal(choices?.workloads[0], 'this cluster');
    await cluster.plane.kubectl(['delete', 'node', NODE.metadata.name]);
    await waitFor('the node to be gone', shows(0), { pauseMs: 200 });
  } finally {
    assert.equal(await served.stop(), 0);
  }
});

test('the chart gives it the rights for that', { skip: helm === undefined ? 'no helm' : false }, async () => {
  const text = await rendered(helm!, 'dashboard.enabled=true');
  await cluster.plane.kubectl(['apply', '--server-side', '-f', '-'], text);
  const may = (resource: string) =>
    cluster.plane.kubectl(['auth', 'can-i', 'create', resource, `--as=system:serviceaccount:${NAMESPACE}:decant`]);
  for (const resource of ['tokenreviews.authentication.k8s.io', 'subjectaccessreviews.authorization.k8s.io'])
    assert.equal((await may(resource)).trim(), 'yes', resource);
});
