// What is known of a cluster, against a real API server: pages, cuts, restarts, versions that are too old.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type ApiClient, connect } from '../../src/live/api-client.ts';
import { JOURNAL_RESOURCE, POLICY_RESOURCE, pathOf, RESOURCES } from '../../src/live/resource.ts';
import { Cluster } from './cluster.ts';
import { clientOf, installDecant, Live } from './live.ts';
import { TcpProxy } from './tcp-proxy.ts';
import { deployment } from './workloads.ts';

let cluster: Cluster;
let proxy: TcpProxy;
let live: Live;

before(async () => {
  cluster = await Cluster.start();
  await installDecant(cluster);
  proxy = await TcpProxy.start(cluster.plane.server);
});
after(async () => {
  await live?.port.stop();
  await proxy?.stop();
  await cluster?.plane.stop();
});

/** Pages of lists, by path. */
const lists = new Map<string, number>();

function countingLists(client: ApiClient): ApiClient {
  return {
    request: (request) => client.request(request),
    stream: (request) => {
      const { path, query } = request;
      if (query?.watch === undefined) lists.set(path, (lists.get(path) ?? 0) + 1);
      return client.stream(request);
    },
  };
}

const POLICIES = 1_203;
const nameOf = (i: number) => `policy-${String(i).padStart(5, '0')}`;

function policy(name: string) {
  const { group, version, kind } = POLICY_RESOURCE;
  return {
    apiVersion: `${group}/${version}`,
    kind,
    metadata: { name },
    spec: { nodePoolSelector: { matchLabels: { team: name } }, consolidateAfter: '30s' },
  };
}

test('more objects than fit on a page', async () => {
  const client = await clientOf(cluster);
  for (let i = 0; i < POLICIES; i += 50) {
    const some = Array.from({ length: Math.min(50, POLICIES - i) }, (_, k) => policy(nameOf(i + k)));
    await Promise.all(some.map((body) => client.request({ method: 'POST', path: pathOf(POLICY_RESOURCE), body })));
  }
  live = await Live.start(cluster, { client: countingLists(await clientOf(cluster, proxy.url)) });
  const { policies = [] } = await live.until('everything is known');
  assert.deepEqual(
    policies.map(({ name }) => name).sort(),
    Array.from({ length: POLICIES }, (_, i) => nameOf(i)),
  );
  assert.equal(lists.get(pathOf(POLICY_RESOURCE)), 3);
});

test('pods and nodes, as they come', async () => {
  await cluster.apply(deployment('web', { replicas: 6, cpu: '1' }));
  await cluster.settled(6);
  const isWeb = ({ namespace, phase }: { namespace: string; phase: string }) =>
    namespace === 'default' && phase === 'Running';
  // Kinds are followed one by one: that the pods run may be known before their Deployment says so.
  const { objects } = await live.until(
    'six pods run',
    ({ objects: { pods, workloads } }) =>
      pods.filter(isWeb).length === 6 &&
      workloads.some(({ kind, readyReplicas }) => kind === 'Deployment' && readyReplicas === 6),
  );
  const nodes = new Set(objects.nodes.map(({ name }) => name));
  assert.ok(objects.pods.every(({ nodeName }) => nodes.has(nodeName)));
  assert.equal(objects.nodeClaims.length, nodes.size);
});

test('heartbeats are no change', async () => {
  const before = await live.until('a view');
  const [node] = before.objects.nodes;
  const body = { metadata: { annotations: { 'example.com/heartbeat': 'x' } } };
  const client = await clientOf(cluster);
  await client.request({
    method: 'PATCH',
    path: `/api/v1/nodes/${node.name}`,
    body,
    contentType: 'application/merge-patch+json',
  });
  await cluster.apply(policy(nameOf(POLICIES)));
  const { objects } = await live.until('the policy', ({ policies }) => policies?.length === POLICIES + 1);
  assert.equal(objects.nodes, before.objects.nodes);
  assert.equal(objects.pods, before.objects.pods);
});

test('a cut connection: no view until it is back, and nothing is lost', async () => {
  proxy.cut();
  await cluster.until('it is noticed', async () => live.port.view() === undefined);
  assert.ok(live.port.health.unsynced.size > 0);
  await cluster.plane.kubectl(['delete', 'consolidationpolicy', nameOf(0)]);
  proxy.restore();
  // The first view already knows what happened in between.
  const { policies = [] } = await live.until('a view');
  assert.ok(!policies.some(({ name }) => name === nameOf(0)));
  assert.equal(policies.length, POLICIES);
});

test('an API server that crashes and comes back', async () => {
  await cluster.plane.restart('kube-apiserver', 'SIGKILL');
  // It answers before it serves the kinds of CRDs.
  await cluster.until('a policy is deleted', () =>
    cluster.plane.kubectl(['delete', 'consolidationpolicy', nameOf(1), '--ignore-not-found']).then(() => true),
  );
  await live.until('it is known', ({ policies }) => policies?.length === POLICIES - 1, { timeoutMs: 240_000 });
  assert.deepEqual(live.port.health.forbidden, []);
});

test('a kind that we may not read is named, once that is certain', async () => {
  const kinds = [...Object.values(RESOURCES), POLICY_RESOURCE, JOURNAL_RESOURCE];
  const readable = [...new Set(kinds.map(({ group }) => group))];
  const resources = kinds.map(({ plural }) => plural);
  await cluster.apply(
    {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'ClusterRole',
      metadata: { name: 'all-but-pods' },
      rules: [{ apiGroups: readable, resources: resources.filter((r) => r !== 'pods'), verbs: ['list', 'watch'] }],
    },
    {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'ClusterRoleBinding',
      metadata: { name: 'all-but-pods' },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'all-but-pods' },
      subjects: [{ kind: 'User', name: 'reader' }],
    },
  );
  const kubeconfig = await cluster.plane.kubeconfigFor('reader', { user: 'reader' });
  await using reader = await Live.start(cluster, { client: await connect({ kubeconfig }) });
  await cluster.until('it is certain', async () => reader.port.health.forbidden.length > 0);
  assert.deepEqual(reader.port.health.forbidden, ['forbidden: list pods']);
  assert.deepEqual([...reader.port.health.unsynced.keys()], ['Pod']);
  assert.equal(reader.port.view(), undefined);
});

test('a version that the API server has forgotten: everything is listed again', async () => {
  const listedBefore = lists.get(pathOf(POLICY_RESOURCE))!;
  proxy.cut();
  await cluster.until('it is noticed', async () => live.port.view() === undefined);
  await cluster.plane.kubectl(['delete', 'consolidationpolicy', nameOf(2)]);
  await cluster.apply(policy('after'));
  // One that starts has no past: watches from before are too old for it.
  await cluster.plane.restart('kube-apiserver', 'SIGKILL');
  proxy.restore();
  const { policies = [] } = await live.until(
    'it is known',
    ({ policies }) => policies?.some(({ name }) => name === 'after') ?? false,
    { timeoutMs: 240_000 },
  );
  assert.ok(!policies.some(({ name }) => name === nameOf(2)));
  assert.equal(policies.length, POLICIES - 1);
  assert.ok(lists.get(pathOf(POLICY_RESOURCE))! > listedBefore, 'by the watch alone it could not have been known');
});
