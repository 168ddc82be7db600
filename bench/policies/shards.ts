import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, globSync, readFileSync, rmSync } from 'node:fs';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { libraryNames } from '../../src/cli/experiment/workload-library.ts';
import type { AbandonedRun } from '../abandoned/runs.ts';

const ROOT = join(import.meta.dirname, '../..');

/** A part of the figures that one process computes. */
interface Share {
  readonly file: string;
  /** Leaves the file in the folder. */
  compute(folder: string): Promise<unknown>;
}

/** A comparison as JSON. */
export async function comparedInShares(name: string, args: readonly string[], count: number): Promise<string> {
  const shares = Array.from({ length: count }, (_, i): Share => {
    return {
      // As `--results` names it.
      file: `shard-${String(i).padStart(String(count - 1).length, '0')}-of-${count}.json`,
      compute: (folder) => compare([...args, '--workers', '1', '--shard', `${i}/${count}`, '--results', folder]),
    };
  });
  return inShares(name, ['compare', ...args], shares, (folder) => compare(['--merge', folder, '-o', 'json']));
}

/** Policies whose commands are counted, and simulations of each on every workload. */
const ABANDONED = { policies: ['rfc', 'calm'], seeds: 3 };

/** What became of commands over the library. */
export async function abandonedInShares(days: string): Promise<readonly AbandonedRun[]> {
  const shares = ABANDONED.policies.flatMap((policy) =>
    libraryNames().map((workload): Share => {
      const file = `${policy}-${workload}.jsonl`;
      const args = ['--seeds', `${ABANDONED.seeds}`, '--days', days, '--policies', policy, '--workloads', workload];
      return {
        file,
        compute: async (folder) => {
          const text = await node(['bench/abandoned/main.ts', '--json', ...args]);
          await mkdir(folder, { recursive: true });
          await writeFile(join(folder, `${file}.partial`), text);
          await rename(join(folder, `${file}.partial`), join(folder, file));
        },
      };
    }),
  );
  return inShares('abandoned', ['bench:abandoned', '--days', days], shares, async (folder) =>
    shares
      .flatMap(({ file }) => readFileSync(join(folder, file), 'utf8').trim().split('\n'))
      .map((line) => JSON.parse(line)),
  );
}

/**
 * Computes shares by processes of their own, on all cores. A share that a run of the same code has left is not computed
 * again; they are thrown away once they are merged.
 */
async function inShares<T>(
  name: string,
  args: readonly string[],
  shares: readonly Share[],
  merge: (folder: string) => Promise<T>,
): Promise<T> {
  const folder = join(ROOT, 'node_modules/.cache/lab', `${name}-${digestOf(args)}`);
  const left = shares.filter(({ file }) => !existsSync(join(folder, file)));
  const startedMs = performance.now();
  let done = shares.length - left.length;
  const tell = () => {
    const minutes = ((performance.now() - startedMs) / 60_000).toFixed(1);
    process.stderr.write(`${name}: ${done} of ${shares.length} shares, ${minutes} min\n`);
  };
  process.stderr.write(`${name}: ${args.join(' ')}\n`);
  tell();
  const takeNext = async (): Promise<void> => {
    for (let share = left.shift(); share !== undefined; share = left.shift()) {
      await share.compute(folder);
      done++;
      tell();
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, takeNext));
  const merged = await merge(folder);
  rmSync(folder, { recursive: true });
  return merged;
}

/** Of everything that figures depend on. */
export function digestOf(args: readonly string[]): string {
  const hash = createHash('sha256').update(args.join('\n'));
  const files = globSync(
    ['src/**/*.ts', 'src/catalog/data/**/*.*', 'workloads/*.yaml', 'bench/policies/*.yaml', 'bench/abandoned/*.ts'],
    { cwd: ROOT, exclude: (path) => path.endsWith('.test.ts') },
  );
  for (const file of files.sort()) hash.update(file).update(readFileSync(join(ROOT, file)));
  return hash.digest('hex').slice(0, 16);
}

function compare(args: readonly string[]): Promise<string> {
  return node(['src/cli/main.ts', 'compare', ...args]);
}

function node(args: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [...args], { cwd: ROOT, stdio: ['ignore', 'pipe', 'inherit'] });
    let stdout = '';
    child.stdout.setEncoding('utf8').on('data', (text) => (stdout += text));
    child.on('error', reject);
    child.on('close', (code) => {
      if (code === 0) resolve(stdout);
      else reject(new Error(`node ${args.join(' ')} ended with ${code}`));
    });
  });
}
