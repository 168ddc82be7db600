// Compiles src to dist, puts beside it the data files that modules read at run time, and leaves a
// stamp that is older than any source changed while it ran (see decant.js).
import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

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

const page = join(root, 'src', 'web', 'page');
cpSync(join(root, 'src'), dist, { recursive: true, filter: (path) => path !== page && isFolderOrData(path) });
await bundleDashboard();
for (const file of ['main.js', 'completion/kubectl.js']) chmodSync(join(dist, 'cli', file), 0o755);
writeFileSync(join(dist, '.built'), '');
utimesSync(join(dist, '.built'), startedAt, startedAt);

function isFolderOrData(path) {
  return statSync(path).isDirectory() || !/\.ts$|tsconfig\.json$/.test(path);
}

/** The dashboard's page and those of reports, with everything in them: who installs the package needs no bundler. */
async function bundleDashboard() {
  const { bundlePage, PAGES } = await import(pathToFileURL(join(dist, 'web', 'server', 'page-bundle.js')).href);
  mkdirSync(join(dist, 'web', 'page'), { recursive: true });
  for (const name of PAGES) {
    const { script, style } = await bundlePage(page, name);
    writeFileSync(join(dist, 'web', 'page', `${name}.js`), script);
    writeFileSync(join(dist, 'web', 'page', `${name}.css`), style);
  }
}
