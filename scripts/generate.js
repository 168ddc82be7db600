// Writes the files that are made from the schemas and from what the controller does; and, of the chart, the manifests
// for kubectl alone, if helm has been built (npm run test:e2e:tools).
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { generatedFiles } from '../generate/generated-files.ts';
import { plainManifests } from '../test/e2e/tools/plain-manifests.ts';
import { withLayerTable } from '../test/layers/layer-table.ts';

const root = join(import.meta.dirname, '..');

for (const [path, text] of generatedFiles()) write(path, text);
write('ARCHITECTURE.md', withLayerTable(readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8'), root));
const plain = await plainManifests();
if (plain === undefined)
  process.stderr.write('deploy/decant.yaml is left as it is: no helm, see npm run test:e2e:tools\n');
else write('deploy/decant.yaml', plain);

function write(path, text) {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
  process.stdout.write(`${path}\n`);
}
