import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import type { ComparisonDocument } from '../../src/lab/comparison-document.ts';
import { abandonedByPolicy, abandonedByWorkload } from '../abandoned/tables.ts';
import { ABANDONED_PAGES, argsOf, PARTS, resultsFile, USERS_PAGE } from './parts.ts';
import { expectations, section, withSection } from './sections.ts';
import { abandonedInShares, comparedInShares } from './shards.ts';

const HELP = `npm run -s lab:page [-- part…]

Runs the comparisons that designs/policies.md and docs/tune.md show, or only some of them, on all cores, and writes their
figures there; and counts the commands that are abandoned, for designs/policies.md and docs/policies.md. What a run that was
ended has done is not done again, as long as the code is the same.

${PARTS.map((part) => `  ${part.name.padEnd(9)} decant compare ${argsOf(part).join(' ')}`).join('\n')}
  abandoned npm run bench:abandoned

  --days x  other days than these: prints the figures and leaves the pages alone
`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { days: { type: 'string' }, help: { type: 'boolean', short: 'h' } },
});
const NAMES: readonly string[] = [...PARTS.map(({ name }) => name), 'abandoned'];
const unknown = positionals.find((name) => !NAMES.includes(name));
if (values.help || unknown !== undefined) {
  if (unknown !== undefined) process.stderr.write(`no part is called ${unknown}\n\n`);
  process.stdout.write(HELP);
  process.exit(values.help ? 0 : 2);
}

const isAsked = (name: string) => positionals.length === 0 || positionals.includes(name);

for (const part of PARTS.filter(({ name }) => isAsked(name))) {
  const json = await comparedInShares(part.name, argsOf(part, values.days), part.shares);
  const document: ComparisonDocument = JSON.parse(json);
  const text = section(part.name, document);
  if (values.days !== undefined) {
    process.stdout.write(`${text}\n\n`);
    continue;
  }
  writeFileSync(resultsFile(part.name), json);
  write(part.page, part.name, text);
  if (part.name === 'library') write(USERS_PAGE, 'expectations', expectations(document.runs));
}

if (isAsked('abandoned')) {
  const runs = await abandonedInShares(values.days ?? '1');
  if (values.days !== undefined) process.stdout.write(`${abandonedByPolicy(runs)}\n\n${abandonedByWorkload(runs)}\n`);
  else {
    writeFileSync(resultsFile('abandoned'), `${JSON.stringify(runs, null, 2)}\n`);
    for (const { page, text } of ABANDONED_PAGES) write(page, 'abandoned', text(runs));
  }
}

function write(page: string, name: string, text: string): void {
  writeFileSync(page, withSection(readFileSync(page, 'utf8'), name, text));
}
