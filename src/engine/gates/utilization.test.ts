import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cluster, compiled, rowOf } from '../../../test/build/cluster.ts';
import { type MachineSketch, machine } from '../../../test/build/machine.ts';
import { pod } from '../../../test/build/pod.ts';
import { HOUR_MS } from '../../../test/build/units.ts';
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

test('issue 2319: a node at 96 % of cpu and 96 % of memory stays, by default', () => {
  const full = [pod('a', { on: 'n', cpu: 3.84 * CORE, memory: 7.68 * GIB })];
  const { used, codes } = refusals(DEFAULT_SETTINGS.utilizationThreshold, full);
  assert.ok(Math.abs(used - 0.96) < 1e-12);
  assert.deepEqual(codes, ['utilization']);
});

test('only requests of cpu and memory count, of pods that run', () => {
  const some = pod('a', {
    on: 'n',
    cpu: CORE,
    memory: 2 * GIB,
    extra: { 'nvidia.com/gpu': 8, 'ephemeral-storage': 1e12 },
  });
  const over = pod('b', { on: 'n', cpu: 3 * CORE, memory: 6 * GIB, phase: 'Succeeded' });
  assert.equal(refusals(0.75, [some, over]).used, 0.25);
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
  const nothing = { allocatable: { cpu: 0, memory: 0, pods: 110 } };
  assert.equal(refusals(0.75, [pod('a', { on: 'n', cpu: 0, memory: 0 })], nothing).used, 0);
});

test('an empty node has utilization 0', () => assert.equal(refusals(0.75, []).used, 0));

test('drifted nodes and nodes in the last tenth of their life pass however busy', () => {
  const drifted = [...CLAIM.conditions, { type: 'Drifted', status: 'True', changedMs: 0 }];
  assert.deepEqual(refusals(0.75, BUSY, {}, { conditions: drifted }).codes, []);
  const day = 24 * 3_600_000;
  const aged = (share: number) => ({ expireAfterMs: day, createdMs: cluster().nowMs - share * day });
  assert.deepEqual(refusals(0.75, BUSY, {}, aged(0.91)).codes, []);
  assert.deepEqual(refusals(0.75, BUSY, {}, aged(0.89)).codes, ['utilization']);
  // It must have more than a tenth left to be skipped: of 10 hours, one is not more.
  const tenHours = { expireAfterMs: 10 * HOUR_MS, createdMs: cluster().nowMs - 9 * HOUR_MS };
  assert.deepEqual(refusals(0.75, BUSY, {}, tenHours).codes, []);
  assert.deepEqual(refusals(0.75, BUSY, {}, { ...tenHours, createdMs: tenHours.createdMs + 1 }).codes, ['utilization']);
});
