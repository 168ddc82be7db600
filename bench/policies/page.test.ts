import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { describe, test } from 'node:test';
import { libraryNames } from '../../src/cli/experiment/workload-library.ts';
import type { AbandonedRun } from '../abandoned/runs.ts';
import { abandonedByPolicy, abandonedByWorkload } from '../abandoned/tables.ts';
import { fewerEvictions } from './fewer-evictions.ts';
import type { Run } from './figures.ts';
import { ABANDONED_PAGES, abandonedRuns, PARTS, POLICIES, resultsOf as results } from './parts.ts';
import { section, withSection } from './sections.ts';
import { digestOf } from './shards.ts';

describe('the pages show the figures of the last run', () => {
  for (const { name, args, days, page } of PARTS) {
    test(name, () => {
      const text = readFileSync(page, 'utf8');
      assert.equal(withSection(text, name, section(name, results(name))), text);
      const [first] = results(name).runs;
      assert.equal(String(first.seeds), args[args.indexOf('--seeds') + 1]);
      assert.equal(first.days, days);
    });
  }
});

test('the page shows what fewer evictions would cost, by the figures of the last runs', () => {
  const text = readFileSync(POLICIES, 'utf8');
  const shown = fewerEvictions(results('library').runs, results('adaptive').runs);
  assert.equal(withSection(text, 'fewer', shown), text);
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

describe('what fewer evictions would cost', () => {
  const [sample] = results('library').runs;
  const run = (policy: string, costDollars: number, evictions: number): Run => ({
    ...sample,
    ...{ workload: 'w', policy, costDollars, evictions },
  });
  const library = (calm: number) => [
    run('none', 20, 8),
    run('stock', 10, 38),
    run('rfc', 12, 18),
    run('calm', 10, calm),
  ];

  test('the cheapest that suffices, and evictions without a goal do not count', () => {
    const overCalm = [run('threshold=1', 11, 20), run('threshold=2', 13, 11), run('threshold=5', 14, 8)];
    const [, , row, ...more] = fewerEvictions(library(38), overCalm).split('\n');
    assert.equal(row, '| w | 0.0 %, 38 | +20.0 %, 18 (rfc) | +30.0 %, 11 (threshold 2) |');
    assert.deepEqual(more, []);
  });

  test('nothing but to leave everything as it is', () => {
    const [, , row] = fewerEvictions(library(12), []).split('\n');
    assert.equal(row, '| w | 0.0 %, 12 | 0.0 %, 12 (calm) | +100.0 %, 8 (none) |');
  });

  test('a workload on which calm reaches both goals is left out', () => {
    assert.equal(fewerEvictions(library(11), []).split('\n').length, 2);
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
