import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { decant } from '../../../test/build/decant.ts';
import { TINY_WORKLOAD } from '../../../test/build/workload.ts';
import type { ComparisonDocument } from '../../lab/comparison-document.ts';

const EXAMPLE = 'examples/busy-node.yaml';
const ARGS = ['compare', '-f', EXAMPLE, '--policies', 'stock', 'rfc', '--days', '0.03', '--seeds', '1'];

let folder = '';
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'decant-found-'));
});
after(() => rm(folder, { recursive: true }));

async function printed(args: readonly string[], stdin = ''): Promise<string> {
  const { code, stdout, stderr } = await decant(args, stdin);
  assert.deepEqual([stderr, code], ['', 0]);
  return stdout;
}

function timeless(json: string): string {
  return json.replace(/"elapsedMs": \d+/g, '"elapsedMs": 0');
}

describe('compare -f: a cluster of one’s own', () => {
  test('is where every policy begins, and what it costs left alone is what it costs now', async () => {
    const { runs }: ComparisonDocument = JSON.parse(await printed([...ARGS, '-o', 'json']));
    assert.deepEqual(
      runs.map(({ workload, policy }) => [workload, policy]),
      ['none', 'stock', 'rfc'].map((policy) => ['snapshot', policy]),
    );
    const { totals } = JSON.parse(await printed(['plan', '-f', EXAMPLE, '-o', 'json']));
    const [none] = runs;
    assert.equal(none.commands, 0);
    assert.ok(Math.abs(none.costDollars - (totals.centsPerHour / 100) * 24 * 0.03) < 1e-3, String(none.costDollars));
  });

  test('in shards of separate processes, merged: byte for byte the same', async () => {
    const shard = (i: number) => printed([...ARGS, '--shard', `${i}/2`, '--results', folder]);
    const [whole] = await Promise.all([printed([...ARGS, '-o', 'json']), shard(0), shard(1)]);
    assert.equal(timeless(await printed(['compare', '--merge', folder, '-o', 'json'])), timeless(whole));
  });

  test('shards of clusters that go on differently are not merged', async () => {
    const [one, other] = await Promise.all([
      printed([...ARGS, '--shard', '0/2']),
      printed([...ARGS, '--wave', '50%', '--shard', '1/2']),
    ]);
    const files = await mkdtemp(join(folder, 'other-'));
    await Promise.all([writeFile(join(files, '0.json'), one), writeFile(join(files, '1.json'), other)]);
    const { code, stdout, stderr } = await decant(['compare', '--merge', join(files, '0.json'), join(files, '1.json')]);
    assert.deepEqual([stdout, code], ['', 2]);
    assert.match(stderr, /1\.json/);
  });

  test('beside a workload', async () => {
    const file = join(folder, 'tiny.yaml');
    await writeFile(file, TINY_WORKLOAD);
    const text = await printed(['compare', '-f', EXAMPLE, '-w', file, '--policies', 'none', '--days', '0.01']);
    assert.match(text, /^snapshot$[\s\S]*^tiny$/m);
  });

  test('goes into no Job: it is too large for a ConfigMap', async () => {
    const { code, stdout, stderr } = await decant([...ARGS, '--job', '--shard', '4']);
    assert.deepEqual([stdout, code], ['', 2]);
    assert.match(stderr, /--job takes no -f and no --context: .*run its shards with --shard\n$/);
  });
});

describe('bad input', () => {
  const cases: readonly [string, readonly string[], string, RegExp][] = [
    ['no such file', ['-f', 'no-such.json'], '', /^decant: no-such\.json: no such file/],
    ['nothing in it', ['-f', '-'], '{"kind":"List","items":[]}', /^decant: the cluster has no nodes/],
    ['a wave without a cluster', ['-w', 'web', '--wave', '30%'], '', /^decant: --wave needs a cluster from -f/],
    ['a wave that is too high', ['-f', EXAMPLE, '--wave', '130%'], '', /allowed: a percentage above 0%/],
    ['a price list without a cluster', ['-w', 'web', '--catalog', 'x'], '', /^decant: --catalog needs a cluster/],
  ];
  for (const [what, args, stdin, message] of cases) {
    test(`${what}: 2, and a line that says so`, async () => {
      const { code, stdout, stderr } = await decant(['compare', ...args], stdin);
      assert.match(stderr, message);
      assert.deepEqual([stdout, code], ['', 2]);
    });
  }
});
