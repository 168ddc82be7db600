import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { decant } from '../../../test/build/decant.ts';
import type { PlanDiff } from './diff.ts';

const CLUSTER = join(import.meta.dirname, '../../../examples/forty-nodes.json.gz');

let folder: string;
before(() => {
  folder = mkdtempSync(join(tmpdir(), 'decant-diff-'));
});
after(() => rmSync(folder, { recursive: true }));

function file(name: string, ...objects: readonly object[]): string {
  const path = join(folder, name);
  writeFileSync(path, JSON.stringify({ apiVersion: 'v1', kind: 'List', items: objects }));
  return path;
}

function policy(spec: object, name = 'all') {
  return {
    apiVersion: 'decant.sh/v1alpha1',
    kind: 'ConsolidationPolicy',
    metadata: { name },
    spec: { nodePoolSelector: {}, ...spec },
  };
}

async function diff(...args: readonly string[]): Promise<PlanDiff> {
  const { code, stdout, stderr } = await decant(['diff', '-f', CLUSTER, ...args, '-o', 'json']);
  assert.deepEqual([code, stderr], [0, '']);
  return JSON.parse(stdout) as PlanDiff;
}

describe('decant diff', () => {
  test('a policy against the cluster as it is: plans of both sides are those of decant plan', async () => {
    const strict = file('strict.json', policy({ minNodes: 1000 }));
    const [changed, asItIs, under] = await Promise.all([
      diff(strict),
      decant(['plan', '-f', CLUSTER, '-o', 'json']),
      decant(['plan', '-f', CLUSTER, '-f', strict, '-o', 'json']),
    ]);
    const totals = [asItIs, under].map(({ stdout }) => JSON.parse(stdout).totals.plannedCentsPerHour);
    assert.deepEqual([changed.before.plannedCentsPerHour, changed.after.plannedCentsPerHour], totals);
    assert.ok(changed.plannedCentsPerHourDifference > 0);
    assert.equal(changed.before.title, 'current');
    assert.ok(changed.nodes.length > 0);
    for (const node of changed.nodes) {
      assert.ok(node.before !== node.after && (node.before === 'stay' || node.after === 'stay' || node.why === ''));
      if (node.after === 'stay') assert.match(node.why, /\w/);
    }
  });

  test('what only one side has is absent from the other', async () => {
    const both = file('both.json', policy({ minNodes: 1000 }));
    const none = file('none.json');
    const [there, gone] = [await diff(none, both), await diff(both, none)];
    assert.ok(there.plannedCentsPerHourDifference > 0);
    assert.equal(gone.plannedCentsPerHourDifference, -there.plannedCentsPerHourDifference);
  });

  test('a NodePool from a manifest keeps its status: without a change every node has the same fate', async () => {
    const snapshot = JSON.parse(gunzipSync(readFileSync(CLUSTER)).toString());
    const objects: { kind: string; status?: object }[] = snapshot.objects;
    const pools = objects.filter(({ kind }) => kind === 'NodePool').map(({ status: _, ...manifest }) => manifest);
    assert.ok(pools.length > 0);
    const same = await diff(file('pools.json', ...pools));
    assert.deepEqual([same.nodes, same.plannedCentsPerHourDifference], [[], 0]);
  });

  test('exit code 1 above --max-increase only', async () => {
    const strict = file('limit.json', policy({ minNodes: 1000 }));
    const codes = await Promise.all(
      ['0%', '500%'].map(async (most) => (await decant(['diff', '-f', CLUSTER, strict, '--max-increase', most])).code),
    );
    assert.deepEqual(codes, [1, 0]);
  });

  test('text and Markdown', async () => {
    const strict = file('words.json', policy({ minNodes: 1000 }));
    const [text, markdown] = await Promise.all(
      ['text', 'markdown'].map(async (output) => (await decant(['diff', '-f', CLUSTER, strict, '-o', output])).stdout),
    );
    assert.match(text, /^the planned cost rises by \$\d.*\/h \(\d+\.\d %\), \$\d.* a month\n/);
    assert.match(text, /^NODES WITH A DIFFERENT OUTCOME \(\d+\)$/m);
    assert.match(text, /(removed|replaced) → stays .*would have \d+ nodes?, its minNodes is/);
    assert.match(markdown, /^\*\*Decant: the planned cost rises by .*\*\*$/m);
    assert.match(markdown, /^\| planned cost \| \$/m);
    const widths = new Set(markdown.match(/^\|.*\|$/gm)?.map((line) => line.split(/(?<!\\)\|/).length));
    assert.deepEqual([...widths].sort(), [6, 7]);
  });

  test('versions of Karpenter', async () => {
    const versions = await diff('karpenter@1.14', 'karpenter@1.15');
    assert.deepEqual([versions.before.title, versions.after.title], ['karpenter@1.14', 'karpenter@1.15']);
  });

  test('a version that is not known is no file', async () => {
    const { code, stderr } = await decant(['diff', '-f', CLUSTER, 'karpenter@1.99', 'karpenter@1.15']);
    assert.equal(code, 2);
    assert.match(stderr, /karpenter@1\.99: allowed: karpenter, karpenter@1\.15, karpenter@1\.14, or files/);
  });

  test('a cluster from standard input is read once, for both sides', async () => {
    const strict = file('strict.json', policy({ minNodes: 1000 }));
    const { stdout } = await decant(
      ['diff', '-f', '-', strict, '-o', 'json'],
      gunzipSync(readFileSync(CLUSTER)).toString(),
    );
    assert.deepEqual(JSON.parse(stdout), await diff(strict));
  });

  test('refused: no such file', async () => {
    const { code, stdout, stderr } = await decant(['diff', '-f', CLUSTER, join(folder, 'nowhere.yaml')]);
    assert.deepEqual([code, stdout], [2, '']);
    assert.match(stderr, /nowhere\.yaml/);
  });
});
