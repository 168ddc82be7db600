import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, type TestContext, test } from 'node:test';
import { decant } from '../../../test/build/decant.ts';
import { startDecant } from '../../../test/build/served.ts';
import type { PlanAnswer, StateAnswer } from '../../web/api.ts';

const EXAMPLE = join(import.meta.dirname, '../../../examples/two-nodes.json');
const FOLDER = mkdtempSync(join(tmpdir(), 'decant-serve-'));
after(() => rmSync(FOLDER, { recursive: true }));

function file(name: string, text: string): string {
  const path = join(FOLDER, name);
  writeFileSync(path, text);
  return path;
}

/** Ended also if the test fails. */
async function started(t: TestContext, args: readonly string[]) {
  const served = await startDecant(args);
  t.after(() => served.stop());
  return served;
}

async function planOf(url: string, headers: Record<string, string> = {}): Promise<NonNullable<PlanAnswer['plan']>> {
  for (;;) {
    const answer = (await (await fetch(new URL('/api/plan', url), { headers })).json()) as PlanAnswer;
    if (answer.plan !== undefined) return answer.plan;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

describe('decant serve', () => {
  test('says where, serves what decant plan prints, and ends at Ctrl-C', async (t) => {
    const { url, stop } = await started(t, ['serve', '-f', EXAMPLE]);
    const [plan, printed] = [await planOf(url), await decant(['plan', '-f', EXAMPLE, '-o', 'json'])];
    const { moves } = JSON.parse(printed.stdout);
    assert.deepEqual(
      plan.moves.map(({ words: _, consequence: __, ...move }) => move),
      moves,
    );
    const page = await (await fetch(url)).text();
    assert.match(page, /<script type="module" src="\/assets\/page.js">/);
    assert.equal(await stop(), 0);
    await assert.rejects(fetch(url));
  });

  test('beyond this machine: a token is made and printed after the #, where no log sees it', async (t) => {
    const { url } = await started(t, ['serve', '-f', EXAMPLE, '--bind-address', '0.0.0.0', '--plain-http']);
    const { hash, href } = new URL(url);
    const token = hash.replace('#token=', '');
    assert.ok(token.length >= 32, hash);
    assert.equal((await fetch(new URL('/api/state', href))).status, 401);
    const answer = await fetch(new URL('/api/state', href), { headers: { authorization: `Bearer ${token}` } });
    const { totals } = (await answer.json()) as StateAnswer;
    assert.equal(totals.nodes, 2);
  });

  test('a token from a file is required on this machine too, and not printed', async (t) => {
    const { url } = await started(t, ['serve', '-f', EXAMPLE, '--token-file', file('token', 'sixteen-characters\n')]);
    assert.equal(new URL(url).hash, '');
    assert.equal((await fetch(new URL('/api/state', url))).status, 401);
  });

  test('a port that is taken', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => other.once('listening', resolve));
    const { port } = other.address() as AddressInfo;
    const { code, stderr, stdout } = await decant(['serve', '-f', EXAMPLE, '--port', String(port)]);
    other.close();
    assert.deepEqual([code, stdout], [2, '']);
    assert.equal(stderr, `decant: --port ${port}: is in use by another program; 0 picks a free port\n`);
  });

  const REFUSED: readonly (readonly [string, readonly string[], RegExp])[] = [
    ['no input', [], /no input/],
    ['a port that is none', ['-f', EXAMPLE, '--port', '65536'], /from 0 to 65535/],
    [
      'an address of another machine',
      ['-f', EXAMPLE, '--port', '0', '--bind-address', '192.0.2.1', '--plain-http'],
      /--bind-address 192.0.2.1: is not an address of this machine/,
    ],
    [
      'tokens in clear text over a network',
      ['-f', EXAMPLE, '--bind-address', '0.0.0.0'],
      /--bind-address 0.0.0.0: also needs --tls-cert-file and --tls-key-file, or --plain-http behind a proxy that encrypts/,
    ],
    [
      'a certificate that is not there',
      ['-f', EXAMPLE, '--tls-cert-file', '/nowhere/tls.crt', '--tls-key-file', '/nowhere/tls.key'],
      /--tls-cert-file \/nowhere\/tls.crt, --tls-key-file \/nowhere\/tls.key: no such file or folder/,
    ],
    [
      'a token file that is not there',
      ['-f', EXAMPLE, '--token-file', '/nowhere/token'],
      /--token-file \/nowhere\/token: /,
    ],
    ['a short token', ['-f', EXAMPLE, '--token-file', file('short', 'secret')], /one word of at least 16 characters/],
    ['two words', ['-f', EXAMPLE, '--token-file', file('words', 'correct horse battery staple')], /one word/],
  ];
  for (const [what, args, message] of REFUSED) {
    test(what, async () => {
      const { code, stderr, stdout } = await decant(['serve', ...args]);
      assert.deepEqual([code, stdout], [2, ''], stderr);
      assert.match(stderr, message);
      assert.ok(!stderr.includes('internal error'), stderr);
    });
  }
});
