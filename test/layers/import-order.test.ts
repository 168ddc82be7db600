import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path/posix';
import { test } from 'node:test';

/** Folders of the engine, lowest first: a folder imports values from its own level and from lower ones only. */
const ENGINE_LEVELS = [
  ['cluster', 'selection'],
  ['disruption'],
  ['cost'],
  ['scheduling'],
  ['gates'],
  ['moves'],
  ['search'],
  ['pass'],
  ['explanation'],
  ['bound'],
  ['blockers'],
];

interface Import {
  readonly from: string;
  readonly to: string;
  /** Nothing of it is left at run time. */
  readonly typesOnly: boolean;
}

const IMPORT = /^(?:import|export) (type )?(?:([^;']*?) from )?'(\.[^']+)';/gm;
const ROOT = join(import.meta.dirname.replaceAll('\\', '/'), '../..');
const imports = globSync('src/**/*.{ts,tsx}', { cwd: ROOT })
  .map((file) => file.replaceAll('\\', '/'))
  .filter((file) => !file.endsWith('.test.ts'))
  .flatMap((from) =>
    [...readFileSync(join(ROOT, from), 'utf8').matchAll(IMPORT)].map(
      ([, type, names, to]): Import => ({
        from,
        to: join(dirname(from), to),
        typesOnly: type !== undefined || isOnlyTypes(names),
      }),
    ),
  );

function isOnlyTypes(names: string | undefined): boolean {
  const list = /^\{([^}]*)\}$/.exec(names ?? '')?.[1];
  return list?.split(',').every((name) => /^\s*(type |$)/.test(name)) ?? false;
}

test('no file imports itself, directly or through others', () => {
  const values = Map.groupBy(
    imports.filter(({ typesOnly }) => !typesOnly),
    ({ from }) => from,
  );
  assert.ok(values.size > 500);
  const finished = new Set<string>();
  const visit = (file: string, path: readonly string[]): void => {
    if (finished.has(file)) return;
    assert.ok(!path.includes(file), [...path, file].join(' → '));
    for (const { to } of values.get(file) ?? []) visit(to, [...path, file]);
    finished.add(file);
  };
  for (const file of values.keys()) visit(file, []);
});

test('folders of the engine import values from lower folders only', () => {
  const levelOf = (file: string) => {
    const folder = /^src\/engine\/([^/]+)\//.exec(file)?.[1];
    return folder === undefined ? undefined : ENGINE_LEVELS.findIndex((level) => level.includes(folder));
  };
  const inEngine = imports.filter(({ from, to }) => levelOf(from) !== undefined && levelOf(to) !== undefined);
  assert.ok(inEngine.length > 300);
  assert.deepEqual(
    inEngine.filter(({ from }) => levelOf(from) === -1),
    [],
    'a folder without a level',
  );
  const upwards = inEngine.filter(
    ({ from, to, typesOnly }) => !typesOnly && Number(levelOf(to)) > Number(levelOf(from)),
  );
  assert.deepEqual(upwards, []);
});

test('disruption and gates know nothing of what uses them, not even types', () => {
  const users = /^src\/engine\/(moves|search|pass|explanation)\//;
  const wrong = imports.filter(
    ({ from, to }) =>
      (from.startsWith('src/engine/disruption/') && (to.startsWith('src/engine/gates/') || users.test(to))) ||
      (from.startsWith('src/engine/gates/') && users.test(to)),
  );
  assert.deepEqual(wrong, []);
});
