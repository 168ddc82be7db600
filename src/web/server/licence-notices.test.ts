import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { bundlePage, PAGES } from './page-bundle.ts';

const MODULES = join(import.meta.dirname, '../../../node_modules');
const licenceOf = (name: string) => readFileSync(join(MODULES, name, 'LICENSE'), 'utf8').trim();

test('the scripts of the dashboard and of reports keep the licences of what is bundled into them', async () => {
  for (const page of PAGES) {
    const { script, packages } = await bundlePage(join(import.meta.dirname, '../page'), page);
    for (const name of ['preact', '@preact/signals', '@preact/signals-core', 'uplot']) {
      assert.ok(script.includes(licenceOf(name)), `${page}: ${name}`);
    }
    assert.equal(packages.length, script.match(/^\S+ \d+\.\d+\.\d+$/gm)?.length, page);
    assert.ok(script.endsWith('*/\n'), 'a comment after everything that runs');
  }
});
