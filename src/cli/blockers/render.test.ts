import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { BlockerEntry, BlockersDocument } from '../../report/blockers-document.ts';
import { renderBlockers } from './render.ts';

function entry(title: string, cents: number | null): BlockerEntry {
  return {
    title,
    namespace: null,
    owner: null,
    nodes: ['node-a'],
    aloneCentsPerHour: cents,
    jointCentsPerHour: cents,
    others: [],
    remedy: `remove ${title}`,
  } as unknown as BlockerEntry;
}

function rendered(blockers: readonly BlockerEntry[], width: number): string {
  return renderBlockers(
    { blockers, totalCentsPerHour: 100, plannedSavingsCentsPerHour: 10 } as unknown as BlockersDocument,
    width,
  );
}

test('the table keeps to the width of the terminal', () => {
  const long = `node affinity on topology.kubernetes.io/zone of ReplicaSet ${'default/checkout '.repeat(4)}`;
  const table = rendered([entry(long, 50)], 80).split('REMOVE')[0];
  assert.deepEqual(
    table.split('\n').filter((line) => line.length > 80),
    [],
  );
});

test('what was not priced or saves nothing stands below, and there is one empty line between the parts', () => {
  const text = rendered([entry('a', 50), entry('b', 0), entry('c', null), entry('d', null)], 100);
  assert.match(text, /\n1 more: removing it would save nothing\n2 more not priced: --limit 4 prices all\n\nREMOVE\n/);
  assert.doesNotMatch(`${text}${rendered([entry('a', 50)], 100)}`, /\n\n\n/);
});
