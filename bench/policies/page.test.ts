import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { fewerEvictions } from './fewer-evictions.ts';
import type { Run } from './figures.ts';
import { PARTS, POLICIES, resultsOf as results } from './parts.ts';
import { section, withSection } from './sections.ts';

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

describe('what fewer evictions would cost', () => {
  const [sample] = results('library').runs;
  const run = (policy: string, costDollars: number, evictions: number): Run => ({
    ...sample,
    ...{ workload: 'w', policy, costDollars, evictions },
  });
  const library = (calm: number) => [
    run('none', 20, 2),
    run('stock', 10, 32),
    run('documents', 12, 12),
    run('calm', 10, calm),
  ];

  test('the cheapest that will do, and evictions that nobody asked for do not count', () => {
    const overCalm = [run('threshold=1', 11, 13), run('threshold=2', 13, 5), run('threshold=5', 14, 2)];
    const [, , row, ...more] = fewerEvictions(library(32), overCalm).split('\n');
    assert.equal(row, '| w | 0.0 %, 32 | +20.0 %, 12 (documents) | +30.0 %, 5 (threshold 2) |');
    assert.deepEqual(more, []);
  });

  test('nothing but to leave everything as it is', () => {
    const [, , row] = fewerEvictions(library(6), []).split('\n');
    assert.equal(row, '| w | 0.0 %, 6 | 0.0 %, 6 (calm) | +100.0 %, 2 (none) |');
  });

  test('a workload on which calm reaches both goals is left out', () => {
    assert.equal(fewerEvictions(library(5), []).split('\n').length, 2);
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

test('a page without a place for a section is refused', () => {
  assert.throws(() => withSection('text', 'library', 'x'), /no <!-- library --> … <!-- \/library -->/);
});
