/**
 * Runs the end-to-end tests, two files at a time (--at-once n): they wait more than they compute. With --retry n a file that fails is
 * run again by itself, up to n times: real clusters on a busy machine have bad days, and the output says which had one.
 */
import { spawn } from 'node:child_process';
import { globSync } from 'node:fs';
import { relative } from 'node:path';
import { parseArgs } from 'node:util';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { retry: { type: 'string', default: '0' }, 'at-once': { type: 'string', default: '2' } },
});
const startedMs = performance.now();
const files =
  positionals.length > 0 ? positionals : globSync('**/*.e2e.ts', { cwd: import.meta.dirname }).map(inFolder);
// Those that take longest are the last of the alphabet, and begin.
const failed = await runAll(files.sort().reverse());
let still = failed;
for (let n = 0; n < Number(values.retry) && still.length > 0; n++) still = await again(still);
for (const file of failed) say(`${still.includes(file) ? 'failed' : 'passed only when it was run again'}: ${file}`);
say(`${files.length - still.length} passed, ${still.length} failed in ${secondsSince(startedMs)} s`);
process.exitCode = still.length === 0 ? 0 : 1;

function inFolder(file: string): string {
  return relative(process.cwd(), `${import.meta.dirname}/${file}`);
}

/** Returns those that failed. */
async function runAll(all: readonly string[]): Promise<readonly string[]> {
  const waiting = [...all];
  const bad: string[] = [];
  const work = async () => {
    for (let file = waiting.shift(); file !== undefined; file = waiting.shift()) if (!(await run(file))) bad.push(file);
  };
  await Promise.all(Array.from({ length: Number(values['at-once']) }, work));
  return bad;
}

async function again(all: readonly string[]): Promise<readonly string[]> {
  const bad: string[] = [];
  for (const file of all) if (!(await run(file))) bad.push(file);
  return bad;
}

/** What it prints is shown when it has ended, so that two files do not talk at once. */
async function run(file: string): Promise<boolean> {
  const startedMs = performance.now();
  say(`${file} …`);
  const { promise, resolve, reject } = Promise.withResolvers<number | null>();
  const child = spawn(process.execPath, ['--test', file], { stdio: ['ignore', 'pipe', 'pipe'] });
  const printed: Buffer[] = [];
  child.stdout.on('data', (piece: Buffer) => printed.push(piece));
  child.stderr.on('data', (piece: Buffer) => printed.push(piece));
  child.on('error', reject);
  child.on('close', resolve);
  const code = await promise;
  process.stdout.write(`\n${file}\n${Buffer.concat(printed).toString()}`);
  say(`${file}: ${code === 0 ? 'passed' : 'failed'} in ${secondsSince(startedMs)} s`);
  return code === 0;
}

function secondsSince(startedMs: number): number {
  return Math.round((performance.now() - startedMs) / 1000);
}

function say(line: string): void {
  process.stdout.write(`e2e: ${line}\n`);
}
