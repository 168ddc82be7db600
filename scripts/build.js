// Compiles src to dist, puts beside it the data files that modules read at run time, and leaves a
// stamp that is older than any source changed while it ran (see decant.js).
import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');
const dist = join(root, 'dist');
const startedAt = new Date();

rmSync(dist, { recursive: true, force: true });
const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
const { status } = spawnSync(process.execPath, [tsc, '-b', join(root, 'src/cli'), join(root, 'src/library')], {
  cwd: root,
  stdio: 'inherit',
});
if (status !== 0) process.exit(status ?? 1);

cpSync(join(root, 'src'), dist, { recursive: true, filter: (path) => statSync(path).isDirectory() || isData(path) });
chmodSync(join(dist, 'cli', 'main.js'), 0o755);
writeFileSync(join(dist, '.built'), '');
utimesSync(join(dist, '.built'), startedAt, startedAt);

function isData(path) {
  return !/\.ts$|tsconfig\.json$/.test(path);
}
