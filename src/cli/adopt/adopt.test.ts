import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { loadAll } from 'js-yaml';
import { decant } from '../../../test/build/decant.ts';

function pool(name: string, disruption: unknown, more: object = {}): object {
  return { apiVersion: 'karpenter.sh/v1', kind: 'NodePool', metadata: { name }, spec: { disruption, ...more } };
}

const POOLS = JSON.stringify({
  kind: 'List',
  items: [
    pool('default', { consolidateAfter: '30s' }),
    pool('gpu', {}, { replicas: 2 }),
    pool('off', { consolidateAfter: 'Never' }),
  ],
});

function adopt(...args: readonly string[]) {
  return decant(['adopt', '-f', '-', ...args], POOLS);
}

test('text tells what a pool is, what changes, both policies and both patches', async () => {
  const { code, stdout, stderr } = await adopt();
  assert.deepEqual([code, stderr], [0, '']);
  assert.match(stdout, /^NODEPOOL default: consolidated by Karpenter\n {2}- consolidateAfter 30s moves to the policy/);
  assert.match(stdout, /\nNODEPOOL gpu: static, 2 nodes: neither Karpenter nor Decant consolidates it/);
  assert.match(stdout, /\nNODEPOOL off: consolidation is off \(Never\)\n/);
  assert.match(stdout, / {4}kubectl patch nodepool default --type merge -p '\{"metadata":/);
  assert.match(stdout, /\nSTEPS\n {2}1\. decant crd \| kubectl apply/);
  assert.match(stdout, /\n {5}--compat karpenter, for the current behavior\n/);
});

test('YAML is policies and nothing else, and says on stderr what is left out', async () => {
  const { code, stdout, stderr } = await adopt('-o', 'yaml');
  assert.equal(code, 0);
  const [policy, ...more] = loadAll(stdout) as { kind: string; metadata: object; spec: object }[];
  assert.deepEqual([policy.kind, policy.metadata, more], ['ConsolidationPolicy', { name: 'default' }, []]);
  assert.match(stderr, /^decant: NodePool\/gpu is left out: static.*\ndecant: NodePool\/off is left out: .*\n$/);
});

test('JSON is a List; calm offers a policy to pools without consolidation too', async () => {
  const { stdout } = await adopt('-o', 'json', '--profile', 'calm');
  const list = JSON.parse(stdout);
  assert.equal(list.kind, 'List');
  assert.deepEqual(
    list.items.map((item: { metadata: { name: string } }) => item.metadata.name),
    ['default', 'off'],
  );
});

test('patches alone, one command a line', async () => {
  const { stdout } = await adopt('--hand-over', 'default');
  assert.equal(
    stdout,
    `kubectl patch nodepool default --type merge -p '{"metadata":{"labels":{"decant.sh/policy":"default"},"annotations":{"decant.sh/consolidate-after":"30s"}},"spec":{"disruption":{"consolidateAfter":"Never"}}}'\n`,
  );
});

test('a pool that was handed over can be given back from what it holds', async () => {
  const labels = { 'decant.sh/policy': 'default' };
  const metadata = { name: 'default', labels, annotations: { 'decant.sh/consolidate-after': '30s' } };
  const handedOver = { ...pool('default', { consolidateAfter: 'Never' }), metadata };
  const spec = { nodePoolSelector: { matchLabels: labels } };
  const policy = { apiVersion: 'decant.sh/v1alpha1', kind: 'ConsolidationPolicy', metadata: { name: 'p' }, spec };
  const input = JSON.stringify({ kind: 'List', items: [handedOver, policy] });
  const { code, stdout } = await decant(['adopt', '-f', '-', '--give-back', '-o', 'json'], input);
  assert.equal(code, 0);
  assert.deepEqual(JSON.parse(stdout), [
    {
      nodePool: 'default',
      patch: {
        metadata: { labels: { 'decant.sh/policy': null }, annotations: { 'decant.sh/consolidate-after': null } },
        spec: { disruption: { consolidateAfter: '30s' } },
      },
    },
  ]);
});

const refused: readonly [string, string, readonly string[], RegExp][] = [
  ['no pools', '{"kind":"List","items":[]}', [], /^decant: nothing to adopt: no NodePool/],
  [
    'a pool that there is not',
    POOLS,
    ['web'],
    /^decant: NodePool\/web: not found; the NodePools are default, gpu, off\n$/,
  ],
  [
    'a name for a shell to stumble on',
    JSON.stringify(pool("x'; reboot '", {})),
    ['--hand-over'],
    /^decant: NodePool\/x'.*: not a valid Kubernetes name/,
  ],
  [
    'a pool given twice',
    JSON.stringify({ kind: 'List', items: [pool('a', {}), pool('a', {})] }),
    [],
    /^decant: NodePool\/a: given twice/,
  ],
  ['both ways at once', POOLS, ['--hand-over', '--give-back'], /cannot be used with/],
];
for (const [name, input, args, message] of refused) {
  test(`exit code 2 for ${name}`, async () => {
    const { code, stdout, stderr } = await decant(['adopt', '-f', '-', ...args], input);
    assert.deepEqual([code, stdout], [2, '']);
    assert.match(stderr, message);
  });
}

test('exit code 1 if there is nothing to hand over', async () => {
  assert.equal((await adopt('gpu', '--hand-over')).code, 1);
});

test('without files: a cluster, and exit code 3 if it cannot be reached', async () => {
  const kubeconfig = JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'x',
    contexts: [{ name: 'x', context: { cluster: 'x', user: 'x' } }],
    clusters: [{ name: 'x', cluster: { server: 'https://127.0.0.1:9' } }],
    users: [{ name: 'x', user: {} }],
  });
  const folder = await mkdtemp(join(tmpdir(), 'decant-'));
  const file = join(folder, 'kubeconfig');
  await writeFile(file, kubeconfig);
  const { code, stderr } = await decant(['adopt', '--kubeconfig', file]);
  await rm(folder, { recursive: true });
  assert.equal(code, 3, stderr);
  assert.equal(stderr.trim().split('\n').length, 1, stderr);
});

test('a recommended policy with the same fields is not printed twice', async () => {
  const same = await decant(['adopt', '-f', '-'], JSON.stringify(pool('a', { consolidateAfter: '1m' })));
  assert.equal(same.stdout.match(/kind: ConsolidationPolicy/g)?.length, 1);
  assert.match(
    same.stdout,
    /\n {2}The recommended policy \(calm\) has the same fields; its settings are in step 2\.\n/,
  );
  const other = await decant(['adopt', '-f', '-'], JSON.stringify(pool('a', { consolidateAfter: '30s' })));
  assert.equal(other.stdout.match(/kind: ConsolidationPolicy/g)?.length, 2);
});
