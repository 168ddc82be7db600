import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { join } from 'node:path';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { explain, plan, type Snapshot } from './engine.ts';

const ROOT = join(import.meta.dirname, '..', '..');

/** Two nodes, each half empty: the example of docs/library.md. */
const snapshot: Snapshot = JSON.parse(readFileSync(join(ROOT, 'examples', 'two-nodes.json'), 'utf8'));

test('the example of docs/library.md does what it says', () => {
  const code = /```ts\n([\s\S]*?)```/.exec(readFileSync(join(ROOT, 'docs', 'library.md'), 'utf8'))?.[1] ?? '';
  const lines: string[] = [];
  const body = stripTypeScriptTypes(code.replace(/^import .*$/gm, ''));
  new Function('plan', 'explain', 'text', 'console', body)(plan, explain, JSON.stringify(snapshot), {
    log: (...words: unknown[]) => lines.push(words.join(' ')),
  });
  const promised = [...code.matchAll(/\/\/ → (.*)/g)].map(([, text]) => text);
  assert.ok(promised.length >= 2);
  assert.deepEqual(lines, promised);
});

test('an unknown node, pod or move is undefined', () => {
  assert.equal(explain(snapshot, { node: 'nobody' }), undefined);
  assert.equal(explain(snapshot, { pod: 'default/nobody' }), undefined);
  assert.equal(explain(snapshot, { move: 99 }), undefined);
});

test('what is wrong is said with its place', () => {
  assert.throws(() => plan({ ...snapshot, now: 'yesterday' }), /snapshot.*now.*yesterday/);
  assert.throws(() => plan({ ...snapshot, objects: [{ kind: 'Pod', metadata: { name: 5 } }] }), /snapshot/);
});

test('compat decides as Karpenter does', () => {
  const bytes = gunzipSync(readFileSync(join(ROOT, 'examples', 'forty-nodes.json.gz')));
  const whole = JSON.parse(bytes.toString()) as Snapshot;
  assert.equal(plan(whole, { compat: 'karpenter' }).search, 'karpenter');
  assert.equal(plan(whole, { work: 2000 }).search, 'merged');
});

/** A browser has no `node:` modules: nothing that the entry imports, however far, may ask for one. */
test('the entry needs nothing of Node', () => {
  const seen = new Set<string>();
  const visit = (file: string) => {
    if (seen.has(file)) return;
    seen.add(file);
    for (const [, specifier] of readFileSync(file, 'utf8').matchAll(
      /^(?:import|export) (?!type )[^;]*?from '([^']+)'/gm,
    )) {
      assert.doesNotMatch(specifier, /^node:/, file);
      if (specifier.startsWith('.')) visit(join(file, '..', specifier));
    }
  };
  visit(join(import.meta.dirname, 'engine.ts'));
  assert.ok(seen.size > 50);
  for (const file of seen) assert.doesNotMatch(readFileSync(file, 'utf8'), /(?<!-)\b(process|Buffer)\b\./, file);
});
