import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * node test/package/main.ts FOLDER
 *
 * Looks at the package as it was installed into the folder: licences of bundled packages are in every file that
 * contains them, and its bill of materials names what it installs and what it contains, and nothing else.
 */
const [folder] = process.argv.slice(2);
if (folder === undefined) throw new Error('name the folder that the package is installed in');
const modules = join(folder, 'node_modules');
const decant = join(modules, 'decant');
const licenceOf = (name: string) =>
  readFileSync(join(import.meta.dirname, '../../node_modules', name, 'LICENSE'), 'utf8').trim();

const IN_PAGES = ['preact', '@preact/signals', '@preact/signals-core', 'uplot'];
function holds(what: string, text: string, packages: readonly string[]): void {
  for (const name of packages) assert.ok(text.includes(licenceOf(name)), `${what}: no licence of ${name}`);
}

holds('command line', readFileSync(join(decant, 'dist/cli/main.js'), 'utf8'), ['zod']);
for (const page of ['main', 'report', 'plan-report']) {
  holds(page, readFileSync(join(decant, 'dist/web/page', `${page}.js`), 'utf8'), IN_PAGES);
}
const cluster = join(import.meta.dirname, '../../examples/two-nodes.json');
const args = [join(decant, 'dist/cli/main.js'), 'plan', '-f', cluster, '-o', 'html'];
holds('HTML report', execFileSync(process.execPath, args, { encoding: 'utf8' }), IN_PAGES);

interface Bill {
  readonly components: readonly { readonly name: string }[];
}
const bill: Bill = JSON.parse(readFileSync(join(decant, 'dist/sbom.cdx.json'), 'utf8'));
const named = new Set(bill.components.map(({ name }) => name));
const expected = new Set([...installedPackages(), ...IN_PAGES]);
assert.deepEqual([...named].sort(), [...expected].sort(), 'bill of materials');

function installedPackages(): string[] {
  return readdirSync(modules)
    .filter((name) => !name.startsWith('.') && name !== 'decant')
    .flatMap((name) =>
      name.startsWith('@') ? readdirSync(join(modules, name)).map((each) => `${name}/${each}`) : name,
    );
}
