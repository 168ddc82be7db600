import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import type { ComparisonDocument } from '../../src/lab/comparison-document.ts';
import { PARTS, resultsFile } from './parts.ts';
import { section, withSection } from './sections.ts';

function results(name: (typeof PARTS)[number]['name']): ComparisonDocument {
  return JSON.parse(readFileSync(resultsFile(name), 'utf8'));
}

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
