import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import type { ComparisonDocument } from '../../src/lab/comparison-document.ts';
import { fewerEvictions } from './fewer-evictions.ts';
import { argsOf, PARTS, POLICIES, resultsFile, resultsOf } from './parts.ts';
import { section, withSection } from './sections.ts';
import { comparedInShares } from './shards.ts';

const HELP = `npm run -s lab:page [-- part…]

Runs the comparisons that designs/policies.md and docs/tune.md show, or only some of them, on all cores, and writes their
figures there. What a run that was ended has done is not done again, as long as the code is the same.

${PARTS.map((part) => `  ${part.name.padEnd(9)} decant compare ${argsOf(part).join(' ')}`).join('\n')}

  --days x  other days than these: prints the figures and leaves the pages alone
`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { days: { type: 'string' }, help: { type: 'boolean', short: 'h' } },
});
const unknown = positionals.find((name) => !PARTS.some((part) => part.name === name));
if (values.help || unknown !== undefined) {
  if (unknown !== undefined) process.stderr.write(`no part is called ${unknown}\n\n`);
  process.stdout.write(HELP);
  process.exit(values.help ? 0 : 2);
}

for (const part of PARTS.filter(({ name }) => positionals.length === 0 || positionals.includes(name))) {
  const json = await comparedInShares(part.name, argsOf(part, values.days), part.shares);
  const text = section(part.name, JSON.parse(json) as ComparisonDocument);
  if (values.days !== undefined) {
    process.stdout.write(`${text}\n\n`);
    continue;
  }
  writeFileSync(resultsFile(part.name), json);
  writeFileSync(part.page, withSection(readFileSync(part.page, 'utf8'), part.name, text));
}

// Out of two of them, as they are by now.
if (values.days === undefined) {
  const [library, overCalm] = (['library', 'adaptive'] as const).map(resultsOf);
  const text = fewerEvictions(library.runs, overCalm.runs);
  writeFileSync(POLICIES, withSection(readFileSync(POLICIES, 'utf8'), 'fewer', text));
}
