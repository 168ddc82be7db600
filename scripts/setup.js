// Runs before every npm script, so that a fresh clone needs no set-up: installs what the lockfile
// names, and does nothing when it is there. Must run on old Nodes (the new one is what it installs)
// and must not write to stdout (that belongs to the command that follows).
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { oldNode } from './old-node.js';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const modules = join(root, 'node_modules');

if (!installed()) {
  notice('installing dependencies (once, about 20 s) …');
  // Scripts of packages do not run: all that is needed comes from the lockfile, by hash.
  run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']);
}
if (!existsSync(join(modules, '.bin', 'node')) && oldNode !== undefined) {
  notice(`${oldNode}; scripts/node has none for this platform`);
  process.exit(2);
}

/** True if node_modules holds what package-lock.json asks for: by content, because checkouts change times. */
function installed() {
  const wanted = packagesOf(join(root, 'package-lock.json'));
  const present = packagesOf(join(modules, '.package-lock.json'));
  if (!present) return false;
  for (const [path, entry] of Object.entries(wanted)) {
    if (path === '' || (entry.optional && !present[path])) continue;
    if (present[path]?.version !== entry.version) return false;
  }
  return true;
}

function packagesOf(lockfile) {
  return existsSync(lockfile) ? JSON.parse(readFileSync(lockfile, 'utf8')).packages : undefined;
}

function notice(text) {
  process.stderr.write(`decant: ${text}\n`);
}

/** The child's output is shown only if it fails: npm warns at length about Nodes older than ours. */
function run(command, args) {
  const { status, error, stdout, stderr } = spawnSync(command, args, {
    cwd: root,
    encoding: 'utf8',
    shell: process.platform === 'win32',
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  if (status === 0) return;
  process.stderr.write(`${stdout ?? ''}${stderr ?? ''}`);
  notice(`set-up failed: ${error?.message ?? `${command} ${args.join(' ')} exited with ${status}`}`);
  process.exit(2);
}
