import assert from 'node:assert/strict';
import { once } from 'node:events';
import { get } from 'node:http';
import { connect, type Socket } from 'node:net';
import { after, before, test } from 'node:test';
import { HealthServer } from './health-server.ts';
import { OperatorMetrics } from './metrics.ts';

const state = { failures: [] as string[], missing: ['pods are not synced', 'nodes are not synced'] };
const metrics = new OperatorMetrics();
const server = new HealthServer({
  registry: metrics.registry,
  failures: () => state.failures,
  missing: () => state.missing,
});
let base = '';
before(async () => {
  base = `http://127.0.0.1:${await server.listen(0, '127.0.0.1')}`;
});
after(() => server.close());

test('ready once nothing is missing; until then it says what is', async () => {
  const not = await fetch(`${base}/readyz`);
  assert.deepEqual([not.status, await not.text()], [503, 'pods are not synced\nnodes are not synced\n']);
  state.missing = [];
  const now = await fetch(`${base}/readyz?verbose`);
  assert.deepEqual([now.status, await now.text()], [200, 'ok\n']);
});

test('alive as long as nothing is stuck', async () => {
  assert.equal((await fetch(`${base}/healthz`)).status, 200);
  state.failures = ['stuck'];
  assert.equal((await fetch(`${base}/healthz`)).status, 503);
});

test('metrics as Prometheus reads them', async () => {
  metrics.leader.set(1);
  const response = await fetch(`${base}/metrics`);
  assert.match(response.headers.get('content-type') ?? '', /^text\/plain; version=0\.0\.4/);
  assert.match(await response.text(), /^decant_leader 1$/m);
});

test('nothing else', async () => {
  assert.equal((await fetch(`${base}/`)).status, 404);
  assert.equal((await fetch(`${base}/metrics`, { method: 'POST', body: 'x' })).status, 405);
});

test('a port that is taken is an error, and no crash', async () => {
  const other = new HealthServer({ registry: metrics.registry, failures: () => [], missing: () => [] });
  await assert.rejects(other.listen(Number(new URL(base).port), '127.0.0.1'), { code: 'EADDRINUSE' });
});

test('a server for probes has no metrics', async () => {
  const probes = new HealthServer({ failures: () => [], missing: () => [] });
  const own = `http://127.0.0.1:${await probes.listen(0, '127.0.0.1')}`;
  assert.equal((await fetch(`${own}/healthz`)).status, 200);
  assert.equal((await fetch(`${own}/metrics`)).status, 404);
  await probes.close();
});

test('addresses that hold many idle connections each leave room for others', async () => {
  const port = Number(new URL(base).port);
  const idle: Socket[] = [];
  for (const localAddress of ['127.0.0.1', '127.0.0.3', '127.0.0.4', '127.0.0.5', '127.0.0.6']) {
    const own = Array.from({ length: 70 }, () =>
      connect({ port, host: '127.0.0.1', localAddress }).on('error', () => {}),
    );
    await Promise.all(own.map((socket) => once(socket, 'connect')));
    // Those beyond the limit of an address are closed.
    const open = () => own.filter((socket) => !socket.closed).length;
    for (const socket of own) socket.resume();
    while (open() > 16)
      await once(own.find((socket) => !socket.closed)!, 'close', { signal: AbortSignal.timeout(50) }).catch(() => {});
    idle.push(...own);
  }
  const [response] = await once(
    get({ port, host: '127.0.0.1', path: '/metrics', localAddress: '127.0.0.2' }),
    'response',
  );
  assert.equal(response.statusCode, 200);
  response.destroy();
  for (const socket of idle) socket.destroy();
});
