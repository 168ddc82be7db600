import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
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
    assert.match(stderr, /^decant: the output cannot be written: ENOSPC: no space left on device, write\n$/);
  } finally {
    closeSync(disk);
  }
});
