import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { get } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { connect, type TLSSocket } from 'node:tls';
import { selfSigned } from '../../test/build/certificate.ts';
import { createTlsServer } from './tls-files.ts';

/** A folder as the kubelet mounts a Secret: files are links into ..data, which is exchanged as a whole. */
async function mountedSecret(t: TestContext) {
  const folder = mkdtempSync(join(tmpdir(), 'decant-tls-'));
  t.after(() => rmSync(folder, { recursive: true }));
  let version = 0;
  const put = async (pem: { cert: string; key: string }) => {
    const data = `..v${++version}`;
    await mkdir(join(folder, data));
    writeFileSync(join(folder, data, 'tls.crt'), pem.cert);
    writeFileSync(join(folder, data, 'tls.key'), pem.key);
    symlinkSync(data, join(folder, '..next'));
    renameSync(join(folder, '..next'), join(folder, '..data'));
  };
  for (const file of ['tls.crt', 'tls.key']) symlinkSync(join('..data', file), join(folder, file));
  return { files: { cert: join(folder, 'tls.crt'), key: join(folder, 'tls.key') }, put };
}

async function nameAt(port: number, ca: string): Promise<string> {
  const socket: TLSSocket = connect({ host: '127.0.0.1', port, ca });
  try {
    await once(socket, 'secureConnect');
    return String(socket.getPeerCertificate().subject.CN);
  } finally {
    socket.destroy();
  }
}

test('new connections use the certificate that the Secret holds, and a broken one changes nothing', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] });
  const { files, put } = await mountedSecret(t);
  const [first, second] = [selfSigned('first'), selfSigned('second')];
  await put(first);
  const problems: string[] = [];
  const server = createTlsServer(files, (problem) => problems.push(problem));
  server.on('request', (_, response) => response.end('hello'));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  t.after(() => server.close());
  const { port } = server.address() as AddressInfo;
  assert.equal(await nameAt(port, first.cert), 'first');

  await put({ cert: second.cert, key: first.key });
  t.mock.timers.tick(10_000);
  t.mock.timers.tick(10_000);
  assert.equal(problems.length, 1, 'said once');
  assert.match(problems[0] ?? '', /tls\.crt, .*tls\.key: .*; the previous certificate stays in use$/);
  assert.equal(await nameAt(port, first.cert), 'first');

  await put(second);
  t.mock.timers.tick(10_000);
  assert.equal(await nameAt(port, second.cert), 'second');
  const [response] = await once(get({ host: '127.0.0.1', port, path: '/', ca: second.cert, agent: false }), 'response');
  assert.equal(response.statusCode, 200);
  response.resume();
});

test('files that are no certificate and its key are an error at the start', async (t) => {
  const { files, put } = await mountedSecret(t);
  assert.throws(() => createTlsServer(files, () => {}), { code: 'ENOENT' });
  await put({ cert: 'no certificate', key: selfSigned('other').key });
  assert.throws(() => createTlsServer(files, () => {}));
});
