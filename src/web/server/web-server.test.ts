import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { get as getWithTls } from 'node:https';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { connect as connectWithTls } from 'node:tls';
import { gunzipSync } from 'node:zlib';
import { selfSigned } from '../../../test/build/certificate.ts';
import { cluster } from '../../../test/build/cluster.ts';
import { machine } from '../../../test/build/machine.ts';
import { pod } from '../../../test/build/pod.ts';
import { subject } from '../../../test/build/subject.ts';
import { fileSource, send, startServer } from '../../../test/build/web-server.ts';
import type { BoundAnswer, ErrorAnswer, NodeAnswer, PlanAnswer, StateAnswer } from '../api.ts';
import { WebServer } from './web-server.ts';

/** Two nodes, each half empty. */
const TWO = subject(
  cluster({
    machines: [machine('node-a'), machine('node-b')],
    pods: [pod('one', { on: 'node-a' }), pod('two', { on: 'node-b' })],
  }),
);
const server = await startServer(fileSource(TWO));
after(() => server.close());
const get = (path: string, headers: Record<string, string> = {}) => send(server.url, path, { headers });
const VIEWS = ['/', '/nodes/node-a', '/nodes/ip-10-0-0-1.ec2.internal', '/boundary', '/plan', '/timeline', '/lab'];

/** When the plan is there. */
async function planned(): Promise<PlanAnswer> {
  for (;;) {
    const answer: PlanAnswer = JSON.parse((await get('/api/plan')).text);
    if (answer.plan !== undefined) return answer;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

describe('answers', () => {
  test('every view has the same page, and so has a deep link to any node', async () => {
    for (const path of [...VIEWS, '/settings', '/boundary?threshold=1'])
      assert.deepEqual([path, (await get(path)).text], [path, '"page"']);
  });

  test('the state says what the plan saves, and the node why it goes', async () => {
    const { plan } = await planned();
    const state: StateAnswer = JSON.parse((await get('/api/state')).text);
    assert.equal(state.totals.nodes, 2);
    assert.equal(state.totals.planned?.nodes, 1);
    assert.equal(plan?.moves.length, 1);
    assert.equal(plan?.after.nodes.name.length, 1);
    const [leaving] = plan?.moves[0].nodes ?? [];
    const node: NodeAnswer = JSON.parse((await get(`/api/nodes/${leaving}`)).text);
    assert.match(node.verdict, /^is replaced by small in move 1, wave 1, together with node-[ab], saving 36 ¢\/h$/);
    assert.equal(node.disruption.cost, node.disruption.base + 1);
  });

  test('the bound is proven in a thread, and the plan is not below it', async () => {
    const { version, plan } = await planned();
    const proven: BoundAnswer = JSON.parse((await get('/api/bound')).text);
    assert.equal(proven.version, version);
    const { centsPerHour, gapPercent } = proven.bound;
    assert.ok(centsPerHour > 0 && centsPerHour <= plan!.totals.planned.centsPerHour, String(centsPerHour));
    assert.ok(Math.abs(centsPerHour * (1 + gapPercent / 100) - plan!.totals.planned.centsPerHour) < 1e-6);
  });

  test('the page requests the price of blockers until it is complete', async () => {
    const { version } = await planned();
    const { headers } = await get('/api/cluster');
    const { status, headers: own, text } = await get('/api/blockers', { 'if-none-match': String(headers.etag) });
    assert.deepEqual([status, own.etag, JSON.parse(text).version], [200, undefined, version]);
  });

  test('the client that knows the version is not told again; another start has other versions', async () => {
    await planned();
    const { headers } = await get('/api/cluster');
    const again = await get('/api/cluster', { 'if-none-match': String(headers.etag) });
    assert.deepEqual([again.status, again.text], [304, '']);
    const other = await startServer(fileSource(TWO));
    const first = await send(other.url, '/api/cluster', { headers: { 'if-none-match': String(headers.etag) } });
    await other.close();
    assert.equal(first.status, 200);
  });

  test('zipped where the client can unzip', async () => {
    const response = await fetch(new URL('/api/cluster', server.url));
    assert.equal(response.headers.get('content-encoding'), 'gzip');
    const plain = await get('/api/cluster');
    assert.equal(plain.headers['content-encoding'], undefined);
    assert.deepEqual(await response.json(), JSON.parse(plain.text));
    assert.throws(() => gunzipSync(plain.text));
  });

  test('HEAD is GET without a body', async () => {
    const [head, whole] = [await send(server.url, '/api/lab', { method: 'HEAD' }), await get('/api/lab')];
    assert.deepEqual([head.status, head.text], [200, '']);
    assert.equal(head.headers['content-length'], whole.headers['content-length']);
  });

  test('events begin with the state, and their id is its version', async () => {
    await planned();
    const stop = new AbortController();
    const response = await fetch(new URL('/api/events', server.url), { signal: stop.signal });
    assert.equal(response.headers.get('content-type'), 'text/event-stream; charset=utf-8');
    const text = new TextDecoderStream();
    const reader = response.body!.pipeThrough(text).getReader();
    let heard = '';
    while (!heard.includes('data: ')) heard += (await reader.read()).value;
    stop.abort();
    const { version }: StateAnswer = JSON.parse(/^data: (.*)$/m.exec(heard)?.[1] ?? '');
    assert.match(heard, new RegExp(`^event: state\\nid: ${version}$`, 'm'));
  });
});

describe('refusals', () => {
  const CASES: readonly (readonly [number, string, RegExp])[] = [
    [404, '/api/nodes/node', /no node node among the 2 of the cluster \(there is node-a, node-b\)/],
    [404, '/api/nodes/%3Cimg%20src%3Dx%3E', /no node <img src=x>/],
    [400, '/api/nodes/%E0%A4%A', /cannot be read/],
    [404, '/api/nodes/', /not found/],
    [404, '/api/nodes/a/b', /not found/],
    [404, '/api', /not found/],
    [404, '/api/secrets', /not found/],
    [404, '/nodes/a/b', /not found/],
    [404, '/assets/../../package.json', /not found/],
    [404, '/assets/%2e%2e/%2e%2e/package.json', /not found/],
    [404, '/assets/..%2f..%2fpackage.json', /not found/],
    [404, '/../../../../etc/passwd', /not found/],
    [404, '//evil.example/api/state', /not found/],
    [400, 'http://evil.example/api/state', /not valid/],
    [414, `/api/boundary?policy=${'x'.repeat(3000)}`, /longer than 2048/],
    [400, '/api/boundary?threshold=-1', /^threshold: "-1"/],
    [400, '/api/boundary?threshold=NaN', /^threshold: "NaN"/],
    [400, '/api/boundary?threshold=1e3', /^threshold: "1e3"/],
    [400, '/api/boundary?threshold=2000000', /^threshold/],
    [400, '/api/boundary?utilization=1.5', /^utilization: "1.5"/],
    [400, '/api/boundary?grace=soon', /^grace: "soon"/],
    [400, '/api/boundary?policy=WhenTired', /^policy: "WhenTired"/],
    [400, '/api/boundary?minPercent=101', /^minPercent: "101"/],
    [400, '/api/boundary?minPercent=auto', /^minPercent: "auto"/],
    [400, '/api/boundary?pool=other', /^pool: "other"/],
    [400, '/api/boundary?threshold=1&threshold=2', /given twice/],
    [400, '/api/boundary?__proto__=1', /unknown parameter/],
    [400, '/api/what-if?thresold=1', /unknown parameter "thresold"/],
  ];
  for (const [status, path, message] of CASES) {
    test(`${status} for ${path.slice(0, 60)}`, async () => {
      const reply = await get(path);
      const { error, parameter, allowed }: ErrorAnswer = JSON.parse(reply.text);
      assert.equal(reply.status, status, reply.text);
      assert.match(error, message);
      if (status === 400 && path.includes('?')) assert.ok(parameter !== undefined && allowed !== undefined, reply.text);
    });
  }

  test('a person at a wrong address is shown the page, which says so', async () => {
    const reply = await get('/nothing', { accept: 'text/html,*/*;q=0.8' });
    assert.deepEqual([reply.status, reply.text], [404, (await get('/')).text]);
  });

  test('plans for clients that have left are not made, and delay no one', async (t) => {
    const machines = Array.from({ length: 60 }, (_, i) => machine(`node-${i}`));
    const pods = machines.map((_, i) => pod(`pod-${i}`, { on: `node-${i}` }));
    const busy = await startServer(fileSource(subject(cluster({ machines, pods }))));
    t.after(() => busy.close());
    await send(busy.url, '/api/what-if?threshold=1');
    for (let i = 0; i < 20; i++) {
      const left = new AbortController();
      const asked = fetch(new URL(`/api/what-if?threshold=${i}`, busy.url), { signal: left.signal });
      await send(busy.url, '/api/state');
      left.abort();
      await assert.rejects(asked, /abort/);
    }
    assert.equal((await send(busy.url, '/api/what-if?threshold=2')).status, 200);
  });

  test('a client that leaves in the middle of its request is no internal error', async (t) => {
    const logged = t.mock.method(process.stderr, 'write', () => true);
    const { port, host } = new URL(server.url);
    const socket = connect({ port: Number(port), host: '127.0.0.1' });
    const head = [
      'POST /api/lab/runs HTTP/1.1',
      `Host: ${host}`,
      'Content-Type: application/json',
      'Content-Length: 99',
    ];
    socket.write(`${head.join('\r\n')}\r\n\r\n{`);
    await get('/api/state');
    socket.destroy();
    await once(socket, 'close');
    for (let i = 0; i < 5; i++) assert.equal((await get('/api/state')).status, 200);
    assert.deepEqual(
      logged.mock.calls.map((call) => call.arguments),
      [],
    );
  });

  test('too many headers', async () => {
    const reply = await get('/api/state', { 'x-much': 'x'.repeat(20_000) });
    assert.equal(reply.status, 431);
  });

  for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
    test(`405 for ${method}`, async () => {
      const reply = await send(server.url, '/api/state', { method });
      assert.deepEqual([reply.status, reply.headers.allow], [405, 'GET, HEAD']);
    });
  }

  test('a run in the lab of a file', async () => {
    const headers = { 'content-type': 'application/json' };
    const body = JSON.stringify({ workload: 'web', policies: ['calm'], seeds: 1, days: 1 });
    const reply = await send(server.url, '/api/lab/runs', { method: 'POST', headers, body });
    assert.equal(reply.status, 404);
    assert.equal((await get('/api/lab/runs')).status, 405);
  });
});

describe('who may ask', () => {
  const EXPECTED = {
    'content-security-policy':
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; frame-ancestors 'none'; form-action 'none'",
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
  };

  test('the same protection with every answer, also with refusals', async () => {
    for (const path of ['/', '/assets/page.js', '/assets/page.css', '/api/state', '/api/nodes/nobody', '/nothing']) {
      const { headers } = await get(path);
      for (const [name, value] of Object.entries(EXPECTED)) assert.equal(headers[name], value, `${path}: ${name}`);
      assert.equal(headers['access-control-allow-origin'], undefined);
    }
  });

  test('a foreign host name that resolves here is refused, page and all', async () => {
    for (const host of ['evil.example', 'evil.example:80', '127.0.0.1.evil.example', 'localhost.evil.example']) {
      assert.equal((await get('/api/state', { host })).status, 403, host);
      assert.equal((await get('/', { host })).status, 403, host);
    }
    for (const host of ['localhost', 'localhost:8080', '127.0.0.1:1', '[::1]:8080', 'LOCALHOST'])
      assert.equal((await get('/api/state', { host })).status, 200, host);
  });

  test('another page may not ask', async () => {
    const host = server.url.host;
    for (const origin of ['http://evil.example', 'null', `http://${host}.evil.example`, 'http://localhost:1'])
      assert.equal((await get('/api/state', { host, origin })).status, 403, origin);
    assert.equal((await get('/api/state', { host, origin: `http://${host}` })).status, 200);
  });

  test('beyond this machine only with a token', async () => {
    const { dashboard } = server;
    const page = { html: { type: 'text/html', gzip: new Uint8Array() } } as never;
    assert.throws(() => new WebServer(dashboard, page, { address: '0.0.0.0' }), /token/);
    assert.throws(() => new WebServer(dashboard, page, { address: '::' }), /token/);
  });

  test('silent connections of one address leave room for others', async () => {
    const { port } = server.url;
    const idle = Array.from({ length: 300 }, () => connect(Number(port), '127.0.0.1').on('error', () => {}));
    await Promise.all(idle.map((socket) => once(socket, 'connect')));
    const asked = request({ port, host: '127.0.0.1', localAddress: '127.0.0.2', path: '/api/state' }).end();
    const [response] = await once(asked, 'response');
    assert.equal(response.statusCode, 200);
    response.destroy();
    for (const socket of idle) socket.destroy();
  });

  test('with a certificate it accepts TLS only', async (t) => {
    const { cert, key } = selfSigned('dashboard');
    const folder = mkdtempSync(join(tmpdir(), 'decant-tls-'));
    t.after(() => rmSync(folder, { recursive: true }));
    const tls = { cert: join(folder, 'tls.crt'), key: join(folder, 'tls.key') };
    writeFileSync(tls.cert, cert);
    writeFileSync(tls.key, key);
    const guarded = await startServer(fileSource(TWO), { address: '0.0.0.0', token: 'a-token-of-some-length', tls });
    t.after(() => guarded.close());
    assert.equal(guarded.url.protocol, 'https:');
    const { port } = guarded.url;
    const to = { host: '127.0.0.1', port, path: '/api/state', ca: cert, agent: false };
    const headers = { authorization: 'Bearer a-token-of-some-length', origin: `https://127.0.0.1:${port}` };
    const [answer] = await once(getWithTls({ ...to, headers }), 'response');
    assert.equal(answer.statusCode, 200);
    answer.resume();
    const [without] = await once(getWithTls(to), 'response');
    assert.equal(without.statusCode, 401);
    without.resume();
    await assert.rejects(send(new URL(`http://127.0.0.1:${port}`), '/api/state'));
    const busy = connectWithTls({ host: '127.0.0.1', port: Number(port), ca: cert }).on('error', () => {});
    let told = '';
    busy.on('data', (part) => (told += part));
    busy.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(20_000));
    await new Promise((resolve) => busy.once('close', resolve));
    assert.ok(told.split('HTTP/1.1 ').length <= 2, 'a client that does not await responses is cut off');
  });

  test('with a token, data is for those who have it, and the page for those who are to type it', async () => {
    const token = 'a-token-of-some-length';
    const guarded = await startServer(fileSource(TWO), { address: '0.0.0.0', token });
    try {
      const ask = (path: string, headers: Record<string, string> = {}) => send(guarded.url, path, { headers });
      const wrong: Record<string, string>[] = [
        {},
        { authorization: 'Bearer wrong' },
        { authorization: token },
        { authorization: `Basic ${token}` },
      ];
      for (const headers of wrong) {
        for (const path of ['/api/state', '/api/events', '/api/cluster', '/api/nodes/node-a', '/api/nothing']) {
          const reply = await ask(path, headers);
          assert.deepEqual([reply.status, reply.headers['www-authenticate']], [401, 'Bearer'], path);
        }
      }
      const headers = { authorization: `Bearer ${token}`, host: 'cluster.example' };
      assert.equal((await ask('/api/state', headers)).status, 200);
      assert.equal((await ask('/api/state', { authorization: `bearer ${token}` })).status, 200);
      assert.equal((await ask('/', { host: 'cluster.example' })).status, 200);
      assert.equal((await ask(`/api/state?token=${token}`)).status, 401);
    } finally {
      await guarded.close();
    }
  });
});
