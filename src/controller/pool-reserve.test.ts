import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { is } from '../../test/build/constraints.ts';
import { leftovers, watchLaws } from '../../test/build/controller-laws.ts';
import { FakeCluster } from '../../test/build/fake-cluster.ts';
import { LARGE } from '../../test/build/instance-type.ts';
import { machine } from '../../test/build/machine.ts';
import { nodePool } from '../../test/build/node-pool.ts';
import { pod } from '../../test/build/pod.ts';
import { controllerOn, runToRest } from '../../test/build/run-controller.ts';
import { MINUTE_MS } from '../../test/build/units.ts';
import { CAPACITY_TYPE, ON_DEMAND } from '../engine/cluster/well-known.ts';

function poolWith(disruption: object | undefined) {
  return nodePool('default', { requirements: [is(CAPACITY_TYPE, 'In', ON_DEMAND)], disruption });
}

/** Three nodes of 4 cpu, two of them empty: 11 cpu are free. */
function threeNodes(disruption?: object): FakeCluster {
  const pods = [pod('p', { on: 'a', cpu: 1000 })];
  const machines = ['a', 'b', 'c'].map((name) => machine(name));
  return new FakeCluster({ nodePools: [poolWith(disruption)], machines, pods });
}

function demand(port: FakeCluster, disruption: object): void {
  port.objects = { ...port.objects, nodePools: [poolWith(disruption)] };
}

async function runAt(port: FakeCluster, seconds: readonly number[], beforeSecond?: () => void) {
  const controller = controllerOn(port);
  const startMs = port.nowMs;
  for (const [i, s] of seconds.entries()) {
    port.advanceTo(startMs + s * 1000);
    if (i === 1) beforeSecond?.();
    await controller.reconcile();
  }
  return port.commands.map((c) => `${c.phase} ${c.reason ?? ''}`.trim()).sort();
}

describe('a controller that acts, and what must be left', () => {
  test('deletes as many nodes as headroom and minNodes allow, then stops', async () => {
    for (const [block, left] of [
      [undefined, 1],
      [{ headroom: { cpu: '3' } }, 1],
      [{ headroom: { cpu: '3001m' } }, 2],
      [{ headroom: { cpu: '80%' } }, 2],
      [{ headroom: { pods: { count: '5', cpu: '1' } } }, 2],
      [{ minNodes: 2 }, 2],
      [{ minNodes: 7 }, 3],
    ] as const) {
      const port = threeNodes(block);
      const breaches = watchLaws(port);
      await runToRest(port);
      assert.deepEqual([port.objects.nodes.length, ...breaches], [left], JSON.stringify(block));
    }
  });

  test('validation: the deletion of two nodes may not go any more, the replacement of the third may', async () => {
    assert.deepEqual(await runAt(threeNodes(), [0, 15]), ['draining', 'launching']);
    const port = threeNodes();
    assert.deepEqual(await runAt(port, [0, 15], () => demand(port, { headroom: { cpu: '7' } })), [
      'abandoned headroom',
      'launching',
    ]);
    const more = threeNodes();
    assert.deepEqual(await runAt(more, [0, 15], () => demand(more, { minNodes: 3 })), [
      'abandoned min-nodes',
      'launching',
    ]);
  });

  test('final check: deletes nothing if the policy came while the new node was launched', async () => {
    const machines = [machine('a', { type: LARGE })];
    const port = new FakeCluster({
      nodePools: [poolWith(undefined)],
      machines,
      pods: [pod('p', { on: 'a', cpu: 3000 })],
    });
    const breaches = watchLaws(port);
    const controller = controllerOn(port);
    const startMs = port.nowMs;
    for (const s of [0, 15]) {
      port.advanceTo(startMs + s * 1000);
      await controller.reconcile();
    }
    assert.equal(port.commands[0].phase, 'launching');
    demand(port, { headroom: { cpu: '4' } });
    for (let s = 75; s < 40 * 60; s += 30) {
      port.advanceTo(startMs + s * 1000);
      await controller.reconcile();
    }
    assert.equal(port.commands[0].phase, 'abandoned');
    port.advanceTo(port.nowMs + 5 * MINUTE_MS);
    assert.deepEqual([...breaches, ...leftovers(port)], []);
    assert.ok(port.objects.nodes.some((n) => n.name === 'a'));
  });
});
