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

test('a page without a place for a section is refused', () => {
  assert.throws(() => withSection('text', 'library', 'x'), /no <!-- library --> … <!-- \/library -->/);
});
