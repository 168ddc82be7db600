import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { FakeCluster } from '../../test/build/fake-cluster.ts';
import { machine } from '../../test/build/machine.ts';
import { nodePool } from '../../test/build/node-pool.ts';
import { pendingPod, pod } from '../../test/build/pod.ts';
import { controllerOn } from '../../test/build/run-controller.ts';
import { NOW_MS } from '../../test/build/units.ts';
import type { PodObject } from '../engine/cluster/objects.ts';
import type { Command } from './command.ts';

/** Node a drains; its pod was planned to go to c. */
const DRAINING: Command = {
  id: '1',
  phase: 'draining',
  decidedMs: NOW_MS - 15_000,
  phaseMs: NOW_MS,
  drainingMs: NOW_MS,
  nodes: [{ node: 'a', nodeClaim: 'claim-a', nodePool: 'default', centsPerHour: 20, pods: 1 }],
  replacements: [],
  workloads: {},
  predicted: { savingsCentsPerHour: 20, requiredCentsPerHour: 0, disruptionCost: 1, evictions: 1 },
  placements: { 'uid-p': 'c' },
};

/** The nodes of the commands that a pass begins beside the drain; b has a pod that would fit on c. */
async function begunBeside(moving: readonly PodObject[], command: Partial<Command> = {}): Promise<readonly string[]> {
  const port = new FakeCluster({
    nodePools: [nodePool('default', { budgets: [{ nodes: '3' }], limits: { cpu: 1 } })],
    machines: [machine('a', { deleting: true }), machine('b'), machine('c')],
    pods: [...moving, pod('q', { on: 'b', cpu: 1000 })],
  });
  await port.act({ kind: 'save-command', command: { ...DRAINING, ...command } });
  await controllerOn(port, { settings: { stabilizationWindowMs: 0 } }).reconcile();
  return port.commands.flatMap(({ id, nodes }) => (id === DRAINING.id ? [] : nodes.map(({ node }) => node)));
}

const EVICTED = pod('p', { on: 'a', cpu: 2500, terminating: true });
const successor = (on: string) => pod('p2', { on, cpu: 2500, createdMs: NOW_MS });

describe('a pass beside a drain', () => {
  test('keeps room for a pod where it is planned to go, not where it fits first', async () => {
    assert.deepEqual(await begunBeside([pod('p', { on: 'a', cpu: 2500 })]), ['b']);
  });

  test('which may be a replacement', async () => {
    const replacements = [
      { nodeClaim: 'claim-c', nodePool: 'default', centsPerHour: 20, requirements: [], requests: {} },
    ];
    const begun = await begunBeside([pod('p', { on: 'a', cpu: 2500 })], {
      replacements,
      placements: { 'uid-p': 'new-1' },
    });
    assert.deepEqual(begun, ['b']);
  });

  test('and for one that was evicted and whose successor is not there yet', async () => {
    assert.deepEqual(await begunBeside([EVICTED]), ['b']);
    const unseen = pendingPod('p2', { cpu: 2500, createdMs: NOW_MS, unschedulable: false });
    assert.deepEqual(await begunBeside([EVICTED, unseen]), ['b']);
    // Pods of the same controller from before the drain replace nothing.
    assert.deepEqual(await begunBeside([EVICTED, pod('old', { on: 'b', cpu: 1 })]), ['b']);
  });

  test('but not twice: the successor needs the room of the node that it runs on', async () => {
    assert.deepEqual(await begunBeside([EVICTED, successor('b')]), ['c']);
    assert.deepEqual(await begunBeside([EVICTED, successor('c')]), ['b']);
  });

  test('nor for a pod that nothing recreates, or that was not planned to move', async () => {
    assert.deepEqual(await begunBeside([{ ...EVICTED, owners: [] }]), ['c']);
    assert.deepEqual(await begunBeside([EVICTED], { placements: {} }), ['c']);
  });
});
