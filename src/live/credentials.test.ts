import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { Credentials } from './credentials.ts';
import type { KubeUser } from './kubeconfig.ts';

const folder = mkdtempSync(join(tmpdir(), 'decant-credentials-'));
after(() => rmSync(folder, { recursive: true }));

const MINUTE = 60_000;
const BASE64 = (text: string) => Buffer.from(text).toString('base64');

async function authorization(user: KubeUser, now?: () => number): Promise<unknown> {
  const { headers } = await new Credentials({}, user, now).current();
  return (headers as Record<string, unknown>).Authorization;
}

describe('who we are', () => {
  test('by a token, a file of one, or a name and password, in that order of strength', async () => {
    const tokenFile = join(folder, 'token');
    writeFileSync(tokenFile, 'of-the-file\n');
    assert.equal(await authorization({ token: 'abc' }), 'Bearer abc');
    assert.equal(await authorization({ token: 'abc', tokenFile }), 'Bearer of-the-file');
    assert.equal(await authorization({ username: 'u', password: 'p' }), `Basic ${BASE64('u:p')}`);
    assert.equal(await authorization({}), undefined);
  });

  test('a token file is read again after a minute', async () => {
    const tokenFile = join(folder, 'renewed');
    let nowMs = 0;
    const credentials = new Credentials({}, { tokenFile }, () => nowMs);
    const header = async () => ((await credentials.current()).headers as Record<string, string>).Authorization;
    writeFileSync(tokenFile, 'one');
    assert.equal(await header(), 'Bearer one');
    writeFileSync(tokenFile, 'two');
    assert.equal(await header(), 'Bearer one');
    nowMs += MINUTE;
    assert.equal(await header(), 'Bearer two');
  });

  test('certificates as data or as files, which are read each time', async () => {
    const cert = join(folder, 'cert.pem');
    writeFileSync(cert, 'CERT 1');
    const user = { 'client-certificate': cert, 'client-key-data': BASE64('KEY') };
    const cluster = { 'certificate-authority-data': BASE64('CA'), 'tls-server-name': 'api.internal' };
    const credentials = new Credentials(cluster, user);
    const seen = async () => {
      const options = await credentials.current();
      return [options.ca, options.cert, options.key, options.servername, options.rejectUnauthorized].map(String);
    };
    assert.deepEqual(await seen(), ['CA', 'CERT 1', 'KEY', 'api.internal', 'undefined']);
    writeFileSync(cert, 'CERT 2');
    assert.equal((await seen())[1], 'CERT 2');
    const insecure = new Credentials({ 'insecure-skip-tls-verify': true }, {});
    assert.equal((await insecure.current()).rejectUnauthorized, false);
  });

  test('on behalf of another user', async () => {
    const user: KubeUser = { as: 'jane', 'as-groups': ['a', 'b'], 'as-user-extra': { 'example.com/x': ['1'] } };
    assert.deepEqual((await new Credentials({}, user).current()).headers, {
      'Impersonate-User': 'jane',
      'Impersonate-Group': ['a', 'b'],
      'Impersonate-Extra-example.com%2Fx': ['1'],
    });
  });

  test('by a provider that Kubernetes no longer has, is refused with what to use', () => {
    assert.throws(() => new Credentials({}, { 'auth-provider': { name: 'gcp' } }), /gcp was removed.*exec plugin/);
  });
});

describe('a plugin', () => {
  const counter = join(folder, 'runs');
  const runs = () => readFileSync(counter, 'utf8').length;
  const plugin = (status: object, more: Partial<NonNullable<KubeUser['exec']>> = {}): KubeUser => {
    writeFileSync(counter, '');
    const apiVersion = 'client.authentication.k8s.io/v1';
    const answer = JSON.stringify({ apiVersion, kind: 'ExecCredential', status });
    const script = `require('fs').appendFileSync(process.env.COUNTER, 'x'); process.stdout.write(process.env.ANSWER)`;
    const env = [
      { name: 'COUNTER', value: counter },
      { name: 'ANSWER', value: answer },
    ];
    return { exec: { apiVersion, command: process.execPath, args: ['-e', script], env, ...more } };
  };

  test('runs once for all requests, and again when its token expires', async () => {
    let nowMs = Date.parse('2026-11-17T12:00:00Z');
    const user = plugin({ token: 't', expirationTimestamp: '2026-11-17T12:15:00Z' });
    const credentials = new Credentials({}, user, () => nowMs);
    await Promise.all([credentials.current(), credentials.current(), credentials.current()]);
    assert.equal(runs(), 1);
    nowMs += 14 * MINUTE;
    await credentials.current();
    assert.equal(runs(), 1);
    nowMs += MINUTE;
    await credentials.current();
    assert.equal(runs(), 2);
  });

  test('may answer a certificate', async () => {
    const user = plugin({ clientCertificateData: 'CERT', clientKeyData: 'KEY' });
    const { cert, key } = await new Credentials({}, user).current();
    assert.deepEqual([cert, key], ['CERT', 'KEY']);
  });

  test('gets cluster information if it asks for it', async () => {
    const script = `const { spec, apiVersion } = JSON.parse(process.env.KUBERNETES_EXEC_INFO);
      process.stdout.write(JSON.stringify({ apiVersion, status: { token: spec.cluster.server } }))`;
    const user = plugin({}, { args: ['-e', script], provideClusterInfo: true });
    const { headers } = await new Credentials({ server: 'https://x' }, user).current();
    assert.equal((headers as Record<string, string>).Authorization, 'Bearer https://x');
  });

  test('that is absent, fails, or answers something else is named', async () => {
    const failing = (user: KubeUser) => assert.rejects(new Credentials({}, user).current());
    const missing = plugin({}, { command: 'no-such-plugin', installHint: 'Install it from the shop.' });
    await assert.rejects(new Credentials({}, missing).current(), /no-such-plugin: not found\. Install it/);
    await failing(plugin({}, { args: ['-e', 'process.exit(3)'] }));
    await assert.rejects(new Credentials({}, plugin({})).current(), /neither a token nor a certificate/);
    await assert.rejects(
      new Credentials({}, plugin({ token: 't' }, { apiVersion: 'client.authentication.k8s.io/v1alpha1' })).current(),
      /v1alpha1 is not supported/,
    );
  });

  test('that failed runs again', async () => {
    const mark = join(folder, 'mark');
    const script = `const fs = require('fs'); if (!fs.existsSync(${JSON.stringify(mark)})) { fs.writeFileSync(${JSON.stringify(mark)}, ''); process.exit(1); }
      process.stdout.write(process.env.ANSWER)`;
    const credentials = new Credentials({}, plugin({ token: 'late' }, { args: ['-e', script] }));
    await assert.rejects(credentials.current());
    assert.equal(((await credentials.current()).headers as Record<string, string>).Authorization, 'Bearer late');
  });
});

test('an OIDC token is used while it is valid, then renewed at the issuer', async (t) => {
  const jwt = (expMs: number) => `h.${Buffer.from(JSON.stringify({ exp: expMs / 1000 })).toString('base64url')}.s`;
  let nowMs = Date.parse('2026-11-17T12:00:00Z');
  const fresh = jwt(nowMs + 120 * MINUTE);
  const asked: string[] = [];
  const issuer = createServer((request, response) => {
    let form = '';
    request.setEncoding('utf8').on('data', (text: string) => (form += text));
    request.on('end', () => {
      asked.push(`${request.url} ${new URLSearchParams(form).get('refresh_token') ?? ''}`.trim());
      const isToken = request.url === '/token';
      response.end(
        JSON.stringify(isToken ? { id_token: fresh, refresh_token: 'r2' } : { token_endpoint: `${url}/token` }),
      );
    });
  });
  await once(issuer.listen(0, '127.0.0.1'), 'listening');
  const url = `http://127.0.0.1:${(issuer.address() as AddressInfo).port}`;
  t.after(() => issuer.close());
  const config = {
    'idp-issuer-url': url,
    'client-id': 'kubernetes',
    'id-token': jwt(nowMs + 30 * MINUTE),
    'refresh-token': 'r1',
  };
  const user: KubeUser = { 'auth-provider': { name: 'oidc', config } };
  const credentials = new Credentials({}, user, () => nowMs);
  const token = async () => ((await credentials.current()).headers as Record<string, string>).Authorization;
  assert.equal(await token(), `Bearer ${config['id-token']}`);
  assert.deepEqual(asked, []);
  nowMs += 30 * MINUTE;
  assert.equal(await token(), `Bearer ${fresh}`);
  assert.equal(await token(), `Bearer ${fresh}`);
  assert.deepEqual(asked, ['/.well-known/openid-configuration', '/token r1']);
  const expired = { name: 'oidc', config: { 'id-token': jwt(0) } };
  await assert.rejects(new Credentials({}, { 'auth-provider': expired }).current(), /expired.*log in again/);
});
