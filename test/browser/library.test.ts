import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { build } from 'esbuild';
import type * as library from '../../src/library/engine.ts';
import { explain, plan } from '../../src/library/engine.ts';
import { openBrowser } from './open-browser.ts';

const ROOT = join(import.meta.dirname, '..', '..');

/** The page's global of that name is what `import * as decant from 'decant/engine'` would be. */
declare const decant: typeof library;

test('decant/engine in a browser: the plan and the explanation that Node has', async () => {
  const { outputFiles } = await build({
    entryPoints: [join(ROOT, 'src', 'library', 'engine.ts')],
    bundle: true,
    platform: 'browser',
    format: 'iife',
    globalName: 'decant',
    write: false,
    logLevel: 'silent',
  });
  const snapshot: library.Snapshot = JSON.parse(readFileSync(join(ROOT, 'examples', 'two-nodes.json'), 'utf8'));
  const browser = await openBrowser();
  try {
    const page = await browser.newPage();
    await page.addScriptTag({ content: outputFiles[0].text });
    const there = await page.evaluate(
      (given) => JSON.stringify([decant.plan(given), decant.explain(given, { move: 1 })]),
      snapshot,
    );
    assert.deepEqual(JSON.parse(there), JSON.parse(JSON.stringify([plan(snapshot), explain(snapshot, { move: 1 })])));
    assert.equal(plan(snapshot).moves.length, 1);
  } finally {
    await browser.close();
  }
});
