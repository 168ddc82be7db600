import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { decant } from '../../../test/build/decant.ts';
import { BUILT_IN_POLICIES } from '../../lab/built-in-policies.ts';
import { runOne } from '../../lab/run-one.ts';
import { loadWorkload } from '../experiment/load-workload.ts';

const MAIN = join(import.meta.dirname, '../main.ts');
/** Small, and much happens in it. */
const WORKLOAD = 'churn-episode';

describe('decant demo', () => {
  test('one virtual day is the same every time, and its figures are those of the ledger', async () => {
    const [once, piped, calm, stock] = await Promise.all([
      printed(['demo', '--once', '-w', WORKLOAD, '--seed', '2']),
      printed(['demo', '-w', WORKLOAD, '--seed', '2']),
      ledger('calm'),
      ledger('stock'),
    ]);
    assert.equal(piped, once);
    assert.deepEqual(
      rowOf(once, 'cost'),
      [calm, stock].map((l) => `$${l.costDollars.toFixed(2)}`),
    );
    assert.deepEqual(
      rowOf(once, 'evictions'),
      [calm, stock].map((l) => String(l.evictions)),
    );
    assert.deepEqual(
      rowOf(once, '  again within 30 min'),
      [calm, stock].map((l) => String(l.reevictions)),
    );
    const [paid, baseline] = [calm, stock].map((l) => Math.round(l.costDollars * 100));
    const saved = Math.abs(baseline - paid) / 100;
    assert.ok(once.includes(`24 h, seed 2: ${baseline > paid ? 'saved' : 'spent'} $${saved.toFixed(2)} `), once);
    const [, abandoned] = new RegExp(`^${calm.commands} commands executed, (\\d+) abandoned`, 'm').exec(once) ?? [];
    const told = once.match(/^\w{3} \d\d:\d\d {2}#\d+ /gm) ?? [];
    const done = once.match(/^\w{3} \d\d:\d\d {2}#\d+ (?!abandoned)/gm) ?? [];
    assert.equal(done.length, calm.commands);
    assert.ok(told.length - done.length <= Number(abandoned));
    assert.equal(new Set(told.map((line) => line.slice(11))).size, told.length, 'one line per command');
    assert.match(once, /^at the end, \d+ nodes? stays?: \d+ /m);
    for (const line of once.split('\n')) assert.ok(line.length <= 100, line);
  });

  test('stock Karpenter at work', async () => {
    const text = await printed(['demo', '-w', WORKLOAD, '--policy', 'stock']);
    const { evictions, commands } = await ledger('stock', 1);
    assert.match(text, /consolidation by Karpenter: node default-\d+ \(\S+\) is removed, \d+ pods? to move/);
    assert.equal(rowOf(text, 'evictions')[0], String(evictions));
    assert.match(text, new RegExp(`^${commands} commands executed, 0 abandoned`, 'm'));
  });

  test('Ctrl-C ends it with a summary of what there is', async () => {
    for (const pace of [['--speed', '1h'], ['--once']]) {
      const { code, signal, stdout } = await interrupted(['demo', '-w', 'mass-scale-in', ...pace]);
      assert.deepEqual([code, signal], [0, null]);
      const [, hours] = stdout.match(/^mass-scale-in, (\d+) (?:h|min).*, seed 1: /m) ?? [];
      assert.ok(Number(hours) > 0, stdout);
      assert.ok(!stdout.includes('Tue 00:00'), stdout);
      assert.match(stdout, /^cost +\$\d/m);
    }
  });

  for (const [args, complaint] of [
    [['--speed', '5'], /--speed.*allowed: a duration from 1s to 24h/],
    [['--speed', '1h', '--once'], /cannot be used with/],
    [['--seed', '-1'], /allowed: a whole number/],
    [['--policy', 'clam'], /--policy: .*clam.*calm/],
    [['-w', 'nowhere'], /workload nowhere: no such file, and not in the library/],
  ] as const)
    test(`${args.join(' ')} is refused`, async () => {
      const { code, stdout, stderr } = await decant(['demo', ...args]);
      assert.deepEqual([code, stdout], [2, '']);
      assert.match(stderr, complaint);
    });
});

async function printed(args: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await decant(args);
  assert.deepEqual([code, stderr], [0, '']);
  return stdout;
}

async function ledger(policyName: string, seed = 2) {
  const policy = BUILT_IN_POLICIES.find(({ name }) => name === policyName);
  assert.ok(policy !== undefined);
  return runOne({ workload: WORKLOAD, policy, seed, days: 1 }, await loadWorkload(WORKLOAD));
}

function rowOf(text: string, title: string): readonly string[] {
  const line = text.split('\n').find((each) => each.startsWith(`${title}  `));
  return line?.slice(title.length).trim().split(/ {2,}/) ?? [];
}

interface Ended {
  readonly code: number | null;
  readonly signal: string | null;
  readonly stdout: string;
}

/** Ctrl-C when something has been told after the first hour. */
function interrupted(args: readonly string[]): Promise<Ended> {
  const child = spawn(process.execPath, [MAIN, ...args]);
  let stdout = '';
  let sent = false;
  child.stdout.setEncoding('utf8').on('data', (text) => {
    stdout += text;
    if (sent || !/^Mon 0[1-9]:/m.test(stdout)) return;
    sent = true;
    child.kill('SIGINT');
  });
  return new Promise((resolve) => child.on('close', (code, signal) => resolve({ code, signal, stdout })));
}
