import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { MUTANTS, type Mutant } from './mutants.ts';

const HELP = `npm run -s test:mutants [-- options]

Puts deliberate errors into a copy of the controller, one at a time, and asks whether the fault stories notice, and
whether the controller's unit tests do. Reports; exits with 1 only if a mutant no longer fits its file.

  --seeds N    stories for each mutant (default 3000)
  --only TEXT  mutants whose description contains the text
  --no-unit    without the unit tests
`;

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '3000' },
    only: { type: 'string', default: '' },
    unit: { type: 'boolean', default: true },
    help: { type: 'boolean', short: 'h', default: false },
  },
  allowNegative: true,
});

if (values.help) process.stdout.write(HELP);
else process.exitCode = run();

function run(): number {
  const copy = mkdtempSync(join(tmpdir(), 'decant-mutants-'));
  try {
    for (const part of ['src', 'test', 'package.json', 'tsconfig.json'])
      cpSync(part, join(copy, part), { recursive: true });
    symlinkSync(join(process.cwd(), 'node_modules'), join(copy, 'node_modules'));
    const chosen = MUTANTS.filter(({ what }) => what.includes(values.only));
    const stale = chosen.filter((mutant) => !fits(mutant, copy));
    for (const { file, what } of stale)
      process.stderr.write(`${file}: ${what}: its text does not occur once any more\n`);
    if (stale.length > 0) return 1;
    const found = chosen.map((mutant) => ({ ...verdictOn(mutant, copy), mutant }));
    const noticed = (by: 'stories' | 'units') => found.filter((f) => f[by] !== '').length;
    const survivors = found.filter((f) => f.stories + f.units === '').length;
    process.stdout.write(
      `${chosen.length} mutants: ${noticed('stories')} noticed by stories, ${noticed('units')} by unit tests, ${survivors} by neither\n`,
    );
    return 0;
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}

function fits({ file, find }: Mutant, copy: string): boolean {
  return readFileSync(join(copy, file), 'utf8').split(find).length === 2;
}

function verdictOn(
  { file, find, put, what }: Mutant,
  copy: string,
): { readonly stories: string; readonly units: string } {
  const path = join(copy, file);
  const text = readFileSync(path, 'utf8');
  writeFileSync(
    path,
    text.replace(find, () => put),
  );
  const story = node(copy, ['test/dst/main.ts', '--seeds', values.seeds, '--first']);
  const stories = story.status === 0 ? '' : /^seed [0-9]+/m.exec(story.stdout)?.[0];
  if (stories === undefined) throw new Error(`${what}: the stories did not run: ${story.stderr}`);
  const units = values.unit
    ? node(copy, ['--import', './test/seed.ts', '--test', 'src/controller/**/*.test.ts']).status === 0
      ? ''
      : 'unit tests'
    : '';
  writeFileSync(path, text);
  const by = [stories, units].filter((b) => b !== '').join(', ') || 'NOBODY';
  process.stdout.write(`${by.padEnd(24)} ${file.split('/').at(-1)}: ${what}\n`);
  return { stories, units };
}

function node(
  cwd: string,
  args: readonly string[],
): { readonly status: number | null; readonly stdout: string; readonly stderr: string } {
  return spawnSync(process.execPath, args, { cwd, encoding: 'utf8', maxBuffer: 2 ** 28 });
}
