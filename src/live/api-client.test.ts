import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { writeKubeconfig } from '../../test/build/listed-cluster.ts';
import { ScriptedServer, sendJson, sendStatus } from '../../test/build/scripted-server.ts';
import { ApiError, type ApiRequest, connect } from './api-client.ts';
import { HttpClient } from './http-client.ts';

const PODS: ApiRequest = { method: 'GET', path: '/api/v1/pods' };

async function failing(work: Promise<unknown>): Promise<ApiError> {
  const error = await work.then(
    () => assert.fail('should have failed'),
    (e: unknown) => e,
  );
  assert.ok(error instanceof ApiError, String(error));
  return error;
}

test('a request and its answer', async () => {
  await using server = await ScriptedServer.start((_, response) => sendJson(response, { kind: 'Node' }));
  const answer = await server.client.request({
    method: 'PATCH',
    path: '/api/v1/nodes/n',
    query: { fieldManager: 'decant', dryRun: 'All' },
    body: [{ op: 'test' }],
    contentType: 'application/json-patch+json',
  });
  assert.deepEqual(answer, { kind: 'Node' });
  const [{ method, path, query, headers, body }] = server.asked;
  assert.deepEqual([method, path, query.toString()], ['PATCH', '/api/v1/nodes/n', 'fieldManager=decant&dryRun=All']);
  assert.deepEqual(body, [{ op: 'test' }]);
  assert.equal(headers['content-type'], 'application/json-patch+json');
  assert.match(headers['user-agent'] ?? '', /^decant\/\d+\.\d+\.\d+/);
});

test('the time is the server’s, by whatever it answers', async () => {
  const AHEAD_MS = 600_000;
  await using server = await ScriptedServer.start((_, response) => {
    response.setHeader('Date', new Date(Date.now() + AHEAD_MS).toUTCString());
    sendStatus(response, 404, 'NotFound', 'nothing here');
  });
  const { client } = server;
  const aheadMs = () => client.nowMs!() - Date.now();
  assert.ok(Math.abs(aheadMs()) < 100, 'there was no answer yet');
  await failing(client.request(PODS));
  assert.ok(Math.abs(aheadMs() - AHEAD_MS) < 60_000, `${aheadMs()} ms ahead`);
});

describe('what goes wrong is an ApiError that says what', () => {
  test('the API server says no', async () => {
    await using server = await ScriptedServer.start((_, response) =>
      sendStatus(response, 403, 'Forbidden', 'pods is forbidden:\n User "x" cannot list'),
    );
    const error = await failing(server.client.request(PODS));
    assert.deepEqual([error.status, error.reason, error.retryAfterMs], [403, 'Forbidden', undefined]);
    assert.equal(error.message, 'GET /api/v1/pods: 403 Forbidden: pods is forbidden: User "x" cannot list');
  });

  test('something before it says no, in its own way', async () => {
    await using server = await ScriptedServer.start((_, response) =>
      response.writeHead(502).end(`<html>${'x'.repeat(100_000)}`),
    );
    const error = await failing(server.client.request(PODS));
    assert.deepEqual([error.status, error.reason], [502, 'Bad Gateway']);
    assert.ok(error.message.length < 600);
  });

  test('later', async () => {
    await using server = await ScriptedServer.start((_, response) =>
      response.writeHead(429, { 'Retry-After': '7' }).end(),
    );
    assert.equal((await failing(server.client.request(PODS))).retryAfterMs, 7000);
    server.answer = (_, response) => sendJson(response, { reason: 'Timeout', details: { retryAfterSeconds: 2 } }, 504);
    assert.equal((await failing(server.client.stream(PODS))).retryAfterMs, 2000);
  });

  test('garbage with a good status', async () => {
    await using server = await ScriptedServer.start((_, response) => response.end('<html>login</html>'));
    const error = await failing(server.client.request(PODS));
    assert.equal(error.reason, 'BadAnswer');
    assert.match(error.message, /not JSON: "<html>login/);
  });

  test('a page that wants people to log in, and a way to one', async () => {
    const page = '<!DOCTYPE html><html><head><title>Sign in</title></head><body></body></html>';
    await using server = await ScriptedServer.start((_, response) =>
      response.writeHead(200, { 'Content-Type': 'text/html; charset=utf-8' }).end(page),
    );
    for (const asked of [server.client.request(PODS), server.client.stream(PODS)]) {
      const { reason, message } = await failing(asked);
      assert.equal(reason, 'BadAnswer');
      assert.equal(
        message,
        `${server.url}: GET /api/v1/pods: the response is a web page, not one of an API server: "Sign in"`,
      );
    }
    server.answer = (_, response) => response.writeHead(302, { Location: 'https://login.example/' }).end();
    const { message } = await failing(server.client.request(PODS));
    assert.equal(message, 'GET /api/v1/pods: 302 Found: redirects to https://login.example/');
  });

  test('no server', async () => {
    const server = await ScriptedServer.start(() => {});
    const { client, url } = server;
    await server[Symbol.asyncDispose]();
    const error = await failing(client.request(PODS));
    assert.deepEqual([error.status, error.reason], [0, 'Unreachable']);
    assert.equal(error.message, `${url}: GET /api/v1/pods: connection refused`);
  });

  test('no answer, and an answer that stops', async () => {
    await using server = await ScriptedServer.start(() => {});
    assert.equal((await failing(server.client.request({ ...PODS, idleMs: 20 }))).reason, 'Timeout');
    server.answer = (_, response) => response.write('{"kind":');
    assert.equal((await failing(server.client.request({ ...PODS, idleMs: 20 }))).reason, 'Timeout');
  });

  test('an answer that is cut', async () => {
    await using server = await ScriptedServer.start((_, response) => {
      response.writeHead(200, { 'Content-Length': '1000' }).write('{"kind":');
      setImmediate(() => response.destroy());
    });
    assert.equal((await failing(server.client.request(PODS))).reason, 'Unreachable');
  });
});

test('an aborted request rejects with the reason of the caller', async () => {
  await using server = await ScriptedServer.start(() => {});
  const reason = new Error('enough');
  const abort = new AbortController();
  server.answer = () => abort.abort(reason);
  await assert.rejects(server.client.request({ ...PODS, signal: abort.signal }), reason);
});

describe('a stream', () => {
  test('comes in pieces, as they are sent', async () => {
    const { promise: sent, resolve } = Promise.withResolvers<ServerResponse>();
    await using server = await ScriptedServer.start((_, response) => {
      response.write('one');
      resolve(response);
    });
    const seen: string[] = [];
    for await (const piece of await server.client.stream(PODS)) {
      seen.push(Buffer.from(piece).toString());
      // The second is only sent once the first is here.
      if (seen.length === 1) (await sent).end('two');
    }
    assert.deepEqual(seen, ['one', 'two']);
  });

  test('that breaks off throws after what came', async () => {
    await using server = await ScriptedServer.start((_, response) => response.write('one'));
    const seen: string[] = [];
    const reading = async () => {
      for await (const piece of await server.client.stream(PODS)) {
        seen.push(Buffer.from(piece).toString());
        server.cutConnections();
      }
    };
    assert.equal((await failing(reading())).reason, 'Unreachable');
    assert.deepEqual(seen, ['one']);
  });

  test('that is no longer read ends the request', async () => {
    const { promise: closed, resolve } = Promise.withResolvers<void>();
    await using server = await ScriptedServer.start((_, response) => {
      response.on('close', resolve).write('one');
    });
    for await (const _ of await server.client.stream(PODS)) break;
    await closed;
  });
});

test('a kept connection that died meanwhile is no error for a question', async () => {
  await using server = await ScriptedServer.start((_, response) => sendJson(response, {}));
  const { client } = server;
  await client.request(PODS);
  let died = false;
  server.answer = (_, response) => {
    if (died) sendJson(response, { again: true });
    else response.destroy();
    died = true;
  };
  assert.deepEqual(await client.request(PODS), { again: true });
  died = false;
  assert.equal((await failing(client.request({ ...PODS, method: 'POST', body: {} }))).status, 0);
});

test('a proxy of the environment is used, except for this machine', async (t) => {
  await using proxy = await ScriptedServer.start((_, response) => sendJson(response, { through: 'the proxy' }));
  t.after(() => {
    delete process.env.http_proxy;
  });
  process.env.http_proxy = proxy.url;
  const far = new HttpClient({ server: new URL('http://api.far.invalid:6443'), credentials: async () => ({}) });
  assert.deepEqual(await far.request(PODS), { through: 'the proxy' });
  await using near = await ScriptedServer.start((_, response) => sendJson(response, { through: 'nothing' }));
  assert.deepEqual(await near.client.request(PODS), { through: 'nothing' });
});

describe('kubeconfig', () => {
  const write = async (server: string) => {
    const folder = await mkdtemp(join(tmpdir(), 'decant-'));
    const file = await writeKubeconfig(join(folder, 'config'), server);
    return { file, [Symbol.asyncDispose]: () => rm(folder, { recursive: true }) };
  };

  test('says where and who; a server may have a path', async () => {
    await using server = await ScriptedServer.start((_, response) => sendJson(response, {}));
    await using config = await write(`${server.url}/k8s/clusters/1/`);
    const client = await connect({ kubeconfig: config.file, context: 'here' });
    await client.request(PODS);
    const [{ path, headers }] = server.asked;
    assert.deepEqual([path, headers.authorization], ['/k8s/clusters/1/api/v1/pods', 'Bearer secret']);
  });

  test('with a plugin that has the token, and one that has none', async () => {
    await using server = await ScriptedServer.start((_, response) => sendJson(response, {}));
    await using config = await write(server.url);
    const withPlugin = async (script: string) => {
      const given = JSON.parse(await readFile(config.file, 'utf8'));
      given.users = [{ name: 'u', user: { exec: { command: process.execPath, args: ['-e', script] } } }];
      await writeFile(config.file, JSON.stringify(given));
      return connect({ kubeconfig: config.file });
    };
    const apiVersion = 'client.authentication.k8s.io/v1beta1';
    const credential = JSON.stringify({ apiVersion, kind: 'ExecCredential', status: { token: 'from-the-plugin' } });
    const client = await withPlugin(`process.stdout.write(${JSON.stringify(credential)})`);
    await client.request(PODS);
    assert.equal(server.asked[0].headers.authorization, 'Bearer from-the-plugin');
    const broken = await withPlugin('process.stderr.write("no session\\nlog in first"); process.exit(1)');
    const error = await failing(broken.request(PODS));
    assert.equal(error.reason, 'BadConfig');
    assert.match(error.message, /^no credentials: exec plugin .*: no session$/);
  });

  test('that is no good is named', async () => {
    await using config = await write('https://127.0.0.1:1');
    const unknown = await failing(connect({ kubeconfig: config.file, context: 'elsewhere' }));
    assert.equal(unknown.message, `${config.file}: no context elsewhere with a cluster; it has here`);
    const absent = await failing(connect({ kubeconfig: `${config.file}.absent` }));
    assert.equal(absent.message, `${config.file}.absent: no such file or folder`);
    await writeFile(config.file, '{{{');
    assert.equal((await failing(connect({ kubeconfig: config.file }))).reason, 'BadConfig');
    await writeFile(config.file, 'just a text');
    assert.equal((await failing(connect({ kubeconfig: config.file }))).reason, 'BadConfig');
  });
});
