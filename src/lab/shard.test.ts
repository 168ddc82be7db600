import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { experiment, namedPolicy, results } from '../../test/build/lab.ts';
import { runs } from '../../test/build/runs.ts';
import { compared } from './comparison.ts';
import { jobsOf } from './experiment.ts';
import { jobsOfShard, readShard } from './shard.ts';
import { mergeShards, type ShardFile, shardDocument } from './shard-document.ts';

describe('--shard', () => {
  test('counts as Kubernetes does, and takes it when people count from 1', () => {
    assert.deepEqual(readShard('0/3', undefined), { shard: { index: 0, of: 3 } });
    assert.deepEqual(readShard('2/3', undefined), { shard: { index: 2, of: 3 } });
    assert.deepEqual(readShard('3/3', undefined), { shard: { index: 0, of: 3 } });
    assert.deepEqual(readShard('3', '2'), { shard: { index: 2, of: 3 } });
    // What is said goes before where it runs.
    assert.deepEqual(readShard('1/3', '2'), { shard: { index: 1, of: 3 } });
  });

  const refused: readonly [string, string | undefined, string][] = [
    ['5/3', undefined, '--shard'],
    ['4/3', undefined, '--shard'],
    ['0/0', undefined, '--shard'],
    ['1/', undefined, '--shard'],
    ['-1/3', undefined, '--shard'],
    ['a/b', undefined, '--shard'],
    ['0/99999', undefined, '--shard'],
    ['3', undefined, 'JOB_COMPLETION_INDEX'],
    ['3', '3', 'JOB_COMPLETION_INDEX'],
    ['3', 'x', 'JOB_COMPLETION_INDEX'],
  ];
  for (const [text, index, field] of refused) {
    test(`${text} with index ${index} is refused`, () => {
      const reading = readShard(text, index);
      assert.ok('problems' in reading);
      assert.equal(reading.problems[0].field, field);
    });
  }

  test('shards are everything, once', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 9 }), fc.nat(30), (of, jobs) => {
        const all = Array.from({ length: of }, (_, index) => jobsOfShard({ index, of }, jobs)).flat();
        assert.deepEqual(
          all.sort((a, b) => a - b),
          Array.from({ length: jobs }, (_, i) => i),
        );
      }),
      runs(200),
    );
  });
});

const WHOLE = experiment({
  workloads: [
    { name: 'web', digest: 'one', blocks: [] },
    { name: 'batch', digest: 'two', blocks: [] },
  ],
  policies: [namedPolicy('none', { controller: 'none' }), namedPolicy('a'), namedPolicy('b')],
  seeds: 4,
  days: 0.5,
});

function files(of: number, whole = WHOLE): ShardFile[] {
  const jobs = jobsOf(whole);
  return Array.from({ length: of }, (_, index) => {
    const shard = { index, of };
    const document = shardDocument(shard, whole, results(jobs, jobsOfShard(shard, jobs.length)).reverse());
    // By way of text, as they come from other machines.
    return { file: `shard-${index}.json`, content: JSON.parse(JSON.stringify(document)) };
  });
}

function problem(given: readonly ShardFile[]): string {
  const merging = mergeShards(given);
  assert.ok('problem' in merging);
  return merging.problem;
}

describe('--merge', () => {
  test('any number of shards, in any order, is what one process has', () => {
    const whole = JSON.stringify(compared(WHOLE, results(jobsOf(WHOLE))));
    for (const shards of [1, 2, 5, 24, 30]) {
      const merging = mergeShards(files(shards).reverse());
      assert.ok('results' in merging, JSON.stringify(merging));
      assert.equal(JSON.stringify(compared(merging.experiment, merging.results)), whole);
    }
  });

  test('says what is missing, double, different or something else', () => {
    const three = files(3);
    assert.match(problem([]), /nothing to merge/);
    assert.equal(problem([three[0], three[2]]), '1 of 3 shards are missing: 1');
    assert.equal(problem([three[0], three[1], three[1]]), 'shard-1.json and shard-1.json are both shard 1 of 3');
    assert.match(problem([three[0], files(2)[1]]), /different comparisons: of 3 and of 2 shards/);
    const other = files(3, { ...WHOLE, workloads: [{ name: 'web', digest: 'new', blocks: [] }, WHOLE.workloads[1]] });
    assert.match(problem([three[0], other[1], three[2]]), /different comparisons: workloads differ/);
    assert.match(problem([{ file: 'x.json', content: { kind: 'Plan' } }]), /^x\.json: not a shard written by/);
    assert.match(problem([{ file: 'x.json', content: null }]), /^x\.json: not a shard written by/);
  });

  test('a shard with results of other jobs is refused', () => {
    const [first, second] = files(2);
    const content = first.content as { results: unknown[] };
    const cut = { file: first.file, content: { ...content, results: content.results.slice(1) } };
    assert.match(problem([cut, second]), /shard 0 of 2 does not have the results of its 12 jobs/);
  });
});
