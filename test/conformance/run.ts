import { parseArgs } from 'node:util';
import type { KarpenterVersion } from '../../src/engine/karpenter-release.ts';
import { answerCase } from './answer-case.ts';
import { type CaseFiles, findCases, readAnswer } from './case-files.ts';
import { compare } from './compare.ts';
import { type Difference, isAgreement } from './difference.ts';
import { askOracle } from './oracle.ts';
import { type Crash, describeCrashes, describeFound, type Found, unseenTies } from './report.ts';

/**
 * node test/conformance/run.ts [--karpenter 1.15.0] [--show N] [--only TEXT] [--oracle PATH [--runs 60]] DIR…
 *
 * Runs the engine on every recorded case of the folders and prints where it differs from Karpenter:
 * by field, and the first few of each. Exit code 1 if anything differs. Given the oracle, it is
 * asked again, and oftener, about each case that differs: five runs do not show every answer that
 * chance can bring. What it says then replaces the recorded answer.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    show: { type: 'string', default: '4' },
    only: { type: 'string' },
    oracle: { type: 'string' },
    runs: { type: 'string', default: '60' },
    karpenter: { type: 'string', default: '1.15.0' },
  },
});
if (positionals.length === 0) throw new Error('name at least one folder of recorded cases');

const found: Found[] = [];
const crashed: Crash[] = [];
let cases = 0;
let agreed = 0;
const startedMs = performance.now();

async function differencesOf(c: CaseFiles): Promise<Difference[]> {
  const ours = await answerCase(c.cluster, values.karpenter as KarpenterVersion);
  const differences = compare(readAnswer(c.answer), ours);
  if (values.oracle === undefined || differences.every(isAgreement) || c.answer.endsWith('.gz')) return differences;
  askOracle(values.oracle, c.cluster, c.answer, Number(values.runs));
  return compare(readAnswer(c.answer), ours);
}

async function check(c: CaseFiles): Promise<void> {
  cases++;
  try {
    const differences = await differencesOf(c);
    if (differences.every(isAgreement)) agreed++;
    for (const d of differences) found.push({ ...d, file: c.cluster });
  } catch (error) {
    crashed.push({ file: c.cluster, error: error instanceof Error ? (error.stack ?? error.message) : String(error) });
  }
}

for (const folder of positionals) {
  for (const c of findCases(folder)) if (values.only === undefined || c.name.includes(values.only)) await check(c);
}
const show = Number(values.show);
const seconds = ((performance.now() - startedMs) / 1000).toFixed(1);
for (const line of [...describeFound(found, show), ...describeCrashes(crashed, show)]) console.log(line);
console.log(
  `\n${agreed} of ${cases} cases agree (${unseenTies(found)} unseen ties), ${cases - agreed} differ or crash, ${seconds} s`,
);
process.exitCode = agreed === cases ? 0 : 1;
