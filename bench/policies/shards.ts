import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, globSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');
/**
 * A comparison as JSON, computed in shares by processes of their own. A share that a run of the same code has left is
 * not computed again; they are thrown away once the comparison is there.
 */
export async function comparedInShares(name: string, args: readonly string[], shares: number): Promise<string> {
  const folder = join(ROOT, 'node_modules/.cache/lab', `${name}-${digestOf(args)}`);
  const left = Array.from({ length: shares }, (_, i) => i).filter(
    (i) => !existsSync(join(folder, shareFile(i, shares))),
  );
  const startedMs = performance.now();
  let done = shares - left.length;
  const tell = () => {
    const minutes = ((performance.now() - startedMs) / 60_000).toFixed(1);
    process.stderr.write(`${name}: ${done} of ${shares} shares, ${minutes} min\n`);
  };
  process.stderr.write(`${name}: decant compare ${args.join(' ')}\n`);
  tell();
  const takeNext = async (): Promise<void> => {
    for (let i = left.shift(); i !== undefined; i = left.shift()) {
      await compare([...args, '--workers', '1', '--shard', `${i}/${shares}`, '--results', folder]);
      done++;
      tell();
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, takeNext));
  const json = await compare(['--merge', folder, '-o', 'json']);
  rmSync(folder, { recursive: true });
  return json;
}

/** As `--results` names them. */
function shareFile(index: number, of: number): string {
  return `share-${String(index).padStart(String(of - 1).length, '0')}-of-${of}.json`;
}

/** Of everything that figures depend on. */
function digestOf(args: readonly string[]): string {
  const hash = createHash('sha256').update(args.join('\n'));
  const files = globSync(['src/**/*.ts', 'src/catalog/data/*', 'workloads/*.yaml', 'bench/policies/*.yaml'], {
    cwd: ROOT,
    exclude: (path) => path.endsWith('.test.ts'),
  });
  for (const file of files.sort()) hash.update(file).update(readFileSync(join(ROOT, file)));
  return hash.digest('hex').slice(0, 16);
}

function compare(args: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ['src/cli/main.ts', 'compare', ...args], {
      cwd: ROOT,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let stdout = '';
    child.stdout.setEncoding('utf8').on('data', (text) => (stdout += text));
    child.on('error', reject);
    child.on('close', (code) => {
      if (code === 0) resolve(stdout);
      else reject(new Error(`decant compare ${args.join(' ')} ended with ${code}`));
    });
  });
}
