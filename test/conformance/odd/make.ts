import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { askOracle } from '../oracle.ts';
import { makeCluster } from './cluster.ts';

/**
 * node test/conformance/odd/make.ts --seed N --count K --out DIR [--oracle PATH] [--runs 5] [--themes a,b]
 *
 * Writes odd clusters and, given the oracle, what Karpenter itself says of them. Seeds that are
 * answered already are left alone; seeds that Karpenter cannot take are reported and dropped.
 */
const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    count: { type: 'string', default: '1' },
    out: { type: 'string' },
    oracle: { type: 'string' },
    runs: { type: 'string', default: '5' },
    themes: { type: 'string' },
  },
});
if (values.out === undefined) throw new Error('--out DIR is needed');
const out = values.out;
mkdirSync(out, { recursive: true });

let skipped = 0;
const first = Number(values.seed);
for (let seed = first; seed < first + Number(values.count); seed++) {
  const path = join(out, `${seed}.json`);
  const answer = join(out, `${seed}.answer.json`);
  if (values.oracle !== undefined && existsSync(answer)) continue;
  const cluster = makeCluster(seed, values.themes?.split(','));
  writeFileSync(`${path}.part`, JSON.stringify(cluster));
  // A reader never sees half a file.
  renameSync(`${path}.part`, path);
  if (values.oracle === undefined) continue;
  try {
    askOracle(values.oracle, path, answer, Number(values.runs));
  } catch (error) {
    skipped++;
    rmSync(path);
    console.error(`seed ${seed} (${cluster.themes.join(', ')}): ${(error as Error).message}`);
  }
}
if (skipped > 0) console.error(`${skipped} seeds skipped`);
