import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { load } from 'js-yaml';
import { decant } from '../../../test/build/decant.ts';
import { TINY_WORKLOAD } from '../../../test/build/workload.ts';
import type { Command } from '../../controller/command.ts';
import type { TuningDocument } from '../../lab/tuning-document.ts';
import { commandObject } from '../../live/journal-object.ts';

let folder = '';
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'decant-tune-'));
  await writeFile(join(folder, 'tiny.yaml'), TINY_WORKLOAD);
});
after(() => rm(folder, { recursive: true }));

function tune(...more: readonly string[]) {
  const short = ['--days', '0.03', '--settings', '4', '--workers', '1', '--base', 'rfc'];
  return decant(['tune', '-w', join(folder, 'tiny.yaml'), ...short, ...more]);
}

describe('by simulation', () => {
  test('the curve, what is there now, the recommendation and what to paste', async () => {
    const { code, stdout, stderr } = await tune('--keep-savings', '50%');
    assert.deepEqual([code, stderr], [0, '']);
    assert.match(stdout, /^tiny: 0\.03 days, 1 seed; goal: at least 50 % of the possible savings\n/);
    assert.match(stdout, /stock \(now\)/);
    assert.match(
      stdout,
      /\nRecommended for tiny: threshold=\S+ grace=0 utilization=1\.\s+On\s+seeds\s+that\s+the\s+search\s+did\s+not\s+see,\s+it\s+costs\s+\$/,
    );
    assert.match(stdout, /consolidationSavingsThresholdCents: '\S+'\n/);
    assert.match(stdout, /\nmetadata:\n {2}name: tuned\n/);
  });

  test('JSON and YAML are one document, the same every time', async () => {
    const [json, yaml] = await Promise.all(['json', 'yaml'].map((o) => tune('--keep-savings', '50%', '-o', o)));
    const document: TuningDocument = JSON.parse(json.stdout);
    assert.deepEqual(load(yaml.stdout), document);
    assert.equal(document.current.policy, 'stock');
    assert.deepEqual(
      document.curve.map(({ policy }) => policy).sort(),
      ['0.5', '1', '2', '5']
        .map((t) => `threshold=${t} grace=0 utilization=1`)
        .concat('none', 'stock')
        .sort(),
    );
    assert.ok(document.recommended.paste.length > 0);
    assert.equal(document.heldOut?.recommended.policy, document.recommended.policy);
    assert.notDeepEqual(document.heldOut?.recommended, document.recommended);
  });

  test('a wish that nothing grants is a no, with what comes nearest; as a page too', async () => {
    const { code, stdout } = await tune('--keep-savings', '100%', '--max-evictions-per-pod-day', '0', '-o', 'html');
    assert.equal(code, 1);
    assert.match(stdout, /^<!doctype html>/i);
    assert.match(stdout, /No setting that was tried meets the goal/);
  });
});

describe('by history', () => {
  const command = (id: string, savingsCentsPerHour: number): Command => ({
    id,
    phase: 'done',
    decidedMs: Date.UTC(2026, 7, 20),
    phaseMs: Date.UTC(2026, 7, 20),
    drainingMs: Date.UTC(2026, 7, 20),
    nodes: [{ node: id, nodeClaim: id, nodePool: 'default', centsPerHour: 20, pods: 5 }],
    replacements: [],
    workloads: { web: 5 },
    predicted: { savingsCentsPerHour, requiredCentsPerHour: 0, disruptionCost: 6, evictions: 5 },
  });
  const journal = JSON.stringify({
    apiVersion: 'v1',
    kind: 'List',
    items: [commandObject(command('a', 0.6)), commandObject(command('b', 18))],
  });

  test('the threshold that keeps the good moves and refuses the others', async () => {
    const { code, stdout, stderr } = await decant(['tune', '--history', '-', '--keep-savings', '90%'], journal);
    assert.deepEqual([code, stderr], [0, '']);
    assert.match(stdout, /^2 moves in 1 days; goal: /);
    assert.match(stdout, /\nRecommended: a threshold of 2\.\n/);
    assert.match(stdout, /consolidationSavingsThresholdCents: "2"\n/);
  });

  test('evictions per pod need to know of how many', async () => {
    const args = ['tune', '--history', '-', '--max-evictions-per-pod-day', '1'];
    assert.match((await decant(args, journal)).stderr, /needs --pods/);
    const { stdout } = await decant([...args, '--pods', '5', '-o', 'json'], journal);
    assert.equal(JSON.parse(stdout).recommended.thresholdCents, 0.2);
  });

  test('the log of Karpenter, with the prices of the catalog', async () => {
    const line = (type: string, types: string) =>
      JSON.stringify({
        time: '2026-08-20T10:00:00Z',
        message: 'disrupting node(s)',
        reason: 'underutilized',
        'pod-count': 5,
        'disrupted-nodes': [{ 'capacity-type': 'on-demand', 'instance-type': type }],
        'replacement-nodes': [{ 'capacity-type': 'on-demand', 'instance-types': types }],
      });
    const log = ['2026 started', line('m6a.4xlarge', 'm6a.large, m6a.xlarge and 3 other(s)'), line('x9.huge', 'x')];
    const args = ['tune', '--karpenter-log', '-', '--keep-savings', '90%', '-o', 'json'];
    const { code, stdout, stderr } = await decant(args, log.join('\n'));
    assert.equal(code, 0);
    assert.match(stderr, /left out: 1 consolidations of instance types/);
    // 69.12 − 8.64 cents for 1 + 5.
    assert.equal(JSON.parse(stdout).recommended.thresholdCents, 10);
    assert.match((await decant(args, 'nothing')).stderr, /-: no line "disrupting node\(s\)"/);
  });
});

describe('bad input', () => {
  const cases: readonly (readonly [string, readonly string[], RegExp])[] = [
    ['no wish', ['-w', 'web'], /no goal: give --max-evictions-per-pod-day/],
    [
      'nothing to tune for',
      ['--keep-savings', '90%'],
      /give exactly one of -w, -f or --context, --history, --karpenter-log/,
    ],
    ['two things', ['-w', 'web', '--history', 'x', '--keep-savings', '90%'], /exactly one of/],
    ['a share that is none', ['-w', 'web', '--keep-savings', '190%'], /allowed: a percentage from 0% to 100%/],
    ['a negative number', ['-w', 'web', '--max-evictions-per-pod-day=-1'], /allowed: a number of at least 0/],
    [
      'a workload that is not there',
      ['-w', 'wbe', '--keep-savings', '9%'],
      /workload wbe: no such file, and not in the library/,
    ],
    [
      'a base without settings',
      ['-w', 'web', '--keep-savings', '9%', '--base', 'stock'],
      /--base stock: allowed: a policy with/,
    ],
    ['a policy that is not there', ['-w', 'web', '--keep-savings', '9%', '--current', 'clam'], /did you mean calm\?/],
  ];
  for (const [name, args, message] of cases) {
    test(name, async () => {
      const { code, stdout, stderr } = await decant(['tune', ...args]);
      assert.deepEqual([code, stdout], [2, '']);
      assert.match(stderr, message);
    });
  }
});
