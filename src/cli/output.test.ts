import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

const MAIN = join(import.meta.dirname, 'main.ts');
const FULL_DISK = '/dev/full';

test('a full disk is one line and no "no"', { skip: !existsSync(FULL_DISK) }, () => {
  const disk = openSync(FULL_DISK, 'w');
  try {
    const args = [MAIN, 'crd'];
    const { status, stderr } = spawnSync(process.execPath, args, { stdio: ['ignore', disk, 'pipe'], encoding: 'utf8' });
    assert.equal(status, 2);
    assert.match(stderr, /^decant: cannot write the output: ENOSPC: no space left on device, write\n$/);
  } finally {
    closeSync(disk);
  }
});

test('a closed standard error changes no exit code', async () => {
  const child = spawn(process.execPath, [MAIN, 'plan', '-f', 'no-such.json'], { stdio: ['ignore', 'ignore', 'pipe'] });
  child.stderr.destroy();
  const [code] = await once(child, 'close');
  assert.equal(code, 2);
});

test('on an older Node, the error names the required version', () => {
  const older = "Object.defineProperty(process, 'versions', { value: { node: '20.1.0' } })";
  for (const entry of [MAIN, join(import.meta.dirname, '../../scripts/decant.js')]) {
    const args = ['--import', `data:text/javascript,${encodeURIComponent(older)}`, entry, 'plan'];
    const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
    assert.equal(status, 2);
    assert.match(stderr, /^decant: needs Node 22\.18 or later, and this is 20\.1\.0(; npm run .*)?\n$/);
  }
});
