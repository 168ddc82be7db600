// Prices from Karpenter's metrics behind a Service of a real API server: the leader's, whichever replica answers first.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { karpenterMetrics } from '../build/karpenter-metrics.ts';
import { Cluster } from './cluster.ts';
import { ClusterNetwork } from './cluster-network.ts';
import { nodePool } from './control-plane/karpenter-objects.ts';
import { decantPlan } from './decant.ts';
import { DecantRun } from './decant-run.ts';
import { installDecant } from './live.ts';

const LEADER = '10.99.0.1';
const FOLLOWER = '10.99.0.2';
const KARPENTER = { namespace: 'kube-system', name: 'karpenter' };
const LABELS = { 'app.kubernetes.io/name': 'karpenter' };

/** As Karpenter's chart installs it, but for the selector: its pods run elsewhere. */
const SERVICE = {
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { ...KARPENTER, labels: LABELS },
  spec: { ports: [{ name: 'http-metrics', port: 8080, targetPort: 8080 }] },
};

const REPLICAS = { 'karpenter-leader': LEADER, 'karpenter-follower': FOLLOWER };

/** The proxy of the API server goes by Endpoints, and to pods only. */
const ENDPOINTS = {
  apiVersion: 'v1',
  kind: 'Endpoints',
  metadata: KARPENTER,
  subsets: [
    {
      addresses: Object.entries(REPLICAS).map(([name, ip]) => ({
        ip,
        targetRef: { kind: 'Pod', namespace: KARPENTER.namespace, name },
      })),
      ports: [{ name: 'http-metrics', port: 8080, protocol: 'TCP' }],
    },
  ],
};

const PODS = Object.keys(REPLICAS).map((name) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { namespace: KARPENTER.namespace, name },
  spec: { nodeName: 'priced', containers: [{ name: 'controller', image: 'none' }] },
}));

const NODE = {
  apiVersion: 'v1',
  kind: 'Node',
  metadata: {
    name: 'priced',
    labels: {
      'karpenter.sh/nodepool': 'default',
      'karpenter.sh/capacity-type': 'spot',
      'node.kubernetes.io/instance-type': 'm5.large',
      'topology.kubernetes.io/zone': 'eu-west-1a',
      'topology.kubernetes.io/region': 'eu-west-1',
      'kubernetes.io/arch': 'amd64',
      'kubernetes.io/os': 'linux',
    },
  },
  spec: { providerID: 'aws:///eu-west-1a/i-0123456789' },
};

test('the CLI finds the leader’s prices through the API server, and the controller follows them', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'decant-e2e-network-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  let spot = 0.03125;
  const metrics = () =>
    karpenterMetrics({
      offerings: { 'm5.large': { 'eu-west-1a on-demand': 0.107, 'eu-west-1a spot': spot } },
      leads: true,
    });
  const answered: string[] = [];
  await using network = await ClusterNetwork.open(join(folder, 'proxy'), {
    [`${LEADER}:8080`]: () => {
      answered.push('leader');
      return { body: metrics() };
    },
    [`${FOLLOWER}:8080`]: () => {
      answered.push('follower');
      return { body: karpenterMetrics({ leads: false }) };
    },
  });
  await using cluster = await Cluster.start({ podNetwork: network.socket });
  await installDecant(cluster);
  await cluster.apply(nodePool({ capacityTypes: ['spot', 'on-demand'] }), NODE, SERVICE, ENDPOINTS, ...PODS);
  for (const [name, podIP] of Object.entries(REPLICAS)) {
    const status = JSON.stringify({ status: { phase: 'Running', podIP, podIPs: [{ ip: podIP }] } });
    await cluster.plane.kubectl(['patch', 'pod', name, '-n', 'kube-system', '--subresource=status', '-p', status]);
  }

  const flags = ['--kubeconfig', cluster.plane.kubeconfig];
  const { plan: planned, warnings } = await decantPlan(undefined, ...flags);
  assert.equal(planned.prices?.source, 'karpenter', warnings);
  // Nothing runs as a Deployment here: the API server publishes the CRDs.
  assert.deepEqual(planned.karpenter, { version: '1.15 or later', closest: '1.15.0' });
  assert.deepEqual(
    planned.nodes.map(({ name, centsPerHour }) => [name, centsPerHour]),
    [['priced', 3.125]],
  );
  assert.ok(network.asked.includes(`${LEADER}:8080`), network.asked.join());

  // The Lease names the leader, whose pod is asked alone.
  await cluster.apply({
    apiVersion: 'coordination.k8s.io/v1',
    kind: 'Lease',
    metadata: { namespace: KARPENTER.namespace, name: 'karpenter-leader-election' },
    spec: { holderIdentity: 'karpenter-leader_0b5c' },
  });
  answered.length = 0;
  const { plan: byPod } = await decantPlan(undefined, ...flags, '--pods-proxy');
  assert.equal(byPod.prices?.source, 'karpenter');
  assert.deepEqual(answered, ['leader']);

  const flagsOfRun = ['--mode', 'act', '--catalog-refresh', '2s'];
  await using run = await DecantRun.start(cluster, { catalog: 'karpenter', flags: flagsOfRun });
  const cost = () => run.metric('decant_cost_dollars_per_hour');
  await run.until('the price of now', async () => (await cost()) === 0.03125);
  spot = 0.0625;
  await run.until('the new price', async () => (await cost()) === 0.0625);

  // Spot as dear as on-demand everywhere: Karpenter has no prices of today, and its pool is not acted on.
  const leftAlone = () => run.metric('decant_hindered_nodepools', { reason: 'prices' });
  assert.equal(await leftAlone(), 0);
  spot = 0.107;
  await run.until('a pool with assumed prices is only observed', async () => (await leftAlone()) === 1);
  assert.ok(run.said(/some of its prices are assumed: it is only observed/));
  spot = 0.0625;
  await run.until('the pool is acted on again', async () => (await leftAlone()) === 0);
});
