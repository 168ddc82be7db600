import assert from 'node:assert/strict';
import { test } from 'node:test';
import { passReport, reconcileReport } from '../../../test/build/reconcile-report.ts';
import { NOW_MS } from '../../../test/build/units.ts';
import type { Proposal } from '../../controller/report.ts';
import { ControllerNotes } from './controller-notes.ts';

function proposal(node: string, braked: Pick<Proposal, 'refusal' | 'retryAtMs'> = {}): Proposal {
  return {
    wave: 1,
    command: {
      id: node,
      phase: 'waiting',
      decidedMs: NOW_MS,
      phaseMs: NOW_MS,
      nodes: [{ node, nodeClaim: node, nodePool: 'web', centsPerHour: 1, pods: 1 }],
      replacements: [],
      workloads: {},
      predicted: { savingsCentsPerHour: 1, requiredCentsPerHour: 0, disruptionCost: 1, evictions: 1 },
    },
    ...braked,
  };
}

const report = (...proposals: readonly Proposal[]) => reconcileReport({ pass: passReport({ proposals }) });

test('moves that brakes hold back, in the words of the log, until the next pass says otherwise', () => {
  const notes = new ControllerNotes();
  assert.deepEqual(notes.held(), []);
  const cooldown = { code: 'pool-cooldown', nodePool: 'web', waitMs: 60_000 } as const;
  notes.reported(
    report(
      proposal('a'),
      proposal('b', { refusal: cooldown, retryAtMs: NOW_MS + 60_000 }),
      proposal('c', { refusal: { code: 'given-up-before', waitMs: 1 } }),
    ),
    NOW_MS,
  );
  const [b, c] = notes.held();
  assert.deepEqual([b.nodes, b.untilMs], [['b'], NOW_MS + 60_000]);
  assert.match(b.why, /"web"|web/);
  assert.deepEqual(c, { nodes: ['c'], why: 'the same move was abandoned recently' });
  assert.ok(notes.facts().some(({ name, value }) => name === 'moves held back' && value === '2'));
  const { pass: _, ...paused } = report();
  notes.reported(paused, NOW_MS);
  assert.equal(notes.held().length, 2, 'a tick without a pass changes nothing');
  notes.reported(report(proposal('b')), NOW_MS);
  assert.deepEqual(notes.held(), []);
});
