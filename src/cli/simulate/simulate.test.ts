import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { decant } from '../../../test/build/decant.ts';

test('simulate prints what a run came to, the same for the same seed', async () => {
  const args = ['simulate', '-w', 'right-size', '--days', '0.3', '-o', 'json'];
  const [first, second, other] = await Promise.all([decant(args), decant(args), decant([...args, '--seed', '2'])]);
  assert.equal(first.code, 0, first.stderr);
  assert.equal(first.stdout, second.stdout);
  assert.notEqual(first.stdout, other.stdout);
  const run = JSON.parse(first.stdout);
  assert.equal(run.kind, 'Simulation');
  assert.equal(run.workload, 'right-size');
  assert.equal(run.days, 0.3);
  assert.ok(run.costDollars > 0 && run.commands > 0 && run.evictions > 0);
});

test('simulate as text: cost, nodes, evictions; without consolidation there are none', async () => {
  const { code, stdout } = await decant(['simulate', '-w', 'right-size', '--days', '0.3', '--policy', 'none']);
  assert.equal(code, 0);
  assert.match(stdout, /^right-size, 0\.30 days, policy none, seed 1$/m);
  assert.match(stdout, /^cost +\$\d+\.\d\d/m);
  assert.match(stdout, /^evictions +0 /m);
  assert.match(stdout, /^commands +none$/m);
});

test('simulate -f begins with a cluster of one’s own, and is the same twice', async () => {
  const args = ['simulate', '-f', 'examples/busy-node.yaml', '--policy', 'rfc', '--days', '0.05', '-o', 'json'];
  const [first, second, shaped] = await Promise.all([decant(args), decant(args), decant([...args, '--wave', '50%'])]);
  assert.equal(first.code, 0, first.stderr);
  assert.equal(first.stdout, second.stdout);
  assert.equal(JSON.parse(first.stdout).workload, 'snapshot');
  assert.ok(JSON.parse(first.stdout).costDollars > 0);
  assert.equal(shaped.code, 0, shaped.stderr);
});

test('simulate -f refuses nodes without a price: a type that is unknown, or a zone', async () => {
  const example = await readFile('examples/busy-node.yaml', 'utf8');
  for (const [there, here] of [
    ['m6a.2xlarge', 'zz9.odd'],
    ['us-east-1', 'eu-west-9'],
  ]) {
    const input = example.replaceAll(there, here);
    const { code, stderr } = await decant(['simulate', '-f', '-', '--days', '0.01'], input);
    assert.equal(code, 2, stderr);
    assert.match(stderr, /^decant: 2 of 2 nodes of NodePools \(100 % of their vCPUs\) have no price, such as /);
    assert.ok(stderr.includes(here), stderr);
  }
  const { code, stderr } = await decant(['simulate', '-f', '-', '--days', '0.01'], example);
  assert.equal(code, 0, stderr);
  assert.doesNotMatch(stderr, /price/);
});

test('simulate says in one line what is wrong, and what there is', async () => {
  const FULL_DISK = '/dev/full';
  const FULL: [string[], RegExp] = [
    ['simulate', '-w', 'busy-node', '--days', '0.01', '--events', FULL_DISK],
    /^decant: --events \/dev\/full: no space left on device\n$/,
  ];
  const cases: readonly [args: string[], message: RegExp][] = [
    [
      ['simulate'],
      /^decant: no workload: give -w with a workload of the library \(decant simulate --list\) or a file, or a cluster/,
    ],
    [
      ['simulate', '-w', 'no-such'],
      /^decant: workload no-such: no such file, and not in the library; decant simulate --list shows it\n$/,
    ],
    [['simulate', '-w', 'web', '--days', '-1'], /allowed: a number above 0, up to 3650/],
    [
      ['simulate', '-w', 'web', '-f', 'examples/busy-node.yaml'],
      /^decant: give one of -w, --history, or a cluster with -f, --kubeconfig or --context/,
    ],
    [['simulate', '-w', 'web', '--wave', '30%'], /^decant: --wave needs a cluster from -f/],
    [['simulate', '-f', 'examples/busy-node.yaml', '--wave', '130%'], /allowed: a percentage above 0%, up to 100%/],
    [['simulate', '-f', 'no-such.json'], /^decant: no-such\.json: /],
    [['simulate', '--kubeconfig', 'no-such'], /^decant: .*no-such: no such file or folder\n$/],
    [['simulate', '-w', 'web', '--context', 'here'], /give one of -w/],
    [['simulate', '-w', 'web', '--events', 'no-such/x'], /^decant: --events no-such\/x: no such file or folder\n$/],
    [['simulate', '-w', 'web', '--events', 'src'], /^decant: --events src: illegal operation on a directory\n$/],
    [['simulate', '-f', 'package.json'], /^decant: /],
    [
      ['simulate', '-w', 'spot-lader'],
      /^decant: workload spot-lader: no such file, and not in the library; did you mean spot-ladder\?\n$/,
    ],
    ...(existsSync(FULL_DISK) ? [FULL] : []),
    [['simulate', '-w', 'web', '--seed', 'x'], /allowed: a whole number/],
    [['simulate', '-w', 'web', '--policy', 'calmest'], /--policy: "calmest": allowed: .*none, stock/],
  ];
  for (const [args, message] of cases) {
    const { code, stdout, stderr } = await decant(args);
    assert.equal(code, 2, args.join(' '));
    assert.equal(stdout, '');
    assert.match(stderr, message);
  }
  const { stdout } = await decant(['simulate', '--list']);
  assert.match(stdout, /^cron-thrash +Five nodes of steady work, and jobs every five minutes/m);
  const { kind, items } = JSON.parse((await decant(['simulate', '--list', '-o', 'json'])).stdout);
  assert.deepEqual(
    [kind, items.map(({ name }: { name: string }) => name)],
    ['WorkloadList', [...stdout.matchAll(/^[a-z]\S+/gm)].map(([name]) => name)],
  );
});
