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
    {
      blockers,
      totalCentsPerHour,
      plannedSavingsCentsPerHour: 10,
      savingsRules: null,
      otherReasons: [],
    } as unknown as BlockersDocument,
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
    '1 blocker: without it no more would be saved\n(the plan saves $0.100/h with the blockers in place)\n\nCOSTS NOTHING\nannotation on node a\n',
  );
});

test('where nothing blocks, it says what savings rules forgo and why the other nodes stay', () => {
  const document = {
    blockers: [],
    totalCentsPerHour: 0,
    plannedSavingsCentsPerHour: 0,
    savingsRules: { rules: ['savings threshold of 1 cent'], nodes: ['a', 'b'], centsPerHour: 20, evictions: 7 },
    otherReasons: [{ code: 'not-consolidatable', nodes: 50 }],
  };
  assert.equal(
    renderBlockers(document as unknown as BlockersDocument, 200),
    'no blockers; the plan saves nothing\nThe savings threshold of 1 cent alone keeps 2 nodes: without it a plan saves $0.200/h ($146 a month) more, for 7 more evictions\n50 nodes stay for other reasons: 50 not-consolidatable\n',
  );
});
