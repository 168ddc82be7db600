import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cluster, compiled, rowOf } from '../../../test/build/cluster.ts';
import { type MachineSketch, machine } from '../../../test/build/machine.ts';
import { pod } from '../../../test/build/pod.ts';
import type { NodeClaimObject, PodObject } from '../cluster/objects.ts';
import { utilization } from '../disruption/utilization.ts';
import { DEFAULT_SETTINGS } from '../settings.ts';
import { utilizationGate } from './utilization.ts';

const CORE = 1000;
const GIB = 2 ** 30;

function refusals(
  threshold: number,
  pods: readonly PodObject[],
  sketch: MachineSketch = {},
  claim: Partial<NodeClaimObject> = {},
) {
  const m = machine('n', { allocatable: { cpu: 4 * CORE, memory: 8 * GIB, pods: 110 }, ...sketch });
  const c = compiled(cluster({ machines: [{ node: m.node, claim: m.claim && { ...m.claim, ...claim } }], pods }));
  const q = { cluster: c, row: rowOf(c, 'n'), settings: { ...DEFAULT_SETTINGS, utilizationThreshold: threshold } };
  return { codes: utilizationGate(q).map((r) => r.code), used: utilization(c, q.row) };
}

const BUSY = [pod('a', { on: 'n', cpu: 3.6 * CORE, memory: 6.4 * GIB })];
const CLAIM = machine('n').claim as NodeClaimObject;

test('utilization is the mean of cpu and memory', () => {
  assert.ok(Math.abs(refusals(0.75, BUSY).used - (0.9 + 0.8) / 2) < 1e-12);
});

test('a node above the threshold stays, one exactly at it may go', () => {
  assert.deepEqual(refusals(0.75, BUSY).codes, ['utilization']);
  const half = [pod('a', { on: 'n', cpu: 2 * CORE, memory: 4 * GIB })];
  assert.deepEqual(refusals(0.5, half).codes, []);
  assert.deepEqual(refusals(0.49, half).codes, ['utilization']);
});

test('1 turns the gate off, 0 lets only empty nodes go', () => {
  assert.deepEqual(refusals(1, [pod('a', { on: 'n', cpu: 5 * CORE, memory: 9 * GIB })]).codes, []);
  assert.deepEqual(refusals(0, []).codes, []);
  assert.deepEqual(refusals(0, [pod('a', { on: 'n', cpu: 1, memory: 0 })]).codes, ['utilization']);
});

test('a resource that the node has none of counts as unused', () => {
  const { used, codes } = refusals(0.75, [pod('a', { on: 'n', cpu: 4 * CORE, memory: 0 })], {
    allocatable: { cpu: 4 * CORE, memory: 0, pods: 110 },
  });
  assert.equal(used, 0.5);
  assert.deepEqual(codes, []);
});

test('drifted nodes and nodes in the last tenth of their life pass however busy', () => {
  const drifted = [...CLAIM.conditions, { type: 'Drifted', status: 'True', changedMs: 0 }];
  assert.deepEqual(refusals(0.75, BUSY, {}, { conditions: drifted }).codes, []);
  const day = 24 * 3_600_000;
  const aged = (share: number) => ({ expireAfterMs: day, createdMs: cluster().nowMs - share * day });
  assert.deepEqual(refusals(0.75, BUSY, {}, aged(0.91)).codes, []);
  assert.deepEqual(refusals(0.75, BUSY, {}, aged(0.89)).codes, ['utilization']);
});
