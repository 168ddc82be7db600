import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import type { ComparisonDocument } from '../../src/lab/comparison-document.ts';
import { PAGE, PARTS, resultsFile } from './parts.ts';
import { section, withSection } from './sections.ts';

function results(name: (typeof PARTS)[number]['name']): ComparisonDocument {
  return JSON.parse(readFileSync(resultsFile(name), 'utf8'));
}

describe('docs/policies.md shows the figures of the last run', () => {
  const page = readFileSync(PAGE, 'utf8');
  for (const { name, args } of PARTS) {
    test(name, () => {
      assert.equal(withSection(page, name, section(name, results(name))), page);
      const [first] = results(name).runs;
      assert.equal(String(first.seeds), args[args.indexOf('--seeds') + 1]);
      assert.equal(String(first.days), args[args.indexOf('--days') + 1]);
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
