import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { layersOf, withLayerTable } from './layer-table.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const PAGE = readFileSync(join(ROOT, 'ARCHITECTURE.md'), 'utf8');

test('the table of layers is what npm run -s generate would write', () => {
  assert.equal(withLayerTable(PAGE, ROOT), PAGE);
});

test('every layer has a description', () => {
  for (const { path } of layersOf(ROOT)) assert.match(PAGE, new RegExp(`^\\| \`${path}\` \\| \\S`, 'm'), path);
});

test('the engine imports nothing', () => {
  assert.deepEqual(layersOf(ROOT).find(({ path }) => path === 'src/engine')?.references, []);
});

test('a reference that is not in the table is written there', () => {
  const without = PAGE.replace(/(\| `src\/kube` \| .* \|) engine, [^|]*\|$/m, '$1 engine |');
  assert.notEqual(without, PAGE);
  assert.equal(withLayerTable(without, ROOT), PAGE);
});
