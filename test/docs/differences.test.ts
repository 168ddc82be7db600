import assert from 'node:assert/strict';
import { globSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { test } from 'node:test';

const root = join(import.meta.dirname, '../..');
const page = readFileSync(join(root, 'docs/differences.md'), 'utf8');
const sources = new Map(
  Map.groupBy(
    globSync(['src/**/*.ts', 'test/**/*.ts', 'bench/**/*.ts'], { cwd: root }).map((path) => join(root, path)),
    (path) => basename(path),
  ),
);

function textOf(file: string): string {
  return (sources.get(basename(file)) ?? []).map((path) => readFileSync(path, 'utf8')).join('\n');
}

const rows = page.split('\n').filter((line) => line.startsWith('| ') && line.includes('.ts`'));
const cells = rows.map((line) => line.slice(2, -2).split(' | '));

/** The places that a cell names: file, then identifiers or titles of tests in it. */
function places(cell: string): { readonly file: string; readonly names: readonly string[] }[] {
  const found: { file: string; names: string[] }[] = [];
  for (const [, code, title] of cell.matchAll(/`([^`]+)`|"([^"]+)"/g)) {
    if (code?.endsWith('.ts')) found.push({ file: code, names: [] });
    else found.at(-1)?.names.push(code ?? title ?? '');
  }
  return found;
}

test('the places of the code and the tests that the differences name exist', () => {
  const all = cells.flatMap((row) => row.slice(-2).flatMap(places));
  assert.ok(all.length > 40, `only ${all.length} places were found`);
  const missing = all.flatMap(({ file, names }) => {
    const text = textOf(file);
    return text === '' ? [file] : names.filter((name) => !text.includes(name)).map((name) => `${file}: ${name}`);
  });
  assert.deepEqual(missing, []);
});

test('so do the recorded cases', () => {
  const recorded = new Set(
    ['1.15', 'odd', 'ordinary'].flatMap((folder) =>
      readdirSync(join(root, 'test/conformance/recorded', folder)).map((name) => /^\d+/.exec(name)?.[0]),
    ),
  );
  const named = page
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .flatMap((line) => [...(line.split(' | ').at(-1) ?? '').matchAll(/(?<![\w"-])\d{2,}(?= \(|,|;| \||-| and)/g)])
    .map(([number]) => number);
  assert.ok(named.length > 20, `only ${named.length} cases were found`);
  assert.deepEqual(
    named.filter((number) => !recorded.has(number)),
    [],
  );
});
