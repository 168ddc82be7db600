import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { capacityBuffer } from '../../test/build/capacity-buffer.ts';
import { is } from '../../test/build/constraints.ts';
import { leftovers, watchLaws } from '../../test/build/controller-laws.ts';
import { FakeCluster } from '../../test/build/fake-cluster.ts';
import { LARGE } from '../../test/build/instance-type.ts';
import { machine } from '../../test/build/machine.ts';
import { nodePool } from '../../test/build/node-pool.ts';
import { pod } from '../../test/build/pod.ts';
import { controllerOn } from '../../test/build/run-controller.ts';
import { MINUTE_MS } from '../../test/build/units.ts';
import { CAPACITY_TYPE, ON_DEMAND } from '../engine/cluster/well-known.ts';

const POOL = nodePool('default', { requirements: [is(CAPACITY_TYPE, 'In', ON_DEMAND)] });
const FULL = pod('q', { on: 'b', cpu: 3900 });

function addBuffer(port: FakeCluster, sketch: Parameters<typeof capacityBuffer>[0] = {}): void {
  port.objects = { ...port.objects, ...capacityBuffer(sketch) };
}

/** Runs the controller at these seconds; `before` happens just before the second run. */
async function runAt(port: FakeCluster, seconds: readonly number[], before?: (port: FakeCluster) => void) {
  const controller = controllerOn(port);
  const startMs = port.nowMs;
  for (const [i, s] of seconds.entries()) {
    port.advanceTo(startMs + s * 1000);
    if (i === 1) before?.(port);
    await controller.reconcile();
  }
  return port.commands.map((c) => `${c.phase} ${c.reason ?? ''}`.trim());
}

describe('a controller that acts, and CapacityBuffers', () => {
  test('leaves an empty node alone that holds room', async () => {
    const empty = { nodePools: [POOL], machines: [machine('a'), machine('b')], pods: [FULL] };
    const without = new FakeCluster(empty);
    assert.deepEqual(await runAt(without, [0, 15]), ['draining']);
    assert.deepEqual(await runAt(new FakeCluster({ ...empty, ...capacityBuffer() }), [0, 15, 30]), []);
  });

  test('gives an empty node up when a buffer comes while the command waits', async () => {
    const port = new FakeCluster({ nodePools: [POOL], machines: [machine('a'), machine('b')], pods: [FULL] });
    assert.deepEqual(await runAt(port, [0, 15], addBuffer), ['abandoned capacity-buffer']);
    assert.deepEqual([...new Set(port.asked.map((a) => a.kind))], ['save-command', 'steer-node']);
  });

  test('gives a node with pods up when the buffer has no room without it', async () => {
    const pods = [pod('p', { on: 'a', cpu: 3000 }), pod('q', { on: 'b', cpu: 500 })];
    const port = new FakeCluster({ nodePools: [POOL], machines: [machine('a'), machine('b')], pods });
    assert.deepEqual(await runAt(port, [0, 15], (p) => addBuffer(p, { cpu: 3000 })), [
      'abandoned capacity-buffer-room',
    ]);
    assert.deepEqual([...new Set(port.asked.map((a) => a.kind))], ['save-command', 'steer-node']);
  });

  test('deletes nothing if the new node has no room for a buffer that came late', async () => {
    const port = new FakeCluster({
      nodePools: [POOL],
      machines: [machine('a', { type: LARGE })],
      pods: [pod('p', { on: 'a', cpu: 3000 })],
    });
    const breaches = watchLaws(port);
    const controller = controllerOn(port);
    const startMs = port.nowMs;
    await controller.reconcile();
    port.advanceTo(startMs + 15_000);
    await controller.reconcile();
    assert.equal(port.commands[0].phase, 'launching');
    addBuffer(port, { cpu: 4500 });
    port.advanceTo(startMs + 75_000);
    await controller.reconcile();
    assert.deepEqual([port.commands[0].phase, port.commands[0].reason], ['abandoned', 'capacity-buffer-room']);
    port.advanceTo(startMs + 5 * MINUTE_MS);
    assert.deepEqual([...breaches, ...leftovers(port)], []);
    assert.ok(port.objects.nodes.some((n) => n.name === 'a'));
  });
});
