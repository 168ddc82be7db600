import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ScriptedServer, sendJson, sendStatus } from '../../test/build/scripted-server.ts';
import { MeteredClient } from './metered-client.ts';
import { OperatorMetrics } from './metrics.ts';

test('requests are counted by the status code of the response, not by what a verb usually gets', async () => {
  await using server = await ScriptedServer.start(({ method, path }, response) =>
    path === '/gone' ? sendStatus(response, 404, 'NotFound') : sendJson(response, {}, method === 'DELETE' ? 202 : 200),
  );
  const metrics = new OperatorMetrics();
  const client = new MeteredClient(server.client, metrics);
  await client.request({ method: 'POST', path: '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews', body: {} });
  await client.request({ method: 'DELETE', path: '/apis/karpenter.sh/v1/nodeclaims/a' });
  await assert.rejects(client.request({ method: 'GET', path: '/gone' }), /404/);
  for await (const _ of await client.stream({ method: 'GET', path: '/api/v1/pods', query: { watch: 'true' } }));
  const { values } = await metrics.apiRequests.get();
  assert.deepEqual(
    values.map(({ labels, value }) => [labels.verb, labels.code, value]),
    [
      ['create', '200', 1],
      ['delete', '202', 1],
      ['get', '404', 1],
      ['watch', '200', 1],
    ],
  );
});
