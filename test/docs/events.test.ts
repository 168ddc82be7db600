import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

const root = join(import.meta.dirname, '../..');

test('every event that the controller writes is in the table of docs/observing.md', () => {
  const source = readFileSync(join(root, 'src/operator/event-list.ts'), 'utf8');
  const page = readFileSync(join(root, 'docs/observing.md'), 'utf8');
  const kinds = ['NodeClaim', 'NodePool', 'PodDisruptionBudget', 'Normal', 'Warning', 'Empty', 'Underutilized'];
  const reasons = new Set([...source.matchAll(/'([A-Z][a-z]+[A-Za-z]*)'/g)].map(([, word]) => word));
  for (const kind of kinds) reasons.delete(kind);
  assert.ok(reasons.size > 12, `only ${[...reasons]}`);
  for (const reason of reasons) assert.ok(page.includes(`| \`${reason}\` |`), reason);
});
