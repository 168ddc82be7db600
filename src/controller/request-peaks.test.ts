import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { FakeCluster } from '../../test/build/fake-cluster.ts';
import { machine } from '../../test/build/machine.ts';
import { nodePool } from '../../test/build/node-pool.ts';
import { type PodSketch, pod } from '../../test/build/pod.ts';
import { type ControllerSketch, controllerOn } from '../../test/build/run-controller.ts';
import { GIB, MINUTE_MS } from '../../test/build/units.ts';
import { STOCK_CONTROLLER_SETTINGS } from '../config/controller-settings.ts';

describe('a destination that was fuller within the last 15 minutes', () => {
  /** Node a could go to b, but for a job that ran there when the controller first looked. */
  async function commandsAfter(ms: number, sketch: ControllerSketch, job: PodSketch, slots = 110): Promise<number> {
    const guarded = { doNotDisrupt: 'true', on: 'b' };
    const port = new FakeCluster({
      nodePools: [nodePool('default', { limits: { cpu: 1 } })],
      machines: [machine('a'), machine('b', { allocatable: { cpu: 4000, memory: 16 * GIB, pods: slots } })],
      pods: [pod('p', { on: 'a', cpu: 1000 }), pod('q', { ...guarded, cpu: 1000 }), pod('job', { ...guarded, ...job })],
    });
    const controller = controllerOn(port, sketch);
    await controller.reconcile();
    assert.equal(port.commands.length, 0);
    port.objects = { ...port.objects, pods: port.objects.pods.filter((p) => p.name !== 'job') };
    port.advanceTo(port.nowMs + ms);
    await controller.reconcile();
    return port.commands.length;
  }

  test('keeps that room free', async () => {
    assert.equal(await commandsAfter(MINUTE_MS, {}, { cpu: 2500 }), 0);
    assert.equal(await commandsAfter(14 * MINUTE_MS, {}, { cpu: 2500 }), 0);
  });

  test('keeps its pod slots free', async () => {
    assert.equal(await commandsAfter(MINUTE_MS, {}, { cpu: 10, memory: 1 }, 2), 0);
    assert.equal(await commandsAfter(16 * MINUTE_MS, {}, { cpu: 10, memory: 1 }, 2), 1);
  });

  test('does not afterwards', async () => {
    assert.equal(await commandsAfter(16 * MINUTE_MS, {}, { cpu: 2500 }), 1);
  });

  test('does not in compatibility', async () => {
    const settings = { ...STOCK_CONTROLLER_SETTINGS };
    assert.equal(await commandsAfter(MINUTE_MS, { settings, search: 'karpenter' }, { cpu: 2500 }), 1);
  });
});
