import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { makeCluster } from './cluster.ts';

/** Writes odd clusters and, given the oracle, what Karpenter itself says of them. See ../README.md. */
const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    count: { type: 'string', default: '1' },
    out: { type: 'string' },
    oracle: { type: 'string' },
    runs: { type: 'string', default: '5' },
  },
});
if (values.out === undefined) throw new Error('--out DIR is needed');
const out = values.out;
mkdirSync(out, { recursive: true });

/** A reader never sees half a file. */
function writeWhole(path: string, text: string): void {
  writeFileSync(`${path}.part`, text);
  renameSync(`${path}.part`, path);
}

function ask(oracle: string, seed: number): string | undefined {
  const answer = join(out, `${seed}.answer.json`);
  try {
    execFileSync(oracle, ['answer', '-runs', values.runs, '-o', `${answer}.part`, join(out, `${seed}.json`)], {
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    renameSync(`${answer}.part`, answer);
    return undefined;
  } catch (error) {
    rmSync(`${answer}.part`, { force: true });
    const stderr = (error as { stderr?: Buffer }).stderr?.toString() ?? String(error);
    return stderr
      .split('\n')
      .filter((l) => l.trim() !== '')
      .slice(0, 3)
      .join(' | ')
      .slice(0, 400);
  }
}

let skipped = 0;
const first = Number(values.seed);
for (let seed = first; seed < first + Number(values.count); seed++) {
  const path = join(out, `${seed}.json`);
  if (values.oracle !== undefined && existsSync(join(out, `${seed}.answer.json`))) continue;
  const cluster = makeCluster(seed);
  writeWhole(path, JSON.stringify(cluster));
  if (values.oracle === undefined) continue;
  const problem = ask(values.oracle, seed);
  if (problem === undefined) continue;
  skipped++;
  rmSync(path);
  console.error(`seed ${seed} (${cluster.themes.join(', ')}): ${problem}`);
}
if (skipped > 0) console.error(`${skipped} seeds skipped`);
