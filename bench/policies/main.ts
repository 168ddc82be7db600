import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PAGE, PARTS, resultsFile } from './parts.ts';
import { section, withSection } from './sections.ts';

const HELP = `npm run -s lab:page [-- part…]

Runs the comparisons of docs/policies.md, or only some of them, and writes their figures into it:
${PARTS.map(({ name, args }) => `  ${name.padEnd(9)} decant compare ${args.join(' ')}`).join('\n')}
`;

const given = process.argv.slice(2);
if (given.includes('--help') || given.some((name) => !PARTS.some((part) => part.name === name))) {
  process.stdout.write(HELP);
  process.exit(given.includes('--help') ? 0 : 2);
}

const root = join(import.meta.dirname, '../..');
for (const { name, args } of PARTS.filter((part) => given.length === 0 || given.includes(part.name))) {
  process.stderr.write(`${name}: decant compare ${args.join(' ')}\n`);
  const run = spawnSync(process.execPath, ['src/cli/main.ts', 'compare', ...args, '-o', 'json'], {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
    maxBuffer: 1e8,
  });
  if (run.status !== 0) process.exit(run.status ?? 1);
  writeFileSync(resultsFile(name), run.stdout);
  writeFileSync(PAGE, withSection(readFileSync(PAGE, 'utf8'), name, section(name, JSON.parse(run.stdout))));
}
