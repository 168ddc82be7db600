import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { leftovers, watchLaws } from '../../test/build/controller-laws.ts';
import { FakeCluster } from '../../test/build/fake-cluster.ts';
import { LARGE } from '../../test/build/instance-type.ts';
import { machine } from '../../test/build/machine.ts';
import { nodePool } from '../../test/build/node-pool.ts';
import { pod } from '../../test/build/pod.ts';
import { controllerOn } from '../../test/build/run-controller.ts';
import { GIB, HOUR_MS, MINUTE_MS } from '../../test/build/units.ts';
import { DEFAULT_CONTROLLER_SETTINGS } from '../config/controller-settings.ts';
import { commandObject, commandOf } from '../live/journal-object.ts';
import { reasonInWords } from '../report/command-words.ts';
import { Brakes } from './brakes.ts';
import { EvictionPrices } from './eviction-prices.ts';
import { ForgoneSavings } from './forgone-savings.ts';

const POOL = nodePool('default');

/** A large node whose pod needs a medium one: proposed at 0 s, validated at 15 s. */
function replacing(): FakeCluster {
  return new FakeCluster({
    nodePools: [POOL],
    machines: [machine('a', { type: LARGE })],
    pods: [pod('p', { on: 'a', cpu: 3000 })],
  });
}

/** A node whose pod fits beside another; nothing can be launched. */
function deleting(): FakeCluster {
  return new FakeCluster({
    nodePools: [nodePool('default', { limits: { cpu: 1 } })],
    machines: [machine('a'), machine('b')],
    pods: [pod('p', { on: 'a', cpu: 3000 }), pod('q', { on: 'b', cpu: 500 })],
  });
}

describe('planned placements', () => {
  test('are in the journal, as new nodes by their number or as nodes by name', async () => {
    for (const [port, planned] of [
      [replacing(), { 'uid-p': 'new-1' }],
      [deleting(), { 'uid-q': 'a' }],
    ] as const) {
      await controllerOn(port).reconcile();
      const [command] = port.commands;
      assert.deepEqual(command.placements, planned);
      const { spec, status } = commandObject(command);
      assert.deepEqual(commandOf(command.id, spec, status), command);
    }
  });

  test('are bounded', async () => {
    const pods = Array.from({ length: 600 }, (_, i) => pod(`p${i}`, { on: 'a', cpu: 1, memory: 1e6 }));
    const many = { allocatable: { cpu: 16_000, memory: 64e9, pods: 1000 } };
    const machines = [machine('a', { type: LARGE, ...many }), machine('b', { type: LARGE, ...many })];
    const port = new FakeCluster({
      nodePools: [POOL],
      machines,
      pods: [...pods, pod('q', { on: 'b', cpu: 9000 })],
    });
    await controllerOn(port).reconcile();
    assert.equal(Object.keys(port.commands[0]?.placements ?? {}).length, 500);
  });
});

test('a replacement is not launched if by validation its pods fit on nodes that run', async () => {
  const port = replacing();
  const breaches = watchLaws(port);
  const controller = controllerOn(port);
  await controller.reconcile();
  assert.equal(port.commands[0].replacements.length, 1);
  const { node, claim } = machine('b');
  const { nodes, nodeClaims } = port.objects;
  assert.ok(node !== undefined && claim !== undefined);
  port.objects = { ...port.objects, nodes: [...nodes, node], nodeClaims: [...nodeClaims, claim] };
  port.advanceTo(port.nowMs + 15_000);
  await controller.reconcile();
  assert.deepEqual([port.commands[0].phase, port.commands[0].replacements], ['draining', []]);
  assert.ok(!port.asked.some(({ kind }) => kind === 'create-node-claim'));
  assert.deepEqual([...breaches], []);
});

describe('a move that validation refuses', () => {
  async function refused(): Promise<{ port: FakeCluster; controller: ReturnType<typeof controllerOn> }> {
    const port = deleting();
    const controller = controllerOn(port, { settings: { stabilizationWindowMs: 0 } });
    await controller.reconcile();
    const stays = port.commands[0].nodes[0].node === 'a' ? 'b' : 'a';
    port.addPod(pod('late', { on: stays, cpu: 700, doNotDisrupt: 'true' }));
    port.advanceTo(port.nowMs + 15_000);
    await controller.reconcile();
    return { port, controller };
  }

  test('names pod, node and resource', async () => {
    const { port } = await refused();
    const [{ reason = '', blockedBy }] = port.commands;
    assert.equal(reason, 'pods-unplaceable');
    assert.equal(blockedBy?.resource, 'cpu');
    assert.match(reasonInWords(reason, blockedBy), /^pods unplaceable: medium . has too little cpu for default\/.$/);
    assert.deepEqual(leftovers(port), []);
  });

  test('names the instance type and the pod slot that is missing, where a new node could be launched too', async () => {
    const guarded = { on: 'b', cpu: 100, doNotDisrupt: 'true' };
    const port = new FakeCluster({
      nodePools: [POOL],
      machines: [machine('a'), machine('b', { allocatable: { cpu: 4000, memory: 16 * GIB, pods: 2 } })],
      pods: [pod('p', { on: 'a', cpu: 100 }), pod('q', guarded)],
    });
    const controller = controllerOn(port);
    await controller.reconcile();
    port.addPod(pod('late', guarded));
    port.advanceTo(port.nowMs + 15_000);
    await controller.reconcile();
    const [{ reason = '', blockedBy }] = port.commands;
    assert.equal(
      reasonInWords(reason, blockedBy),
      'too many replacements: medium b has no pod slot left for default/p',
    );
    for (let minute = 0; minute < 90; minute += 5) {
      port.advanceTo(port.nowMs + 5 * MINUTE_MS);
      await controller.reconcile();
    }
    assert.equal(port.commands.filter(({ replacements }) => replacements.length === 0).length, 1);
    // With a new node it is another move, which nothing holds back.
    assert.equal(port.commands.filter(({ replacements }) => replacements.length === 1).length, 1);
  });

  test('does not start again before that has changed, however long it takes', async () => {
    const { port, controller } = await refused();
    const late = port.objects.pods.find((p) => p.name === 'late');
    const [{ id }] = port.commands;
    port.advanceTo(port.nowMs + HOUR_MS);
    await controller.reconcile();
    assert.deepEqual(
      port.commands.map((c) => c.id),
      [id],
    );
    port.changePod('late', () => ({ requests: { ...late?.requests, cpu: 100 } }));
    port.advanceTo(port.nowMs + 16 * MINUTE_MS);
    await controller.reconcile();
    assert.equal(port.commands.length, 2);
  });

  test('is held back by what it lacked, not by a timer', async () => {
    const { port } = await refused();
    const [command] = port.commands;
    const brakeState = { timing: new ForgoneSavings(), prices: new EvictionPrices(0) };
    const refusal = (unchanged: boolean) =>
      new Brakes(DEFAULT_CONTROLLER_SETTINGS, [command], brakeState, port.nowMs + HOUR_MS, () => unchanged).refuse(
        command,
        0,
      );
    assert.deepEqual(refusal(true), { code: 'given-up-before', waitMs: 0, blockedBy: command.blockedBy });
    assert.equal(refusal(false), undefined);
  });
});
