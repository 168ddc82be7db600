import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Plan } from '../engine/plan-document.ts';

const MAIN = join(import.meta.dirname, 'main.ts');
const EXAMPLE = join(import.meta.dirname, '../../examples/forty-nodes.json.gz');
/** More work than the search can do while the test waits. */
const ENDLESS = [
  ...['--work-budget', '100000000', '--progress'],
  ...['--spot-to-spot', '--scaledown-utilization-threshold', '1'],
];

test('Ctrl-C gives the best plan so far', async () => {
  const child = spawn(process.execPath, [MAIN, 'plan', '-f', EXAMPLE, ...ENDLESS, '-o', 'json']);
  let stdout = '';
  let interrupted = false;
  child.stdout.setEncoding('utf8').on('data', (text) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    if (interrupted || !text.includes('searched')) return;
    interrupted = true;
    child.kill('SIGINT');
  });
  const [code, signal] = await new Promise<[number | null, string | null]>((resolve) => {
    child.on('close', (...ended) => resolve(ended));
  });
  assert.deepEqual([code, signal, interrupted], [0, null, true]);
  const plan: Plan = JSON.parse(stdout);
  assert.equal(plan.kind, 'Plan');
  assert.ok((plan.coverage?.work ?? 0) < 100_000_000);
});
