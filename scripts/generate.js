// Writes the files that are made from the schemas: CRDs, the patch of Karpenter's, the page about their fields.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { generatedFiles } from '../src/crd/manifests.ts';

const root = join(import.meta.dirname, '..');

for (const [path, text] of generatedFiles()) {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
  process.stdout.write(`${path}\n`);
}
