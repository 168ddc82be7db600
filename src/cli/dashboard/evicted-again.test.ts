import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type PodSketch, pod } from '../../../test/build/pod.ts';
import { NOW_MS } from '../../../test/build/units.ts';
import type { Command } from '../../controller/command.ts';
import { EvictedAgain } from './evicted-again.ts';

const MINUTE_MS = 60_000;

const command = (id: string, node: string, minute: number): Command => ({
  id,
  phase: 'draining',
  decidedMs: NOW_MS,
  phaseMs: NOW_MS + minute * MINUTE_MS,
  nodes: [{ node, nodeClaim: node, nodePool: 'default', centsPerHour: 1, pods: 1 }],
  replacements: [],
  workloads: {},
  predicted: { savingsCentsPerHour: 1, requiredCentsPerHour: 0, disruptionCost: 1, evictions: 1 },
});

/** A pod of the ReplicaSet web unless told otherwise. */
const on = (node: string, name: string, madeMinute: number, sketch: PodSketch = {}) =>
  pod(name, { on: node, owner: 'web', createdMs: NOW_MS + madeMinute * MINUTE_MS, ...sketch });

const FIRST = command('1', 'a', 0);

for (const { name, minute, pods, again } of [
  { name: 'a successor, soon', minute: 20, pods: [on('b', 'new', 0)], again: 1 },
  { name: 'a successor, late', minute: 31, pods: [on('b', 'new', 0)], again: 0 },
  { name: 'a pod that was there before', minute: 20, pods: [on('b', 'old', -60)], again: 0 },
  { name: 'a pod of another owner', minute: 20, pods: [on('b', 'new', 0, { owner: 'api' })], again: 0 },
  { name: 'two pods, of which one is the successor', minute: 20, pods: [on('b', 'x', 1), on('b', 'y', 2)], again: 1 },
  { name: 'a successor on another node', minute: 20, pods: [on('c', 'new', 0)], again: 0 },
  { name: 'a DaemonSet', minute: 20, pods: [on('b', 'new', 0, { ownedBy: 'DaemonSet' })], again: 0 },
])
  test(`${name}: ${again}`, () => {
    const count = new EvictedAgain();
    count.draining(FIRST, [on('a', 'first', -60)]);
    assert.equal(count.done(FIRST), 0);
    const second = command('2', 'b', minute);
    count.draining(second, pods);
    assert.equal(count.done(second), again);
  });

test('an abandoned command evicted no pods', () => {
  const count = new EvictedAgain();
  count.draining(FIRST, [on('a', 'first', -60)]);
  count.abandoned(FIRST);
  const second = command('2', 'b', 20);
  count.draining(second, [on('b', 'new', 0)]);
  assert.equal(count.done(second), 0);
});
