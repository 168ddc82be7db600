import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { load as parseYaml } from 'js-yaml';
import { decant } from '../../../test/build/decant.ts';

function validate(args: readonly string[], stdin = '', env: Readonly<Record<string, string>> = {}) {
  return decant(['validate', ...args], stdin, env);
}

function pool(name: string, disruption: unknown): object {
  return { apiVersion: 'karpenter.sh/v1', kind: 'NodePool', metadata: { name }, spec: { disruption } };
}

const BAD = `
apiVersion: karpenter.sh/v1
kind: NodePool
metadata:
  name: default
spec:
  disruption:
    consolidationGracePeriod: 5x
    consolidateAfter: 1 minute
    consolidationSavingsThresholdCents: 1
    consolidation:
      other: {a: 1}
---
apiVersion: karpenter.sh/v1
kind: NodePool
metadata:
  name: good
---
apiVersion: decant.sh/v1alpha1
kind: ConsolidationPolicy
metadata:
  name: calm
spec:
  consolidationPolicy: Always
`;

const BAD_LINES = `\
NodePool/default: spec.disruption.consolidateAfter: "1 minute": allowed: a duration in h, m and s such as "30s" or "2h30m", or "Never"
NodePool/default: spec.disruption.consolidationGracePeriod: "5x": allowed: a duration in h, m and s such as "30s" or "2h30m", or "Never"
NodePool/default: spec.disruption.consolidationSavingsThresholdCents: 1: allowed: a string, not a number: a decimal number of at least 0 such as "1" or "0.5"
NodePool/default: spec.disruption.consolidation.other: an object with a: allowed: no field of this name. The fields here are singleNode, multiNode, emptiness
ConsolidationPolicy/calm: spec.nodePoolSelector: not set: allowed: a label selector; {} selects every NodePool
ConsolidationPolicy/calm: spec.consolidationPolicy: "Always": allowed: one of WhenEmpty, WhenCheaper, WhenUnderutilized, WhenUnderutilizedOrCheaper, WhenEmptyOrUnderutilized, Balanced
`;

let folder: string;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'decant-'));
  const node = { apiVersion: 'v1', kind: 'Node', metadata: { name: 'n' }, status: 'not read' };
  const files = {
    'bad.yaml': BAD,
    'pool.json': JSON.stringify(pool('a', { consolidateAfter: '30s' })),
    'list.json': JSON.stringify({ apiVersion: 'v1', kind: 'List', items: [node, pool('b', {}), pool('c', undefined)] }),
    'snapshot.json': JSON.stringify({ now: '2026-08-20T12:00:00Z', objects: [node, pool('d', { budgets: [] })] }),
    'node.json': JSON.stringify(node),
    'broken.json': '{"kind":"NodePool","spec":{',
  };
  await Promise.all(Object.entries(files).map(([name, text]) => writeFile(join(folder, name), text)));
});
after(() => rm(folder, { recursive: true }));

test('every problem of every object, one line each, and exit code 1', async () => {
  assert.deepEqual(await validate(['-f', join(folder, 'bad.yaml')]), { code: 1, stdout: BAD_LINES, stderr: '' });
});

test('one line for what is valid: an object, a list and a snapshot', async () => {
  const files = ['pool.json', 'list.json', 'snapshot.json'].flatMap((name) => ['-f', join(folder, name)]);
  assert.deepEqual(await validate(files), { code: 0, stdout: 'valid: 4 NodePools, settings\n', stderr: '' });
});

test('switches are checked like fields, from the command line and the environment', async () => {
  const args = ['-f', join(folder, 'pool.json'), '--scaledown-utilization-threshold', '1.5', '--shield-destinations'];
  const { code, stdout } = await validate(args, '', { DECANT_MAX_REPLACEMENTS: 'many' });
  assert.equal(code, 1);
  assert.equal(
    stdout,
    'command line: --scaledown-utilization-threshold: "1.5": allowed: a number from 0 to 1\n' +
      'environment: DECANT_MAX_REPLACEMENTS: "many": allowed: a whole number of at least 1\n',
  );
});

test('JSON and YAML are one document, with the values as given', async () => {
  const input = JSON.stringify({
    kind: 'NodePoolList',
    items: [{ ...pool('x', { balancedK: 1.5 }), kind: undefined }],
  });
  const [json, yaml] = await Promise.all(['json', 'yaml'].map((output) => validate(['-f', '-', '-o', output], input)));
  assert.equal(json.code, 1);
  const result = JSON.parse(json.stdout);
  assert.deepEqual(parseYaml(yaml.stdout), result);
  assert.deepEqual([result.kind, result.valid, result.objects], ['Validation', false, ['NodePool/x']]);
  assert.deepEqual(result.problems, [
    {
      object: 'NodePool/x',
      field: 'spec.disruption.balancedK',
      value: 1.5,
      allowed: 'a number above 0: a whole number, or a decimal as a string such as "1.5"',
    },
  ]);
});

test('content decides between JSON and YAML, whatever the file is called, as for every other command', async () => {
  const pool = 'apiVersion: karpenter.sh/v1\nkind: NodePool\nmetadata: { name: y }\nspec: { disruption: {} }\n';
  const file = join(folder, 'yaml-inside.json');
  await writeFile(file, pool);
  assert.deepEqual(await validate(['-f', file]), { code: 0, stdout: 'valid: 1 NodePool, settings\n', stderr: '' });
  const other = join(folder, 'json-inside.yaml');
  await writeFile(other, JSON.stringify(parseYaml(pool), null, '\t'));
  assert.deepEqual(await validate(['-f', other]), { code: 0, stdout: 'valid: 1 NodePool, settings\n', stderr: '' });
});

const refused: readonly [string, readonly string[], RegExp][] = [
  ['nothing given', [], /^decant: no input: /],
  ['no such file', ['-f', 'missing.yaml'], /^decant: missing\.yaml: no such file or folder\n$/],
  [
    'a file that ends too soon',
    ['-f', 'broken.json'],
    /^decant: .*broken\.json: byte 27 in document 1: the end of the file where /,
  ],
  ['nothing in it to validate', ['-f', 'node.json'], /^decant: nothing to validate: no NodePool/],
  [
    'a format that is not there',
    ['-f', 'pool.json', '-o', 'html'],
    /^decant: command line: --output: "html": allowed: text, json, yaml/,
  ],
];
for (const [name, args, message] of refused) {
  test(`exit code 2 for ${name}`, async () => {
    const placed = args.map((arg) => (arg.endsWith('.json') ? join(folder, arg) : arg));
    const { code, stdout, stderr } = await validate(placed);
    assert.deepEqual([code, stdout], [2, '']);
    assert.match(stderr, message);
  });
}

test('help has an example', async () => {
  const { code, stdout } = await validate(['--help']);
  assert.equal(code, 0);
  assert.match(stdout, /Examples:\n {2}kubectl get nodepools -o json \| decant validate -f -/);
});
