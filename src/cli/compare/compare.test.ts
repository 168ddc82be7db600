import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { loadAll } from 'js-yaml';
import { decant } from '../../../test/build/decant.ts';
import { schemaProblems } from '../../../test/build/json-schema.ts';
import { TINY_WORKLOAD } from '../../../test/build/workload.ts';
import type { ComparisonDocument } from '../../lab/comparison-document.ts';
import { compareCommand } from './compare.ts';
import type { CompareOptions } from './flags.ts';

const POLICY = `
name: patient
disruption: { consolidationGracePeriod: 10m }
switches: { pool-cooldown: 1m }
`;

let folder = '';
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'decant-compare-'));
  await writeFile(join(folder, 'tiny.yaml'), TINY_WORKLOAD);
  await writeFile(join(folder, 'patient.yaml'), POLICY);
});
after(() => rm(folder, { recursive: true }));

function args(): string[] {
  const policies = ['--policies', 'none', 'stock', join(folder, 'patient.yaml')];
  return ['compare', '-w', join(folder, 'tiny.yaml'), ...policies, '--days', '0.03', '--seeds', '2', '--workers', '1'];
}

async function printed(given: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<string> {
  const { code, stdout, stderr } = await decant(given, '', env);
  assert.deepEqual([stderr, code], ['', 0]);
  return stdout;
}

/** What it took is all that may differ. */
function timeless(json: string): string {
  return json.replace(/"elapsedMs": \d+/g, '"elapsedMs": 0');
}

describe('decant compare', () => {
  let json = '';

  test('as JSON: what the schema says, a run for each policy', async () => {
    json = await printed([...args(), '--workers', '2', '-o', 'json']);
    const document: ComparisonDocument = JSON.parse(json);
    const schema = JSON.parse(
      await readFile(join(import.meta.dirname, '../../../docs/comparison.schema.json'), 'utf8'),
    );
    assert.deepEqual(schemaProblems(schema, document), []);
    assert.deepEqual(
      document.runs.map(({ workload, policy, seeds, days }) => [workload, policy, seeds, days]),
      ['none', 'stock', 'patient'].map((policy) => ['tiny', policy, 2, 0.03]),
    );
    const [none, stock, patient] = document.runs;
    assert.equal(none.commands, 0);
    assert.ok(stock.commands > 0 && patient.commands > 0, json);
    assert.ok(stock.costDollars < none.costDollars && patient.costDollars < none.costDollars, json);
  });

  test('shards of separate processes are, merged, what one process has, byte for byte', async () => {
    const results = join(folder, 'results');
    const shardOf = (shard: string, env = {}) => printed([...args(), '--shard', shard, '--results', results], env);
    const [page] = await Promise.all([
      printed([...args(), '-o', 'html']),
      shardOf('0/3'),
      shardOf('1/3'),
      shardOf('3', { JOB_COMPLETION_INDEX: '2' }),
    ]);
    // The last run left the report.
    const left = (await readdir(results)).sort();
    assert.deepEqual(left, ['comparison.html', 'comparison.json', ...[0, 1, 2].map((i) => `shard-${i}-of-3.json`)]);
    assert.equal(timeless(await readFile(join(results, 'comparison.json'), 'utf8')), timeless(json));
    assert.ok((await readFile(join(results, 'comparison.html'), 'utf8')) === page, 'the page differs');
    assert.equal(timeless(await printed(['compare', '--merge', results, '-o', 'json'])), timeless(json));
  });

  test('a shard of all, by way of a pipe', async () => {
    const all = await printed([...args(), '--shard', '1/1']);
    const { code, stdout } = await decant(['compare', '--merge', '-'], all);
    assert.equal(code, 0);
    assert.match(stdout, /^0\.03 days, 2 seeds; ± is the 95 % confidence interval\n\ntiny\n +POLICY +COST/);
  });

  test('as a Job: the same comparison, with its files', async () => {
    const text = await printed([
      ...args(),
      '--threshold',
      '0,1',
      '--work-budget',
      '50',
      '--job',
      '--shard',
      '4',
      '--image',
      'decant:test',
    ]);
    const [input, , job] = loadAll(text) as [
      { data: Readonly<Record<string, string>> },
      unknown,
      { spec: { template: { spec: { containers: [{ image: string; args: readonly string[] }] } } } },
    ];
    assert.deepEqual(input.data, { 'tiny.yaml': TINY_WORKLOAD, 'patient.yaml': POLICY });
    const [container] = job.spec.template.spec.containers;
    assert.equal(container.image, 'decant:test');
    assert.equal(
      container.args.join(' '),
      'compare -w /input/tiny.yaml --policies none stock /input/patient.yaml --threshold 0,1 --work-budget 50 --seeds 2 --days 0.03 --shard 4 --results /results',
    );
  });
});

describe('bad input', () => {
  const commandLines: readonly [string, readonly string[], RegExp][] = [
    ['no workload', [], /no workload: give -w with a workload of the library/],
    ['an unknown policy', ['-w', 'web', '--policies', 'clam'], /"clam": allowed: none, .*; did you mean calm\?/],
    ['shard 5/3', ['-w', 'web', '--shard', '5/3'], /--shard: "5\/3": allowed: i\/n such as 0\/4/],
    ['an empty merge', ['--merge'], /--merge <file\.\.\.>' argument missing/],
    ['no seeds', ['-w', 'web', '--seeds', '0'], /a whole number from 1 to 1000/],
    ['no time', ['-w', 'web', '--days', '0'], /a number above 0, up to 3650/],
  ];
  for (const [what, given, message] of commandLines) {
    test(`${what} ends with 2 and says what is wrong`, async () => {
      const { code, stdout, stderr } = await decant(['compare', ...given]);
      assert.match(stderr, message);
      assert.deepEqual([stdout, code], ['', 2]);
    });
  }

  test('a policy file with several mistakes: each is reported on its own line', async () => {
    const file = join(folder, 'sloppy.yaml');
    await writeFile(file, 'controler: stock\ndisruption: { consolidationGracePeriod: 5x }\n');
    const { code, stdout, stderr } = await decant(['compare', '-w', 'web', '--policies', file]);
    const lines = stderr.trimEnd().split('\n');
    assert.match(lines[0], /^decant: .*sloppy\.yaml: controler: "stock": allowed: .*did you mean controller\?/);
    assert.match(lines[1], /^decant: .*sloppy\.yaml: disruption\.consolidationGracePeriod: "5x": allowed: a duration/);
    assert.deepEqual([lines.length, stdout, code], [2, '', 2]);
  });

  const USUAL = {
    requestTimeout: 1,
    seed: 1,
    seeds: 1,
    days: 1,
    output: 'text',
    workers: 1,
    image: 'x',
    base: 'rfc',
  } as const;
  const web = ['web'];
  const options: readonly [string, () => Partial<CompareOptions>, RegExp][] = [
    [
      'an unknown workload',
      () => ({ workload: ['wob'] }),
      /workload wob: no such file, and not in the library; did you mean web\?/,
    ],
    ['a missing workload', () => ({ workload: ['./x.yaml'] }), /\.\/x\.yaml: no such file/],
    ['a workload twice', () => ({ workload: ['web', 'web'] }), /two workloads are named web/],
    ['a missing policy', () => ({ workload: web, policies: ['x.yaml'] }), /x\.yaml: no such file/],
    ['a policy twice', () => ({ workload: web, policies: ['calm', 'calm'] }), /two policies are named calm/],
    [
      'a file that is no policy',
      () => ({ workload: web, policies: [join(folder, 'tiny.yaml')] }),
      /tiny\.yaml: nodePools: /,
    ],
    ['an unknown base', () => ({ workload: web, threshold: '1', base: 'x' }), /--base: "x": allowed: none, stock/],
    ['a bad grid', () => ({ workload: web, grace: '0,5x' }), /--grace: "5x": allowed: a duration/],
    ['a shard without index', () => ({ workload: web, shard: '3' }), /JOB_COMPLETION_INDEX: not set: allowed: 0 to 2/],
    ['a merge of other files', () => ({ merge: [join(folder, 'tiny.yaml')] }), /tiny\.yaml: not a shard /],
    ['a merge of nothing', () => ({ merge: ['./x.json'] }), /x\.json: no such file/],
    ['a merge with a shard', () => ({ merge: ['x'], shard: '1/2' }), /give one of the two/],
    ['results of no shard', () => ({ workload: web, results: 'x' }), /--results is for --shard/],
    ['a job without shards', () => ({ workload: web, job: true }), /--job needs --shard n/],
  ];
  for (const [what, given, message] of options) {
    test(`${what} is refused`, async () => {
      await assert.rejects(compareCommand({ ...USUAL, ...given() }), message);
    });
  }
});
