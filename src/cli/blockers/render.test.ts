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

function rendered(blockers: readonly BlockerEntry[], width: number, totalCentsPerHour = 100): string {
  return renderBlockers(
    { blockers, totalCentsPerHour, plannedSavingsCentsPerHour: 10 } as unknown as BlockersDocument,
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
  assert.match(text, /\n\nCOSTS NOTHING\nb\n2 more not priced: --limit 4 prices all\n\nREMOVE\n/);
  assert.doesNotMatch(`${text}${rendered([entry('a', 50)], 100)}`, /\n\n\n/);
});

test('a blocker that costs nothing is named', () => {
  assert.equal(
    rendered([entry('annotation on node a', 0)], 100, 0),
    '1 blocker: without it no more would be saved\n(the plan saves $0.100/h as things are)\n\nCOSTS NOTHING\nannotation on node a\n',
  );
});
