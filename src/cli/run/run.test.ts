import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { get } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, type TestContext, test } from 'node:test';
import { selfSigned } from '../../../test/build/certificate.ts';
import { decant } from '../../../test/build/decant.ts';
import { listedCluster, writeKubeconfig } from '../../../test/build/listed-cluster.ts';
import { type Asked, type ScriptedServer, sendJson, sendStatus } from '../../../test/build/scripted-server.ts';
import { WatchStream } from '../../../test/build/watch-stream.ts';
import type { StateAnswer } from '../../web/api.ts';
import type { SettingsAnswer } from '../../web/settings-api.ts';

const EXAMPLE = join(import.meta.dirname, '../../../examples/two-nodes.json');
const MAIN = join(import.meta.dirname, '../main.ts');

let folder: string;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'decant-'));
});
after(() => rm(folder, { recursive: true }));

interface Sketch {
  /** Permissions that are denied, as verb and resource. */
  readonly forbidden?: readonly string[];
  readonly policies?: readonly object[];
}

/** The example as a cluster that can be watched, with rights, a Lease and a place for events. */
async function exampleCluster({ forbidden = [], policies = [] }: Sketch = {}): Promise<ScriptedServer> {
  const { objects } = JSON.parse(await readFile(EXAMPLE, 'utf8'));
  const server = await listedCluster([...objects, ...policies]);
  const { answer: list } = server;
  let lease: object | undefined;
  let version = 0;
  server.answer = (asked: Asked, response) => {
    const { method, path, query, body } = asked;
    if (path.endsWith('/selfsubjectaccessreviews')) {
      const { verb, resource } = (body as { spec: { resourceAttributes: Record<string, string> } }).spec
        .resourceAttributes;
      return sendJson(response, { status: { allowed: !forbidden.includes(`${verb} ${resource}`) } }, 201);
    }
    if (path.includes('/leases')) {
      if (method !== 'GET') lease = { ...(body as object), metadata: { resourceVersion: `${++version}` } };
      return lease === undefined ? sendStatus(response, 404, 'NotFound') : sendJson(response, lease);
    }
    if (query.has('watch')) return new WatchStream(response);
    if (method !== 'GET' || path.includes('/consolidationpolicies/')) return sendJson(response, {});
    return list(asked, response);
  };
  return server;
}

const CATALOG = ['--catalog', EXAMPLE];
/** Ports of this machine are not ours to choose. */
const ANY_PORT = ['--metrics-port', '0'];

async function run(server: ScriptedServer, ...args: readonly string[]) {
  const kubeconfig = await writeKubeconfig(join(folder, 'config'), server.url);
  const port = args.includes('--once') ? [] : ANY_PORT;
  return decant(['run', '--kubeconfig', kubeconfig, ...CATALOG, ...port, ...args]);
}

const written = (server: ScriptedServer) =>
  server.asked.filter(({ method, path }) => method !== 'GET' && !path.includes('selfsubjectaccessreviews'));

describe('decant run --once', () => {
  test('prints what would be done, and writes nothing', async () => {
    await using server = await exampleCluster();
    const { code, stdout, stderr } = await run(server, '--once');
    assert.deepEqual([code, stderr], [0, '']);
    assert.match(stdout, /^2 nodes: \$\d+\.\d+\/h now, /);
    assert.match(stdout, /^NodePool \S+: (managed|not managed) by Decant/m);
    assert.deepEqual(written(server), []);
  });

  test('-o json has every node and why it stays', async () => {
    await using server = await exampleCluster();
    const { code, stdout } = await run(server, '--once', '-o', 'json');
    assert.equal(code, 0);
    const { kind, nodes, nodePools, proposals } = JSON.parse(stdout);
    assert.equal(kind, 'Pass');
    assert.equal(nodes.length, 2);
    assert.ok(Array.isArray(proposals) && nodePools.length > 0);
    for (const { refusals } of nodes) for (const { code: name, message } of refusals) assert.ok(name && message);
  });

  test('acts in no case', async () => {
    const { code, stderr } = await decant(['run', '--once', '--mode', 'act']);
    assert.equal(code, 2);
    assert.match(stderr, /--once.* cannot be used with .*--mode/);
  });
});

describe('decant run does not begin', () => {
  test('without the rights that it needs, and names them all', async () => {
    await using server = await exampleCluster({ forbidden: ['watch pods', 'list pods', 'delete nodeclaims'] });
    const { code, stderr } = await run(server, '--mode', 'act');
    assert.equal(code, 2);
    assert.equal(
      stderr,
      'decant: the API server does not allow Decant to list, watch pods; delete nodeclaims.karpenter.sh\n',
    );
    assert.deepEqual(written(server), []);
  });

  test('without an API server', async () => {
    const server = await exampleCluster();
    const kubeconfig = await writeKubeconfig(join(folder, 'gone'), server.url);
    await server[Symbol.asyncDispose]();
    const { code, stderr } = await decant(['run', '--kubeconfig', kubeconfig, ...CATALOG, ...ANY_PORT]);
    assert.equal(code, 3);
    assert.match(stderr, /^decant: http:\/\/127\.0\.0\.1:\d+: [^\n]+\n$/);
  });

  test('with an address that cannot be had', async () => {
    await using server = await exampleCluster();
    const port = new URL(server.url).port;
    const { code, stderr } = await run(server, '--metrics-port', port);
    assert.equal(code, 2);
    assert.match(stderr, /^decant: --metrics-port \d+: is in use by another program; 0 picks a free port\n$/);
  });

  const refused: readonly (readonly [args: readonly string[], message: RegExp])[] = [
    [['--catalog', '/nowhere.json'], /nowhere\.json/],
    [['--scaledown-utilization-threshold', '2'], /"2": allowed: a number from 0 to 1/],
    [['--validation-delay', 'soon'], /allowed: a duration/],
    [['--metrics-port', '70000'], /allowed: a whole number from 0 to 65535/],
    [['--leader-elect', 'maybe'], /allowed: true or false/],
    [['--mode', 'destroy'], /allowed: observe, act/],
    [['--dashboard-port', '70000'], /allowed: a whole number from 0 to 65535/],
    [['--dashboard-auth', 'everybody'], /allowed: token, kubernetes/],
  ];
  for (const [args, message] of refused) {
    test(`with ${args.join(' ')}`, async () => {
      const { code, stderr } = await decant(['run', ...args]);
      assert.equal(code, 2);
      assert.match(stderr, message);
    });
  }

  test('with a bad value in the environment', async () => {
    const { code, stderr } = await decant(['run'], '', { DECANT_LOG_LEVEL: 'loud' });
    assert.equal(code, 2);
    assert.match(stderr, /environment: DECANT_LOG_LEVEL: "loud": allowed: /);
  });
});

test('it observes until it is stopped: events, status, metrics, the Lease acquired and released', async (t) => {
  const policy = {
    apiVersion: 'decant.sh/v1alpha1',
    kind: 'ConsolidationPolicy',
    metadata: { name: 'all', generation: 4 },
    spec: { nodePoolSelector: {}, consolidateAfter: '0s' },
  };
  await using server = await exampleCluster({ policies: [policy] });
  const kubeconfig = await writeKubeconfig(join(folder, 'running'), server.url);
  const args = [
    'run',
    '--kubeconfig',
    kubeconfig,
    ...CATALOG,
    ...ANY_PORT,
    '--metrics-port',
    '0',
    '--leader-elect-namespace',
    'ops',
  ];
  const child = spawn(process.execPath, [MAIN, ...args], { stdio: ['ignore', 'ignore', 'pipe'] });
  t.after(() => child.kill('SIGKILL'));
  let log = '';
  child.stderr.setEncoding('utf8').on('data', (text) => (log += text));
  const status = () => server.asked.find(({ path }) => path.endsWith('/consolidationpolicies/all/status'));
  while (status() === undefined && child.exitCode === null) await new Promise((resolve) => setTimeout(resolve, 50));
  const { metrics } = JSON.parse(log.split('\n').find((line) => line.includes('"running"')) ?? '{}');
  const text = await (await fetch(metrics)).text();
  assert.match(text, /^decant_leader 1$/m);
  assert.match(text, /^decant_synced 1$/m);
  assert.match(text, /^decant_ticks_total\{result="pass"\} 1$/m);
  assert.equal((await fetch(new URL('/readyz', metrics))).status, 200);
  child.kill('SIGTERM');
  assert.deepEqual(await once(child, 'exit'), [0, null]);
  assert.equal((status()!.body as { status: { observedGeneration: number } }).status.observedGeneration, 4);
  const kinds = new Set(written(server).map(({ method, path }) => `${method} ${path}`));
  const leases = '/apis/coordination.k8s.io/v1/namespaces/ops/leases';
  assert.ok(kinds.has(`POST ${leases}`) && kinds.has(`PUT ${leases}/decant`));
  const last = written(server)
    .filter(({ path }) => path.includes('/leases'))
    .at(-1);
  assert.equal((last!.body as { spec: { holderIdentity: string } }).spec.holderIdentity, '');
  for (const kind of kinds) assert.match(kind, /leases|events|consolidationpolicies\/all\/status/);
  for (const line of log.trimEnd().split('\n')) assert.ok(JSON.parse(line).message);
});

test('a catalog that can no longer be read is reported, and no command begins with it', async (t) => {
  await using server = await exampleCluster();
  const catalog = join(folder, 'catalog.json');
  await writeFile(catalog, await readFile(EXAMPLE));
  const kubeconfig = await writeKubeconfig(join(folder, 'catalog-config'), server.url);
  const args = [
    'run',
    '--kubeconfig',
    kubeconfig,
    '--catalog',
    catalog,
    '--catalog-refresh',
    '1s',
    '--metrics-port',
    '0',
  ];
  const child = spawn(process.execPath, [MAIN, ...args], { stdio: ['ignore', 'ignore', 'pipe'] });
  t.after(() => child.kill('SIGKILL'));
  let log = '';
  child.stderr.setEncoding('utf8').on('data', (text) => (log += text));
  const said = async (words: string) => {
    while (!log.includes(words) && child.exitCode === null) await new Promise((resolve) => setTimeout(resolve, 50));
    assert.ok(log.includes(words), log);
  };
  await said('"running"');
  await writeFile(catalog, '{');
  await said('catalog not readable: keeping the last one, starting no new commands');
  await writeFile(catalog, await readFile(EXAMPLE));
  await said('catalog readable again');
  child.kill('SIGTERM');
  assert.deepEqual(await once(child, 'exit'), [0, null]);
});

/** Starts a controller with a dashboard on a port that is free. */
async function dashboardOf(t: TestContext, args: readonly string[]) {
  const all = [MAIN, 'run', '--dashboard-port', '0', ...args];
  const child = spawn(process.execPath, all, { stdio: ['ignore', 'ignore', 'pipe'] });
  t.after(() => child.kill('SIGKILL'));
  let log = '';
  child.stderr.setEncoding('utf8').on('data', (text) => (log += text));
  const shown = () => log.split('\n').find((line) => line.includes('serving the dashboard'));
  while (shown() === undefined && child.exitCode === null) await new Promise((resolve) => setTimeout(resolve, 50));
  const { url } = JSON.parse(shown() ?? '{}') as { readonly url: string };
  return { child, url };
}

describe('the dashboard of decant run', () => {
  test('shows the cluster that is followed, who governs each pool, and what the controller is doing', async (t) => {
    await using server = await exampleCluster();
    const kubeconfig = await writeKubeconfig(join(folder, 'watched'), server.url);
    const { child, url } = await dashboardOf(t, ['--kubeconfig', kubeconfig, ...CATALOG, ...ANY_PORT]);
    const ask = async <T>(path: string) => (await (await fetch(new URL(path, url))).json()) as T;
    let state = await ask<StateAnswer>('/api/state');
    while (state.totals.planned === undefined) {
      await new Promise((resolve) => setTimeout(resolve, 50));
      state = await ask<StateAnswer>('/api/state');
    }
    assert.deepEqual([state.source.kind, state.mode, state.totals.nodes], ['live', 'observe', 2]);
    const settings = await ask<SettingsAnswer>('/api/settings');
    assert.equal(settings.pools.length, 1);
    assert.ok(settings.health.some(({ name }) => name === 'interlock'));
    child.kill('SIGTERM');
    assert.deepEqual(await once(child, 'exit'), [0, null]);
    await assert.rejects(fetch(url));
  });

  test('is for users who may list pods, with --dashboard-auth kubernetes', async (t) => {
    await using server = await exampleCluster();
    const { answer: others } = server;
    server.answer = (asked, response) => {
      const { token, user } = (asked.body as { spec?: { token?: string; user?: string } } | undefined)?.spec ?? {};
      if (asked.path.endsWith('/tokenreviews'))
        return sendJson(response, { status: { authenticated: token !== 'stolen', user: { username: token } } }, 201);
      if (asked.path.endsWith('/subjectaccessreviews'))
        return sendJson(response, { status: { allowed: user === 'ann' } }, 201);
      return others(asked, response);
    };
    const kubeconfig = await writeKubeconfig(join(folder, 'reviewed'), server.url);
    const { cert, key } = selfSigned('dashboard');
    const [certFile, keyFile] = [join(folder, 'tls.crt'), join(folder, 'tls.key')];
    await writeFile(certFile, cert);
    await writeFile(keyFile, key);
    const tls = ['--dashboard-tls-cert-file', certFile, '--dashboard-tls-key-file', keyFile];
    const beyond = ['--dashboard-bind-address', '0.0.0.0', '--dashboard-auth', 'kubernetes', ...tls];
    const { url } = await dashboardOf(t, ['--kubeconfig', kubeconfig, ...CATALOG, ...ANY_PORT, ...beyond]);
    const status = async (token?: string) => {
      const headers = token === undefined ? {} : { Authorization: `Bearer ${token}` };
      const address = new URL('/api/settings', url.replace('0.0.0.0', '127.0.0.1'));
      const [answer] = await once(get(address, { headers, ca: cert, agent: false }), 'response');
      answer.resume();
      return answer.statusCode;
    };
    assert.deepEqual(
      [await status('ann'), await status('bob'), await status('stolen'), await status()],
      [200, 403, 401, 401],
    );
  });

  const REFUSED: readonly (readonly [args: readonly string[], message: string])[] = [
    [
      ['--dashboard-bind-address', '0.0.0.0'],
      '--dashboard-bind-address 0.0.0.0: also needs --dashboard-token-file, or --dashboard-auth kubernetes',
    ],
    [
      ['--dashboard-bind-address', '0.0.0.0', '--dashboard-auth', 'kubernetes'],
      '--dashboard-bind-address 0.0.0.0: also needs --dashboard-tls-cert-file and --dashboard-tls-key-file, or --dashboard-plain-http behind a proxy that encrypts',
    ],
    [['--dashboard-token-file', '/nowhere'], '--dashboard-token-file /nowhere: no such file or folder'],
    [
      ['--dashboard-auth', 'kubernetes', '--dashboard-token-file', '/nowhere'],
      '--dashboard-auth kubernetes needs no --dashboard-token-file: give one or the other',
    ],
    [
      ['--dashboard-port', '18080', '--metrics-port', '18080'],
      '--dashboard-port 18080: is also the port of --metrics-port 18080',
    ],
  ];
  for (const [args, message] of REFUSED)
    test(`refuses ${args.join(' ')} before it asks the cluster for anything`, async () => {
      const all = ['run', '--kubeconfig', '/nowhere', ...CATALOG, ...ANY_PORT, '--dashboard-port', '0', ...args];
      assert.deepEqual(await decant(all), { code: 2, stdout: '', stderr: `decant: ${message}\n` });
    });
});
