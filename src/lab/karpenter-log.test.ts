import assert from 'node:assert/strict';
import { test } from 'node:test';
import { instanceType } from '../../test/build/instance-type.ts';
import { movesOfLog } from './karpenter-log.ts';

const TYPES = [instanceType('big', { price: 0.5 }), instanceType('small', { price: 0.125 })];

function entry(sketch: Readonly<Record<string, unknown>> = {}): string {
  return JSON.stringify({
    level: 'INFO',
    time: '2026-08-20T10:00:00.000Z',
    message: 'disrupting node(s)',
    reason: 'underutilized',
    decision: 'replace',
    'pod-count': 3,
    'disrupted-nodes': [{ Node: { name: 'n' }, 'capacity-type': 'on-demand', 'instance-type': 'big' }],
    'replacement-nodes': [{ 'capacity-type': 'on-demand', 'instance-types': 'small, big and 7 other(s)' }],
    ...sketch,
  });
}

test('what a replacement saved by the catalog, and what it disturbed', () => {
  assert.deepEqual(movesOfLog(`2026-08-20 10:00:00\t${entry()}\n`, TYPES), {
    moves: [{ atMs: Date.UTC(2026, 7, 20, 10), savingsCentsPerHour: 37.5, disruptionCost: 4, evictions: 3 }],
    unpriced: 0,
  });
});

test('a deletion saves the whole price', () => {
  const { moves } = movesOfLog(entry({ 'replacement-nodes': [], 'pod-count': 0, reason: 'empty' }), TYPES);
  assert.deepEqual([moves[0].savingsCentsPerHour, moves[0].evictions], [50, 0]);
});

test('drift, other lines, and lines that are cut off or odd are passed over', () => {
  const odd = [
    entry({ reason: 'drifted' }),
    '{"message":"found provisionable pod(s)"}',
    entry().slice(0, -20),
    entry({ time: 'yesterday' }),
    entry({ 'pod-count': -1 }),
    '',
  ];
  assert.deepEqual(movesOfLog(odd.join('\n'), TYPES), { moves: [], unpriced: 0 });
});

test('types without a price are counted, not guessed', () => {
  const nodes = [{ 'capacity-type': 'on-demand', 'instance-type': 'unknown' }];
  const replacements = [{ 'capacity-type': 'on-demand', 'instance-types': 'unknown' }];
  const lines = [entry({ 'disrupted-nodes': nodes }), entry({ 'replacement-nodes': replacements }), entry()];
  const { moves, unpriced } = movesOfLog(lines.join('\n'), TYPES);
  assert.deepEqual([moves.length, unpriced], [1, 2]);
});
