import assert from 'node:assert/strict';
import { test } from 'node:test';
import { karpenterMetrics } from '../../../test/build/karpenter-metrics.ts';
import { ScriptedServer, sendJson } from '../../../test/build/scripted-server.ts';
import { karpenterPrices } from './karpenter-prices.ts';

const SERVICES = {
  items: [
    {
      metadata: { name: 'karpenter', namespace: 'kube-system' },
      spec: { ports: [{ name: 'http-metrics', port: 8080 }] },
    },
  ],
};

/** What is told to who asks a cluster whose Karpenter answers so. */
async function told(metrics: string) {
  await using server = await ScriptedServer.start(({ path }, response) => {
    if (path === '/api/v1/services') return sendJson(response, SERVICES);
    response.writeHead(200, { 'Content-Type': 'text/plain' });
    return response.end(metrics);
  });
  return (await karpenterPrices({ kubeconfig: 'given' }, server.client)).notices;
}

test('a Karpenter whose leader does not answer is named; one that never has prices is not', async () => {
  const offerings = { 'm5.large': { 'eu-west-1a spot': 0.04 } };
  assert.deepEqual(await told(karpenterMetrics({ offerings, leads: true })), []);
  assert.deepEqual(await told(karpenterMetrics({ leads: false })), [
    'no prices from Karpenter, bundled ones are used: no replica that responded is the leader',
  ]);
  assert.deepEqual(await told(karpenterMetrics({ leads: true })), []);
});
