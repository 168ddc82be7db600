import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { leftovers, watchLaws } from '../../test/build/controller-laws.ts';
import { FakeCluster, type FakeClusterOptions } from '../../test/build/fake-cluster.ts';
import { LARGE } from '../../test/build/instance-type.ts';
import { machine } from '../../test/build/machine.ts';
import { nodePool } from '../../test/build/node-pool.ts';
import { pod } from '../../test/build/pod.ts';
import { controllerOn, runToRest } from '../../test/build/run-controller.ts';
import { MINUTE_MS, NOW_MS } from '../../test/build/units.ts';
import { STOCK_CONTROLLER_SETTINGS } from '../config/controller-settings.ts';

/** A large node whose pod needs a medium one: proposed at 0 s, validated at 15 s. */
function replacing(options: FakeClusterOptions = {}): FakeCluster {
  return new FakeCluster(
    {
      nodePools: [nodePool('default')],
      machines: [machine('a', { type: LARGE })],
      pods: [pod('p', { on: 'a', cpu: 3000 })],
    },
    options,
  );
}

const steered = ({ objects: { nodes } }: FakeCluster) => nodes.filter((n) => n.steered === true).map((n) => n.name);

describe('the soft taint of a node that a command is about', () => {
  test('is there as soon as the command is written down, and stays until the node goes', async () => {
    const port = replacing();
    const breaches = watchLaws(port);
    const controller = controllerOn(port);
    await controller.reconcile();
    assert.deepEqual([port.commands[0].phase, steered(port), port.objects.nodes[0].taints], ['waiting', ['a'], []]);
    for (const ms of [15_000, 60_000]) {
      port.advanceTo(port.nowMs + ms);
      await controller.reconcile();
      assert.deepEqual(steered(port), ['a']);
    }
    assert.equal(port.commands[0].phase, 'draining');
    await runToRest(port);
    assert.deepEqual([steered(port), [...breaches], leftovers(port)], [[], [], []]);
  });

  test('goes when the command is abandoned', async () => {
    const port = replacing();
    const controller = controllerOn(port);
    await controller.reconcile();
    port.changePod('p', () => ({ doNotDisrupt: 'true' }));
    port.advanceTo(port.nowMs + 15_000);
    await controller.reconcile();
    assert.deepEqual([port.commands[0].phase, steered(port)], ['abandoned', []]);
  });

  test('is removed at the next start if nothing is left of its command', async () => {
    const port = replacing();
    port.changeNode('a', () => ({ steered: true }));
    port.changePod('p', () => ({ doNotDisrupt: 'true' }));
    await controllerOn(port).reconcile();
    assert.deepEqual(steered(port), []);
  });

  test('comes at the next start if the command was written down and nothing else', async () => {
    const port = replacing({ fateOf: (_, index) => (index === 0 ? 'death-after' : 'done') });
    await controllerOn(port).reconcile();
    assert.ok(port.revive());
    assert.deepEqual([port.commands.length, steered(port)], [1, []]);
    await controllerOn(port).reconcile();
    assert.deepEqual([port.commands.length, steered(port)], [1, ['a']]);
  });

  test('is not there in compatibility', async () => {
    const port = replacing();
    await controllerOn(port, { settings: STOCK_CONTROLLER_SETTINGS, search: 'karpenter' }).reconcile();
    assert.deepEqual([port.commands.length, steered(port)], [1, []]);
  });
});

test('a pod that lands in the second of the decision restarts consolidateAfter and ends nothing', async () => {
  for (const laterMs of [0, 200]) {
    const port = new FakeCluster({
      nodePools: [nodePool('default', { disruption: { consolidateAfter: '30s' } })],
      machines: ['a', 'b'].map((name) => machine(name, { lastPodEventMs: NOW_MS - MINUTE_MS })),
      pods: [pod('p', { on: 'a', cpu: 500 }), pod('q', { on: 'b', cpu: 1000, doNotDisrupt: 'true' })],
    });
    port.advanceTo(NOW_MS + 700);
    const controller = controllerOn(port);
    await controller.reconcile();
    port.advanceTo(NOW_MS + 700 + laterMs);
    port.addPod(pod('late', { on: 'a', cpu: 500 }));
    // Whole seconds are all that the API server keeps.
    port.changeClaim('claim-a', () => ({ lastPodEventMs: NOW_MS }));
    port.advanceTo(NOW_MS + 15_700);
    await controller.reconcile();
    assert.deepEqual([port.commands[0].phase, port.commands[0].reason], ['draining', undefined]);
  }
});

test('a pod that lands during the wait does not end a command whose move holds with it', async () => {
  const port = new FakeCluster({
    nodePools: [nodePool('default')],
    machines: [machine('a'), machine('b')],
    pods: [pod('p', { on: 'a', cpu: 500 }), pod('q', { on: 'b', cpu: 1000, doNotDisrupt: 'true' })],
  });
  const controller = controllerOn(port);
  await controller.reconcile();
  port.addPod(pod('late', { on: 'a', cpu: 500 }));
  port.advanceTo(port.nowMs + 15_000);
  await controller.reconcile();
  assert.deepEqual([port.commands[0].phase, port.commands[0].reason], ['draining', undefined]);
});
