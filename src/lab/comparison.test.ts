import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { schemaProblems } from '../../test/build/json-schema.ts';
import { experiment, namedPolicy, results, runSummary } from '../../test/build/lab.ts';
import { compared } from './comparison.ts';
import { comparisonDocument } from './comparison-document.ts';
import { jobsOf } from './experiment.ts';
import type { RunSummary } from './run-summary.ts';

const TWO_SEEDS = experiment({ seeds: 2 });

/** Jobs are seed by seed: none and calm with seed 1, then with seed 2. */
function of(...summaries: readonly Partial<RunSummary>[]) {
  return summaries.map((sketch, job) => ({ job, summary: runSummary(sketch), elapsedMs: 10.4 }));
}

describe('a comparison', () => {
  const [web] = compared(
    TWO_SEEDS,
    of({ costDollars: 10 }, { costDollars: 9, evictions: 4 }, { costDollars: 20 }, { costDollars: 18, evictions: 8 }),
  ).workloads;

  test('is means over seeds, by policy', () => {
    assert.deepEqual(
      web.rows.map((row) => [row.policy.name, row.seeds, row.cost.mean, row.evictions.mean]),
      [
        ['none', 2, 15, 0],
        ['calm', 2, 13.5, 6],
      ],
    );
  });

  test('savings are seed by seed, so luck that is the same for all cancels out', () => {
    const { savings, cost } = web.rows[1];
    assert.ok(Math.abs((savings?.mean ?? 0) - 0.1) < 1e-12 && (savings?.margin ?? 1) < 1e-9);
    assert.ok((cost.margin ?? 0) > 50);
    assert.equal(web.rows[0].savings?.mean, 0);
  });

  test('both are on the front: one is cheaper, one calmer', () => {
    assert.deepEqual(
      web.rows.map((row) => row.onFront),
      [true, true],
    );
  });

  test('without none there is nothing to save against', () => {
    const alone = experiment({ seeds: 1, policies: [namedPolicy('calm')] });
    assert.equal(compared(alone, of({})).workloads[0].rows[0].savings, undefined);
  });

  test('stopped early, it has what was run', () => {
    const { workloads } = compared(TWO_SEEDS, of({ costDollars: 10 }, { costDollars: 9 }, { costDollars: 20 }));
    assert.deepEqual(
      workloads[0].rows.map((row) => row.seeds),
      [2, 1],
    );
    assert.ok(Math.abs((workloads[0].rows[1].savings?.mean ?? 0) - 0.1) < 1e-12);
    assert.deepEqual(compared(TWO_SEEDS, []).workloads, []);
  });

  test('over several workloads it adds up, seeds that have run on all of them', () => {
    const both = experiment({
      seeds: 1,
      workloads: ['web', 'batch'].map((name) => ({ name, digest: name, blocks: [] })),
    });
    const runs = of(
      { costDollars: 10 },
      { costDollars: 5, evictions: 2 },
      { costDollars: 30 },
      { costDollars: 25, evictions: 3 },
    );
    const { total } = compared(both, runs);
    assert.deepEqual(
      total?.map((row) => [row.cost.mean, row.evictions.mean, row.savings?.mean]),
      [
        [40, 0, 0],
        [30, 5, 0.25],
      ],
    );
    assert.equal(compared(both, runs.slice(0, 3)).total?.length, 1);
  });
});

describe('the document', () => {
  const document = comparisonDocument(compared(TWO_SEEDS, results(jobsOf(TWO_SEEDS))));

  test('is what the schema says, field by field', async () => {
    const schema = JSON.parse(await readFile(join(import.meta.dirname, '../../docs/comparison.schema.json'), 'utf8'));
    assert.deepEqual(schemaProblems(schema, document), []);
    const [run, ...others] = document.runs;
    assert.deepEqual(Object.keys(run), schema.$defs.run.required);
    // The checker itself must be able to say no.
    const wrong = { ...document, runs: [{ ...run, seeds: 1.5, costDollars: -1, more: 1 }, ...others] };
    assert.deepEqual(schemaProblems(schema, wrong), [
      '$.runs[0].seeds: not of type integer',
      '$.runs[0].costDollars: too small',
      '$.runs[0]: has more',
    ]);
  });

  test('has means and sample standard deviations', () => {
    const { runs } = comparisonDocument(
      compared(TWO_SEEDS, of({ costDollars: 10 }, {}, { costDollars: 20.00004 }, {})),
    );
    assert.deepEqual([runs[0].costDollars, runs[0].costStdDev, runs[0].elapsedMs], [15, 7.0711, 21]);
  });

  test('has a run for every workload and policy, in order', () => {
    assert.deepEqual(
      document.runs.map(({ workload, policy }) => `${workload}/${policy}`),
      ['web/none', 'web/calm'],
    );
    assert.equal(document.runs[0].elapsedMs, 2);
  });
});
