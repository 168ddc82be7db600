import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { describe, test } from 'node:test';
import { libraryNames } from '../../src/cli/experiment/workload-library.ts';
import type { AbandonedRun } from '../abandoned/runs.ts';
import { abandonedByPolicy, abandonedByWorkload } from '../abandoned/tables.ts';
import type { Run } from './figures.ts';
import { missed, workloadsMissed, workloadsOf } from './goals.ts';
import { ABANDONED_PAGES, abandonedRuns, argsOf, PARTS, resultsOf as results, USERS_PAGE } from './parts.ts';
import { expectations, section, withSection } from './sections.ts';
import { digestOf } from './shards.ts';

describe('the pages show the figures of the last run', () => {
  for (const part of PARTS) {
    const { name, days, page } = part;
    test(name, () => {
      const args = argsOf(part);
      const text = readFileSync(page, 'utf8');
      assert.equal(withSection(text, name, section(name, results(name))), text);
      const [first] = results(name).runs;
      assert.equal(String(first.seeds), args[args.indexOf('--seeds') + 1]);
      assert.equal(first.days, days);
    });
  }
});

test('users read what the last run found', () => {
  const text = readFileSync(USERS_PAGE, 'utf8');
  assert.equal(withSection(text, 'expectations', expectations(results('library').runs)), text);
});

test('hindsight is asked about every workload on which calm misses a goal, and no other', () => {
  assert.deepEqual(workloadsOf(results('hindsight').runs), workloadsMissed(results('library').runs));
});

describe('the pages show what became of commands in the last run', () => {
  const runs = abandonedRuns();
  for (const { page, text } of ABANDONED_PAGES) {
    test(basename(dirname(page)), () => {
      const shown = readFileSync(page, 'utf8');
      assert.equal(withSection(shown, 'abandoned', text(runs)), shown);
    });
  }

  test('a day of every workload, three seeds of two policies', () => {
    const { length } = libraryNames();
    assert.deepEqual(new Set(runs.map(({ workload }) => workload)), new Set(libraryNames()));
    assert.equal(new Set(runs.map(({ policy, workload, seed }) => `${policy} ${workload} ${seed}`)).size, 6 * length);
    assert.ok(runs.every(({ days }) => days === 1));
  });
});

describe('commands that are abandoned', () => {
  const run = (workload: string, commands: number, abandoned: number, afterLaunch: number): AbandonedRun => ({
    ...{ workload, policy: 'rfc', seed: 1, days: 1, commands, abandoned, afterLaunch },
    reasons: { utilization: abandoned - afterLaunch, 'timeout (launched)': afterLaunch },
  });
  const runs = [run('web', 30, 3, 1), run('web', 10, 1, 0), run('azure-jobs', 60, 0, 0), run('quiet', 0, 0, 0)];

  test('by policy: of all commands, on the written workloads and on all', () => {
    assert.deepEqual(abandonedByPolicy(runs).split('\n').slice(2), [
      '| `rfc`, the 2 written workloads | 40 | 4 (10.0 %) | 1 (2.5 %) |',
      '| `rfc`, all 3 workloads | 100 | 4 (4.0 %) | 1 (1.0 %) |',
    ]);
  });

  test('by workload: with reasons', () => {
    assert.deepEqual(abandonedByWorkload(runs).split('\n').slice(2), [
      '| web | 40 | 4 (10.0 %) | 1 (2.5 %) | 3 utilization, 1 timeout (launched) |',
      '| azure-jobs | 60 | 0 (0.0 %) | 0 (0.0 %) |  |',
      '| quiet | 0 | 0 (0.0 %) | 0 (0.0 %) |  |',
    ]);
  });
});

describe('goals', () => {
  const [sample] = results('library').runs;
  const run = (policy: string, costDollars: number, evictions: number): Run => ({
    ...sample,
    ...{ workload: 'w', policy, costDollars, evictions },
  });
  const misses = (costDollars: number, evictions: number) => {
    const others = [run('none', 20, 8), run('stock', 10, 38), run('balanced', 10, 28), run('rfc', 12, 18)];
    return missed([...others, run('calm', costDollars, evictions)], 'w', 'calm');
  };

  test('at most 2 % more than stock, and half of its evictions above those that nobody causes', () => {
    assert.deepEqual(misses(10.2, 23), { cost: false, evictions: false });
    assert.deepEqual(misses(10.21, 24), { cost: true, evictions: true });
  });

  test('a workload without evictions has none to spare', () => {
    const still = [run('none', 10, 8), run('stock', 10, 8), run('calm', 10, 8)];
    assert.deepEqual(missed(still, 'w', 'calm'), { cost: false, evictions: false });
  });

  test('the table of hindsight says which evictions nobody could spare', () => {
    const table = (best: number) =>
      section('hindsight', {
        ...results('library'),
        runs: [run('none', 20, 0), run('stock', 10, 30), run('calm', 10, 25), run('hindsight-1.02', 10.1, best)],
      });
    assert.match(table(25), /\| w \| 30 \| 0\.0 %, 25 \| \+1\.0 %, 25 \| yes \|/);
    assert.match(table(24), /\| w \| 30 \| 0\.0 %, 25 \| \+1\.0 %, 24 \| no \|/);
  });
});

test('the order of evictions that Karpenter saw on KWOK comes out, and the cost is the other way round', () => {
  const { runs } = results('triple');
  const [empty, balanced, all] = ['WhenEmpty', 'Balanced', 'WhenEmptyOrUnderutilized'].map((name) => {
    return runs.find(({ policy }) => policy === name)!;
  });
  assert.ok(empty.evictions < balanced.evictions && balanced.evictions < all.evictions);
  assert.ok(empty.costDollars > balanced.costDollars && balanced.costDollars > all.costDollars);
});

test('what a run has done counts for the same code and the same arguments', () => {
  assert.match(digestOf(['--days', '1']), /^[0-9a-f]{16}$/);
  assert.notEqual(digestOf(['--days', '1']), digestOf(['--days', '2']));
});

test('a page without a place for a section is refused', () => {
  assert.throws(() => withSection('text', 'library', 'x'), /no <!-- library --> … <!-- \/library -->/);
});
