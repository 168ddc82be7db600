import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { is } from '../../test/build/constraints.ts';
import { leftovers, watchLaws } from '../../test/build/controller-laws.ts';
import { FakeCluster, type FakeClusterOptions } from '../../test/build/fake-cluster.ts';
import { instanceType, LARGE, MEDIUM } from '../../test/build/instance-type.ts';
import { machine } from '../../test/build/machine.ts';
import { nodePool } from '../../test/build/node-pool.ts';
import { pod } from '../../test/build/pod.ts';
import { podDisruptionBudget } from '../../test/build/pod-disruption-budget.ts';
import { type ControllerSketch, controllerOn, runUntil } from '../../test/build/run-controller.ts';
import { GIB, HOUR_MS, MINUTE_MS } from '../../test/build/units.ts';
import { CAPACITY_TYPE, DISRUPTED_TAINT, ON_DEMAND } from '../engine/cluster/well-known.ts';
import type { Controller } from './controller.ts';

const POOL = nodePool('default', { requirements: [is(CAPACITY_TYPE, 'In', ON_DEMAND)] });
/** Between medium and large. */
const SIX = instanceType('six', { cpu: 6500, memory: 24 * GIB, price: 0.3 });
/** A large node whose pods need a medium one: decided at 0 s, launching from 15 s, draining from 75 s. */
function replacing(options: FakeClusterOptions = {}): FakeCluster {
  return new FakeCluster(
    {
      nodePools: [POOL],
      machines: [machine('a', { type: LARGE })],
      pods: [pod('p', { on: 'a', cpu: 3000, labels: { app: 'web' } })],
      podDisruptionBudgets: [podDisruptionBudget('guard', 'web')],
    },
    options,
  );
}

/** A node whose pod fits beside another: decided at 0 s, deleted at 15 s. */
function deleting(): FakeCluster {
  return new FakeCluster({
    nodePools: [POOL],
    machines: [machine('a'), machine('b')],
    pods: [pod('p', { on: 'a', cpu: 3000 }), pod('q', { on: 'b', cpu: 1000 })],
  });
}

async function reconcileAt(controller: Controller, port: FakeCluster, ms: number): Promise<void> {
  port.advanceTo(ms);
  await controller.reconcile();
}

interface Abort {
  readonly name: string;
  readonly reason: string;
  happen(port: FakeCluster): void;
  readonly sketch?: ControllerSketch;
}

const HAPPENINGS: readonly Abort[] = [
  {
    name: 'a pod gets do-not-disrupt',
    reason: 'pod-annotation',
    happen: (port) => port.changePod('p', () => ({ doNotDisrupt: 'true' })),
  },
  {
    name: 'the node gets do-not-disrupt',
    reason: 'node-annotation',
    happen: (port) => port.changeNode('a', () => ({ doNotDisrupt: 'true' })),
  },
  {
    name: 'the pool is on its way out',
    reason: 'not-ours',
    happen: (port) => port.changePool('default', { terminating: true }),
  },
  {
    name: 'the pool is gone',
    reason: 'not-ours',
    happen: (port) => {
      port.objects = { ...port.objects, nodePools: [] };
    },
  },
];

describe('while it waits, nothing has been done but keeping pods off softly, and nothing is', () => {
  const more: readonly Abort[] = [
    ...HAPPENINGS,
    {
      name: 'a budget of the pods is used up',
      reason: 'pod-disruption-budget',
      happen: (port) => port.changeBudget('guard', { disruptionsAllowed: 0 }),
    },
    {
      name: 'a budget of the pool is used up',
      reason: 'budget',
      happen: (port) => port.changePool('default', { budgets: [{ nodes: '0' }] }),
    },
    {
      name: 'the pool is told to wait for an hour after pod events',
      reason: 'not-consolidatable',
      happen: (port) => {
        port.changePool('default', { disruption: { consolidateAfter: '3h' } });
      },
    },
    {
      name: 'the cheaper node has become as dear',
      reason: 'not-cheaper',
      happen: (port) => priceOfMedium(port, 0.4),
    },
    {
      name: 'the cheaper node has become more expensive, though it would still save',
      reason: 'dearer',
      happen: (port) => priceOfMedium(port, 0.3),
    },
    {
      name: 'the node is going by itself',
      reason: 'deleting',
      happen: (port) => port.delete('claim-a'),
    },
    {
      name: 'Karpenter has begun to disrupt the node itself',
      reason: 'deleting',
      happen: (port) => port.take('claim-a'),
    },
    {
      name: 'the threshold was raised',
      reason: 'savings-below-threshold',
      happen: (port) =>
        port.changePool('default', {
          disruption: { consolidationSavingsThresholdCents: '100', consolidateAfter: '0s' },
        }),
    },
  ];
  for (const { name, reason, happen } of more) {
    test(name, async () => {
      const port = replacing();
      const breaches = watchLaws(port);
      const controller = controllerOn(port);
      await controller.reconcile();
      happen(port);
      await reconcileAt(controller, port, port.nowMs + 15_000);
      assert.deepEqual(
        port.commands.slice(0, 1).map((c) => [c.phase, c.reason]),
        [['abandoned', reason]],
      );
      assert.deepEqual([...new Set(port.asked.map((a) => a.kind))], ['save-command', 'steer-node']);
      // A command that begins anew in the same pass keeps it.
      if (port.commands.length === 1) assert.ok(port.objects.nodes.every(({ steered }) => steered !== true));
      assert.deepEqual([...breaches], []);
    });
  }
});

describe('a pod that lands on the node of a command', () => {
  const lands: readonly [string, (port: FakeCluster) => void][] = [
    ['is moved with the others', (port) => port.addPod(pod('new', { on: 'a', cpu: 100 }))],
    [
      'instead of another is moved in its place',
      (port) => port.changePod('p', () => ({ uid: 'another', startedMs: port.nowMs })),
    ],
  ];
  for (const [name, land] of lands) {
    test(`${name}, before and after validation, while the move holds`, async () => {
      for (const afterMs of [1_000, 16_000]) {
        const port = replacing();
        const breaches = watchLaws(port);
        const controller = controllerOn(port);
        const startMs = port.nowMs;
        await controller.reconcile();
        if (afterMs > 15_000) await reconcileAt(controller, port, startMs + 15_000);
        port.advanceTo(startMs + afterMs);
        land(port);
        await reconcileAt(controller, port, startMs + 17_000);
        await reconcileAt(controller, port, startMs + 80_000);
        assert.deepEqual([port.commands[0].phase, port.commands[0].reason], ['draining', undefined]);
        assert.deepEqual([...breaches], []);
      }
    });
  }

  test('ends it if the move does not hold with it', async () => {
    const port = replacing();
    const controller = controllerOn(port);
    await controller.reconcile();
    port.advanceTo(port.nowMs + 1000);
    port.addPod(pod('new', { on: 'a', cpu: 3000 }));
    await reconcileAt(controller, port, port.nowMs + 15_000);
    assert.deepEqual([port.commands[0].phase, port.commands[0].reason], ['abandoned', 'not-cheaper']);
  });

  test('ends it before deletion if its savings are not worth the pod too', async () => {
    const port = replacing();
    port.changePool('default', { disruption: { consolidationSavingsThresholdCents: '7', consolidateAfter: '0s' } });
    const controller = controllerOn(port);
    const startMs = port.nowMs;
    await controller.reconcile();
    await reconcileAt(controller, port, startMs + 15_000);
    assert.equal(port.commands[0].phase, 'launching');
    port.addPod(pod('new', { on: 'a', cpu: 100 }));
    await reconcileAt(controller, port, startMs + 80_000);
    assert.deepEqual([port.commands[0].phase, port.commands[0].reason], ['abandoned', 'savings-below-threshold']);
  });
});

describe('while its new node comes up, what was done is undone', () => {
  for (const { name, reason, happen } of HAPPENINGS) {
    test(name, async () => {
      const port = replacing();
      const breaches = watchLaws(port);
      const controller = controllerOn(port);
      const startMs = port.nowMs;
      await controller.reconcile();
      await reconcileAt(controller, port, startMs + 15_000);
      assert.equal(port.commands[0].phase, 'launching');
      happen(port);
      await reconcileAt(controller, port, startMs + 75_000);
      assert.deepEqual([port.commands[0].phase, port.commands[0].reason], ['abandoned', reason]);
      port.advanceTo(startMs + 5 * MINUTE_MS);
      assert.deepEqual([...breaches, ...leftovers(port)], []);
      assert.deepEqual(
        port.objects.nodes.map((n) => n.name),
        ['a'],
      );
    });
  }

  test('a node that never becomes ready is abandoned after ten minutes', async () => {
    const port = replacing({ launchMs: () => undefined });
    const breaches = watchLaws(port);
    const controller = controllerOn(port);
    const startMs = port.nowMs;
    await controller.reconcile();
    await reconcileAt(controller, port, startMs + 15_000);
    await reconcileAt(controller, port, startMs + 15_000 + 10 * MINUTE_MS - 1);
    assert.equal(port.commands[0].phase, 'launching');
    await reconcileAt(controller, port, startMs + 15_000 + 10 * MINUTE_MS);
    assert.deepEqual([port.commands[0].phase, port.commands[0].reason], ['abandoned', 'timeout']);
    port.advanceTo(port.nowMs + MINUTE_MS);
    assert.deepEqual([...breaches, ...leftovers(port)], []);
    assert.equal(port.objects.nodeClaims.length, 1);
  });

  test('no capacity: Karpenter takes the NodeClaim away, and the command is abandoned', async () => {
    const port = replacing({ launchMs: () => undefined, refusedAfterMs: 30_000 });
    const breaches = watchLaws(port);
    const controller = controllerOn(port);
    const startMs = port.nowMs;
    await controller.reconcile();
    await reconcileAt(controller, port, startMs + 15_000);
    port.advanceTo(startMs + 45_000);
    const report = await controller.reconcile();
    assert.deepEqual([port.commands[0].phase, port.commands[0].reason], ['abandoned', 'replacement-gone']);
    assert.deepEqual([...breaches, ...leftovers(port)], []);
    // It is proposed again, and left alone for a while.
    assert.deepEqual(
      report.pass?.proposals.map((p) => p.refusal),
      [{ code: 'given-up-before', waitMs: 5 * MINUTE_MS }],
    );
  });

  test('what is abandoned again and again is tried less and less often, at least every hour', async () => {
    const port = replacing({ launchMs: () => undefined, refusedAfterMs: 30_000 });
    await runUntil(port, port.nowMs + 5 * HOUR_MS);
    const pauses = port.commands
      .slice(1)
      .map((c, i) => Math.round((c.decidedMs - port.commands[i].phaseMs) / MINUTE_MS));
    assert.deepEqual(pauses, [5, 10, 20, 40, 60, 60, 60]);
  });

  test('a new node that has pods by then is left where it is', async () => {
    const port = replacing();
    const breaches = watchLaws(port);
    const controller = controllerOn(port);
    const startMs = port.nowMs;
    await controller.reconcile();
    await reconcileAt(controller, port, startMs + 15_000);
    port.advanceTo(startMs + 75_000);
    const fresh = port.objects.nodes.find((n) => n.name !== 'a')?.name;
    port.addPod(pod('settler', { on: fresh, cpu: 2000 }));
    const { held } = await controller.reconcile();
    assert.deepEqual([...held.values()], ['pods-unplaceable']);
    await reconcileAt(controller, port, startMs + 15_000 + 10 * MINUTE_MS);
    assert.deepEqual([port.commands[0].phase, port.commands[0].reason], ['abandoned', 'timeout']);
    assert.deepEqual([...breaches], []);
    assert.equal(port.objects.nodes.length, 2);
  });

  test('a node that goes by itself has its pods on the new one', async () => {
    const port = replacing();
    const controller = controllerOn(port);
    const startMs = port.nowMs;
    await controller.reconcile();
    await reconcileAt(controller, port, startMs + 15_000);
    port.delete('claim-a');
    await reconcileAt(controller, port, startMs + 16_000);
    assert.equal(port.commands[0].phase, 'draining');
    await reconcileAt(controller, port, startMs + 80_000);
    assert.equal(port.commands[0].phase, 'done');
    const { realised, predicted } = port.commands[0];
    assert.deepEqual([realised?.savingsCentsPerHour, realised?.evictions], [predicted.savingsCentsPerHour, 0]);
    assert.equal(port.objects.nodeClaims.length, 1);
  });
});

test('a node that goes by itself before anything was launched for it saves nothing that we know of', async () => {
  const port = replacing({ fateOf: (action) => (action.kind === 'create-node-claim' ? 'lost' : 'done') });
  const controller = controllerOn(port);
  await controller.reconcile();
  await reconcileAt(controller, port, port.nowMs + 15_000);
  port.delete('claim-a');
  await reconcileAt(controller, port, port.nowMs + MINUTE_MS);
  const [{ phase, realised }] = port.commands;
  assert.deepEqual([phase, realised?.savingsCentsPerHour, realised?.evictions], ['done', 0, 0]);
});

/** A command that is down as draining, while the deletion of its node never arrived; from `repair` on, writes arrive. */
async function withLastStepLost() {
  let broken = true;
  const port = replacing({ fateOf: (action) => (broken && action.kind === 'delete-node-claim' ? 'lost' : 'done') });
  const breaches = watchLaws(port);
  const controller = controllerOn(port);
  const startMs = port.nowMs;
  await controller.reconcile();
  await reconcileAt(controller, port, startMs + 15_000);
  await reconcileAt(controller, port, startMs + 75_000);
  assert.equal(port.commands[0].phase, 'draining');
  const repair = () => {
    broken = false;
  };
  return { port, controller, breaches, startMs, repair };
}

describe('Karpenter disrupts nodes itself, as when they have drifted', () => {
  test('a node of a command: the command is abandoned, and the taint stays because it is Karpenter’s', async () => {
    const port = replacing();
    const breaches = watchLaws(port);
    const controller = controllerOn(port);
    const startMs = port.nowMs;
    await controller.reconcile();
    await reconcileAt(controller, port, startMs + 15_000);
    port.take('claim-a');
    await reconcileAt(controller, port, startMs + 20_000);
    assert.deepEqual([port.commands[0].phase, port.commands[0].reason], ['abandoned', 'taken']);
    assert.ok(!port.asked.some(({ kind }) => kind === 'untaint'));
    port.advanceTo(startMs + 5 * MINUTE_MS);
    assert.deepEqual([...breaches, ...leftovers(port)], []);
    assert.equal(port.objects.nodeClaims.length, 1, 'Karpenter launches what it needs');
  });

  test('and the new node is up by then: Karpenter may count on it', async () => {
    const port = replacing();
    const controller = controllerOn(port);
    const startMs = port.nowMs;
    await controller.reconcile();
    await reconcileAt(controller, port, startMs + 15_000);
    port.advanceTo(startMs + 75_000);
    port.take('claim-a');
    await controller.reconcile();
    assert.deepEqual([port.commands[0].phase, port.commands[0].reason], ['abandoned', 'taken']);
    assert.ok(!port.asked.some(({ kind }) => kind === 'delete-node-claim'));
  });

  test('it counts against the budget of its pool before it is deleted, and is no candidate', async () => {
    const machines = ['a', 'b', 'c'].map((name) => machine(name));
    const port = new FakeCluster({ nodePools: [{ ...POOL, budgets: [{ nodes: '1' }] }], machines, pods: [] });
    port.take('claim-a');
    const controller = controllerOn(port);
    const { pass } = await controller.reconcile();
    assert.deepEqual([pass?.pools.get('default')?.budgets.Empty, pass?.proposals], [0, []]);
    port.giveBack('claim-a');
    port.advanceTo(port.nowMs + MINUTE_MS);
    const after = await controller.reconcile();
    assert.equal(after.pass?.proposals.length, 1);
  });

  test('Karpenter 1.0 says so by the taint alone', async () => {
    const machines = ['a', 'b'].map((name) => machine(name));
    const port = new FakeCluster({ nodePools: [{ ...POOL, budgets: [{ nodes: '1' }] }], machines, pods: [] });
    port.changeNode('a', () => ({ taints: [DISRUPTED_TAINT] }));
    const { pass } = await controllerOn(port).reconcile();
    assert.deepEqual([pass?.pools.get('default')?.budgets.Empty, pass?.proposals], [0, []]);
    assert.deepEqual(pass?.nodeRefusals.get('a'), [{ code: 'deleting' }]);
  });

  test('one whose last step was written down and not taken is Karpenter’s too', async () => {
    const { port, controller, breaches, startMs, repair } = await withLastStepLost();
    port.take('claim-a');
    repair();
    await reconcileAt(controller, port, startMs + 80_000);
    assert.deepEqual([port.commands[0].phase, port.commands[0].reason], ['abandoned', 'deleting']);
    assert.deepEqual([...breaches, ...leftovers(port)], []);
  });
});

describe('one of two nodes goes by itself', () => {
  const start = async (options: FakeClusterOptions) => {
    const port = new FakeCluster(
      {
        nodePools: [POOL],
        machines: [machine('a', { type: LARGE }), machine('b', { type: LARGE })],
        pods: [pod('p', { on: 'a', cpu: 4500 }), pod('q', { on: 'b', cpu: 1500 })],
        instanceTypes: [LARGE, SIX],
      },
      options,
    );
    const controller = controllerOn(port);
    await controller.reconcile();
    assert.deepEqual([port.commands[0].nodes.length, port.commands[0].replacements.length], [2, 1]);
    await reconcileAt(controller, port, port.nowMs + 15_000);
    port.delete('claim-a');
    return { port, controller };
  };

  test('and the other may not go any more: it is given back, and the command goes on without it', async () => {
    const { port, controller } = await start({});
    port.changePod('q', () => ({ doNotDisrupt: 'true' }));
    await reconcileAt(controller, port, port.nowMs + MINUTE_MS);
    assert.deepEqual([port.commands[0].phase, port.commands[0].nodes.map((n) => n.node)], ['done', ['a']]);
    assert.deepEqual(leftovers(port), []);
    assert.equal(port.objects.nodes.length, 2);
  });

  test('and the new one does not come up: it is left to Karpenter, for the pods of the first want it', async () => {
    const { port, controller } = await start({ launchMs: () => undefined });
    await reconcileAt(controller, port, port.nowMs + 10 * MINUTE_MS);
    assert.deepEqual([port.commands[0].phase, port.commands[0].reason], ['abandoned', 'timeout']);
    const names = port.objects.nodeClaims.filter((c) => !c.terminating).map((c) => c.name);
    assert.deepEqual(names, ['claim-b', port.commands[0].replacements[0].nodeClaim]);
  });
});

test('a last step that is in the journal but held for too long is abandoned', async () => {
  const { port, controller, breaches, startMs, repair } = await withLastStepLost();
  port.changeBudget('guard', { disruptionsAllowed: 0 });
  repair();
  await reconcileAt(controller, port, startMs + 80_000);
  assert.equal(port.commands[0].reason, undefined);
  await reconcileAt(controller, port, startMs + 75_000 + 10 * MINUTE_MS);
  assert.deepEqual([port.commands[0].phase, port.commands[0].reason], ['abandoned', 'pod-disruption-budget']);
  assert.deepEqual([...breaches, ...leftovers(port)], []);
});

test('a last step that is written down and not taken: a taint that is gone by then comes back first', async () => {
  const { port, controller, breaches, startMs, repair } = await withLastStepLost();
  // As Karpenter does with taints of nodes that it did not choose itself.
  port.changeNode('a', () => ({ taints: [] }));
  repair();
  await reconcileAt(controller, port, startMs + 80_000);
  assert.deepEqual(
    port.asked.slice(-2).map(({ kind }) => kind),
    ['taint', 'delete-node-claim'],
  );
  assert.deepEqual(breaches, []);
});

test('S27: a pod that lands after the taint was decided on and before it was there', async () => {
  const port = deleting();
  const breaches = watchLaws(port);
  port.watch((action) => {
    if (action.kind === 'taint') {
      port.advanceTo(port.nowMs + 10);
      port.addPod(pod('late', { on: 'b', cpu: 100 }));
    }
  });
  const controller = controllerOn(port);
  await controller.reconcile();
  await reconcileAt(controller, port, port.nowMs + 15_000);
  assert.deepEqual([port.commands[0].phase, port.commands[0].reason], ['abandoned', 'pods-unplaceable']);
  assert.deepEqual([...breaches, ...leftovers(port)], []);
  assert.equal(port.asked.filter((a) => a.kind === 'delete-node-claim').length, 0);
});

test('a budget of pods that is used up for the moment holds the last step back', async () => {
  const port = replacing();
  const breaches = watchLaws(port);
  const controller = controllerOn(port);
  const startMs = port.nowMs;
  await controller.reconcile();
  await reconcileAt(controller, port, startMs + 15_000);
  port.changeBudget('guard', { disruptionsAllowed: 0 });
  port.advanceTo(startMs + 75_000);
  const report = await controller.reconcile();
  assert.deepEqual([...report.held.values()], ['pod-disruption-budget']);
  assert.ok((report.wakeAtMs ?? Infinity) <= port.nowMs + 10_000);
  port.changeBudget('guard', { disruptionsAllowed: 1 });
  await reconcileAt(controller, port, startMs + 85_000);
  assert.equal(port.commands[0].phase, 'draining');
  assert.deepEqual([...breaches], []);
});

test('nodes that may not follow those that are going already are given back', async () => {
  const port = new FakeCluster({
    nodePools: [POOL],
    machines: [machine('a'), machine('b'), machine('c')],
    pods: [],
  });
  let deletions = 0;
  const controller = controllerOn(port);
  await controller.reconcile();
  assert.equal(port.commands[0].nodes.length, 3);
  port.advanceTo(port.nowMs + 15_000);
  const { act } = port;
  port.act = async (action) => {
    if (action.kind === 'delete-node-claim' && ++deletions === 2) throw new Error('no answer');
    return act.call(port, action);
  };
  await controller.reconcile();
  const left = port.objects.nodeClaims.filter((c) => !c.terminating);
  assert.equal(left.length, 2);
  port.addPod(pod('kept', { on: left[0].nodeName, doNotDisrupt: 'true' }));
  await reconcileAt(controller, port, port.nowMs + 1000);
  await reconcileAt(controller, port, port.nowMs + 60_000);
  const [command] = port.commands;
  assert.deepEqual([command.phase, command.nodes.length], ['done', 1]);
  assert.equal(command.realised?.savingsCentsPerHour, 20);
  assert.deepEqual(
    port.objects.nodes.map((n) => n.taints),
    [[], []],
  );
});

function priceOfMedium(port: FakeCluster, price: number): void {
  const medium = { ...MEDIUM, offerings: MEDIUM.offerings.map((o) => ({ ...o, price })) };
  port.objects = { ...port.objects, instanceTypes: [medium, LARGE] };
}
