import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ScriptedServer, sendJson } from '../../test/build/scripted-server.ts';
import { karpenterDeployments } from './karpenter-deployment.ts';

function deployment(namespace: string, version: string, annotations = {}) {
  const spec = { containers: [{ image: `karpenter/controller:${version}` }] };
  const labels = { 'app.kubernetes.io/name': 'karpenter' };
  return { metadata: { namespace, name: `karpenter-${version}`, labels, annotations }, spec: { template: { spec } } };
}

/** An API server with these Deployments, which pages after `limit` and knows the selectors of namespaces. */
function serverOf(deployments: readonly ReturnType<typeof deployment>[]): Promise<ScriptedServer> {
  return ScriptedServer.start(({ query }, response) => {
    const [, only] = query.get('fieldSelector')?.split('=') ?? [];
    const all = deployments.filter(({ metadata }) => only === undefined || metadata.namespace === only);
    const [start, end] = [Number(query.get('continue')), Number(query.get('continue')) + Number(query.get('limit'))];
    const metadata = { resourceVersion: '1', ...(end < all.length ? { continue: `${end}` } : {}) };
    sendJson(response, { metadata, items: all.slice(start, end) });
  });
}

const versionsOf = async (deployments: readonly ReturnType<typeof deployment>[]) => {
  await using server = await serverOf(deployments);
  return (await karpenterDeployments(server.client)).map(({ karpenter }) => karpenter?.version);
};

test('Deployments of other namespaces do not matter while Karpenter is where its guides put it', async () => {
  assert.deepEqual(await versionsOf([deployment('aaa', '1.0.0'), deployment('kube-system', '1.15.0')]), ['1.15.0']);
  assert.deepEqual(await versionsOf([deployment('aaa', '1.0.0'), deployment('karpenter', '1.15.0')]), ['1.15.0']);
  assert.deepEqual(await versionsOf([deployment('infra', '1.15.0')]), ['1.15.0']);
});

test('as many and as large ones as a user can create are read', async () => {
  const large = Array.from({ length: 80 }, (_, i) => deployment('aaa', `1.0.${i}`, { note: 'x'.repeat(1_000_000) }));
  assert.equal((await versionsOf(large)).length, 80);
});
