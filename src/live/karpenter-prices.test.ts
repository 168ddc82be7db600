import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { karpenterMetrics } from '../../test/build/karpenter-metrics.ts';
import { type Asked, ScriptedServer } from '../../test/build/scripted-server.ts';
import { askKarpenter, askUrl } from './karpenter-prices.ts';

const LEADER = karpenterMetrics({ offerings: { 'm5.large': { 'eu-west-1a spot': 0.0412 } }, leads: true });
const FOLLOWER = karpenterMetrics({ leads: false });
const SERVICES = {
  items: [
    {
      metadata: { name: 'karpenter', namespace: 'kube-system' },
      spec: { ports: [{ name: 'http-metrics', port: 8080, targetPort: 'http-metrics' }] },
    },
  ],
};
const BY_SERVICE = '/api/v1/namespaces/kube-system/services/karpenter:http-metrics/proxy/metrics';
const BY_POD = '/api/v1/namespaces/kube-system/pods/karpenter-1:8080/proxy/metrics';

/** An API server in front of Karpenter: answers by path; a number is a refusal with that status. */
async function server(answers: Readonly<Record<string, unknown>>): Promise<ScriptedServer> {
  return ScriptedServer.start(({ path, query }: Asked, response) => {
    const given = answers[path];
    const answer = typeof given === 'function' ? given(query) : given;
    if (answer === undefined || typeof answer === 'number') {
      response.writeHead(answer ?? 404, { 'Content-Type': 'application/json' });
      return response.end(JSON.stringify({ kind: 'Status', message: 'no' }));
    }
    response.writeHead(200, { 'Content-Type': typeof answer === 'string' ? 'text/plain' : 'application/json' });
    return response.end(typeof answer === 'string' ? answer : JSON.stringify(answer));
  });
}

test('through the Service, until the leader answers', async () => {
  let asked = 0;
  await using api = await server({
    '/api/v1/services': SERVICES,
    [BY_SERVICE]: () => (++asked < 4 ? FOLLOWER : LEADER),
  });
  const answer = await askKarpenter({ client: api.client, inCluster: false, podsProxy: false });
  assert.ok('prices' in answer);
  assert.equal(answer.prices.offerings.get('m5.large')?.[0].price, 0.0412);
  assert.equal(asked, 4);
  assert.equal(api.asked[0].query.get('labelSelector'), 'app.kubernetes.io/name=karpenter');
  assert.ok(api.asked.every(({ path }) => path !== BY_POD));
});

test('a Service in another namespace with the label of Karpenter sets no prices', async () => {
  const [karpenter] = SERVICES.items;
  const serviceIn = (namespace: string) => ({ ...karpenter, metadata: { name: 'karpenter', namespace } });
  const answerWith = async (...namespaces: readonly string[]) => {
    await using api = await server({
      '/api/v1/services': (query: URLSearchParams) => {
        const [, only] = query.get('fieldSelector')?.split('=') ?? [];
        return { items: namespaces.filter((each) => only === undefined || each === only).map(serviceIn) };
      },
      ...Object.fromEntries(
        namespaces.map((each) => [BY_SERVICE.replace('kube-system', each), each === 'aaa' ? FOLLOWER : LEADER]),
      ),
    });
    return await askKarpenter({ client: api.client, inCluster: false, podsProxy: false });
  };
  assert.ok('prices' in (await answerWith('aaa', 'kube-system')));
  assert.ok('prices' in (await answerWith('aaa', 'karpenter')));
  assert.ok('prices' in (await answerWith('infra')));
  const unsure = await answerWith('aaa', 'infra');
  assert.match('unreachable' in unsure ? unsure.unreachable : '', /several namespaces \(aaa, infra\).*--prices/);
});

test('no leader answers, or no replica at all: different messages', async () => {
  await using followers = await server({ '/api/v1/services': SERVICES, [BY_SERVICE]: FOLLOWER });
  const access = { inCluster: false, podsProxy: false };
  const following = await askKarpenter({ client: followers.client, ...access });
  assert.ok('missing' in following && following.missing === 'follower');
  for (const status of [403, 404, 503]) {
    await using refusing = await server({ '/api/v1/services': SERVICES, [BY_SERVICE]: status });
    const refused = await askKarpenter({ client: refusing.client, ...access });
    assert.ok('unreachable' in refused && refused.unreachable.includes(String(status)), JSON.stringify(refused));
  }
  await using without = await server({ '/api/v1/services': { items: [] } });
  const none = await askKarpenter({ client: without.client, ...access });
  assert.match('unreachable' in none ? none.unreachable : '', /no Service with the label/);
});

test('the leader’s pod, found by its Lease, only where it was asked for', async () => {
  const lease = '/apis/coordination.k8s.io/v1/namespaces/kube-system/leases/karpenter-leader-election';
  await using api = await server({
    '/api/v1/services': SERVICES,
    [lease]: { spec: { holderIdentity: 'karpenter-1_0b5c' } },
    '/api/v1/namespaces/kube-system/pods/karpenter-1': { status: { podIP: '127.0.0.1' } },
    [BY_POD]: LEADER,
    [BY_SERVICE]: FOLLOWER,
  });
  for (const inCluster of [false, true])
    assert.ok('prices' in (await askKarpenter({ client: api.client, inCluster, podsProxy: true })));
});

test('in the cluster, prices come from the leader’s pod, or from the Service if that fails', async () => {
  const lease = '/apis/coordination.k8s.io/v1/namespaces/kube-system/leases/karpenter-leader-election';
  await using karpenter = await server({ '/metrics': LEADER });
  const port = Number(new URL(karpenter.url).port);
  const [service] = SERVICES.items;
  const services = {
    items: [{ ...service, spec: { ports: [{ name: 'http-metrics', port: 8080, targetPort: port }] } }],
  };
  const answers = {
    '/api/v1/services': services,
    [lease]: { spec: { holderIdentity: 'karpenter-1_0b5c' } },
    '/api/v1/namespaces/kube-system/pods/karpenter-1': { status: { podIP: '127.0.0.1' } },
    [BY_SERVICE]: FOLLOWER,
  };
  await using api = await server(answers);
  assert.ok('prices' in (await askKarpenter({ client: api.client, inCluster: true, podsProxy: false })));
  assert.equal(karpenter.asked.length, 1);
  await using unallowed = await server({ ...answers, [lease]: 403, [BY_SERVICE]: LEADER });
  assert.ok('prices' in (await askKarpenter({ client: unallowed.client, inCluster: true, podsProxy: false })));
});

test('by address: an answer that ends early or never is refused with the address', async () => {
  const piece = Buffer.alloc(1 << 20, 'x');
  const karpenter = createServer((request, response) => {
    if (request.url === '/cut') response.writeHead(200, { 'Content-Length': 100 }).write('x', () => response.destroy());
    else
      Readable.from(
        (function* () {
          for (;;) yield piece;
        })(),
      ).pipe(response);
  });
  const { promise, resolve } = Promise.withResolvers<void>();
  karpenter.listen(0, '127.0.0.1', resolve);
  await promise;
  const { port } = karpenter.address() as AddressInfo;
  const why = async (path: string) => {
    const answer = await askUrl(`http://127.0.0.1:${port}/${path}`);
    return 'unreachable' in answer ? answer.unreachable : '';
  };
  assert.match(await why('cut'), new RegExp(`^http://127.0.0.1:${port}/cut: `));
  assert.equal(await why('endless'), `http://127.0.0.1:${port}/endless: the response has more than 32 MiB`);
  karpenter.closeAllConnections();
  karpenter.close();
});

test('by address: 3 MB as Karpenter writes them', async () => {
  const zones = ['a', 'b', 'c'].map((letter) => `eu-west-1${letter}`);
  const offerings = Object.fromEntries(
    Array.from({ length: 2600 }, (_, i) => [
      `m${i}.large`,
      Object.fromEntries(zones.flatMap((z) => [`${z} spot`, `${z} on-demand`].map((market) => [market, i + 0.5]))),
    ]),
  );
  const text = karpenterMetrics({ offerings });
  assert.ok(text.length > 3e6);
  await using karpenter = await server({ '/metrics': text });
  const answer = await askUrl(`${karpenter.url}/metrics`);
  assert.ok('prices' in answer);
  assert.equal(answer.prices.offerings.size, 2600);
  const gone = await askUrl('http://127.0.0.1:1/metrics');
  assert.match('unreachable' in gone ? gone.unreachable : '', /^http:\/\/127\.0\.0\.1:1\/metrics: /);
});
