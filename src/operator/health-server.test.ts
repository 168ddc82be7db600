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

test('idle connections of many addresses, and of its own, do not keep a client waiting', async () => {
  const port = Number(new URL(base).port);
  const idle: Socket[] = [];
  // 16 of each address, 1,024 in all.
  for (let address = 2; address < 82; address++) {
    const own = Array.from({ length: 20 }, () =>
      connect({ port, host: '127.0.0.1', localAddress: `127.0.0.${address}` }).on('error', () => {}),
    );
    await Promise.all(own.map((socket) => once(socket, 'connect')));
    for (const socket of own) socket.resume();
    idle.push(...own);
  }
  for (const localAddress of ['127.0.0.2', '127.0.0.81', '127.0.0.99']) {
    const [response] = await once(get({ port, host: '127.0.0.1', path: '/metrics', localAddress }), 'response');
    assert.equal(response.statusCode, 200);
    response.destroy();
  }
  assert.ok(idle.filter((socket) => !socket.closed).length <= 1_024);
  for (const socket of idle) socket.destroy();
});

test('a client that does not await responses is cut off with all its connections, and others are not', async () => {
  const port = Number(new URL(base).port);
  const from = (localAddress: string) => connect({ port, host: '127.0.0.1', localAddress }).on('error', () => {});
  const [patient, silent, busy] = [from('127.0.0.3'), from('127.0.0.2'), from('127.0.0.2')];
  await Promise.all([patient, silent, busy].map((socket) => once(socket, 'connect')));
  let told = '';
  busy.on('data', (part) => (told += part));
  busy.write('GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(20_000));
  const closed = (socket: Socket) => new Promise<unknown>((resolve) => socket.once('close', resolve));
  await Promise.all([closed(busy), closed(silent.resume())]);
  assert.ok(told.split('HTTP/1.1 ').length <= 2, `${told.length} bytes`);
  patient.write('GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n');
  await once(patient, 'data');
  patient.destroy();
});
