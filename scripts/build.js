// Compiles src to dist, puts beside it the data files that modules read at run time, and leaves a
// stamp that is older than any source changed while it ran (see decant.js). The command line is put into a few files:
// one command needs 400 modules, which take a third of a second to find and load one by one.
import { spawnSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  cpSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join, relative, sep } from 'node:path';
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
const { bundledPackages, licenceNotices } = await built('licence-notices.js');
const bundled = new Set([...(await bundleDashboard()), ...(await bundleCommandLine())]);
writeFileSync(join(dist, 'sbom.cdx.json'), `${JSON.stringify(billOfMaterials(bundled), null, 2)}\n`);
for (const file of ['main.js', 'completion/kubectl.js']) chmodSync(join(dist, 'cli', file), 0o755);
writeFileSync(join(dist, '.built'), '');
utimesSync(join(dist, '.built'), startedAt, startedAt);

function isFolderOrData(path) {
  return statSync(path).isDirectory() || !/\.ts$|tsconfig\.json$/.test(path);
}

function built(file) {
  return import(pathToFileURL(join(dist, 'web', 'server', file)).href);
}

/** The dashboard's page and those of reports, with everything in them: who installs the package needs no bundler. */
async function bundleDashboard() {
  const { bundlePage, PAGES } = await built('page-bundle.js');
  mkdirSync(join(dist, 'web', 'page'), { recursive: true });
  const inPages = [];
  for (const name of PAGES) {
    const { script, style, packages } = await bundlePage(page, name);
    inPages.push(...packages);
    writeFileSync(join(dist, 'web', 'page', `${name}.js`), script);
    writeFileSync(join(dist, 'web', 'page', `${name}.css`), style);
  }
  return inPages;
}

async function bundleCommandLine() {
  const { build } = await import('esbuild');
  const { dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  // Of zod, half the modules are translations of its messages, which nobody reads here.
  const external = ['esbuild', ...Object.keys(dependencies).filter((name) => name !== 'zod')];
  const main = join('cli', 'main');
  const { metafile } = await build({
    entryPoints: { [main]: join(dist, `${main}.js`) },
    outdir: dist,
    chunkNames: 'chunks/[name]-[hash]',
    bundle: true,
    metafile: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node22',
    external,
    allowOverwrite: true,
    legalComments: 'none',
    logLevel: 'warning',
    plugins: [{ name: 'own addresses', setup: keepAddresses }],
  });
  const packages = bundledPackages(Object.keys(metafile.inputs));
  appendFileSync(join(dist, `${main}.js`), licenceNotices(packages));
  return packages;
}

/** Modules find data files and threads beside themselves, whichever file they were put into. */
function keepAddresses(bundle) {
  bundle.onLoad({ filter: /\.js$/ }, ({ path }) => {
    if (!path.startsWith(dist + sep)) return undefined;
    const own = JSON.stringify(relative(dist, path).split(sep).join('/'));
    const address = `new URL(${own}, import.meta.url.replace(/(.*\\/dist\\/).*/, '$1')).href`;
    return { contents: readFileSync(path, 'utf8').replaceAll('import.meta.url', () => address), loader: 'js' };
  });
}

/** What npm knows of the installed packages, reduced to those that are shipped: dependencies, and what bundles contain. */
function billOfMaterials(folders) {
  const { status, stdout, stderr } = spawnSync(
    'npm',
    ['sbom', '--sbom-format', 'cyclonedx', '--sbom-type', 'application'],
    {
      cwd: root,
      encoding: 'utf8',
      maxBuffer: 64 << 20,
      shell: process.platform === 'win32',
    },
  );
  if (status !== 0) throw new Error(`npm sbom failed: ${stderr}`);
  const bill = JSON.parse(stdout);
  const bundled = new Set(
    [...folders].map((folder) => relative(join(root, 'node_modules'), folder).split(sep).join('/')),
  );
  const shipped = bill.components.filter(
    ({ name, properties }) => bundled.has(name) || !properties.some(isDevelopment),
  );
  const kept = new Set([bill.metadata.component, ...shipped].map((component) => component['bom-ref']));
  for (const component of shipped) component.properties = component.properties.filter((each) => !isDevelopment(each));
  const dependencies = bill.dependencies
    .filter(({ ref }) => kept.has(ref))
    .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((each) => kept.has(each)) }));
  const component = { ...bill.metadata.component, name: 'decant' };
  return { ...bill, metadata: { ...bill.metadata, component }, components: shipped, dependencies };
}

function isDevelopment({ name }) {
  return name === 'cdx:npm:package:development';
}
