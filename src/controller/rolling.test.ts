import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { leftovers, watchLaws } from '../../test/build/controller-laws.ts';
import { FakeCluster, type FakeClusterOptions, type Fate } from '../../test/build/fake-cluster.ts';
import { machine } from '../../test/build/machine.ts';
import { pod } from '../../test/build/pod.ts';
import { podDisruptionBudget } from '../../test/build/pod-disruption-budget.ts';
import { controllerOn, runToRest, runUntil } from '../../test/build/run-controller.ts';
import { type SingletonSketch, singleton } from '../../test/build/singleton.ts';
import { MINUTE_MS, NOW_MS } from '../../test/build/units.ts';
import type { Labels } from '../engine/cluster/objects.ts';
import { isActive } from '../engine/cluster/pods.ts';
import { HOSTNAME } from '../engine/cluster/well-known.ts';

const SKETCH = { settings: { rollouts: true } };
const WAYS = {
  restart: {},
  'extra-replica': { rollout: { rolling: { maxSurge: 0, maxUnavailable: 1 } } },
} satisfies Record<string, SingletonSketch>;
type Way = keyof typeof WAYS;

/** Node "a" holds the singleton "web", whose budget allows nothing; it fits on "b", which stays. */
function cluster(way: Way, options: FakeClusterOptions = {}): FakeCluster {
  const web = singleton('web', { on: 'a', move: 'rollout', ...WAYS[way] });
  return new FakeCluster(
    {
      machines: [machine('a'), machine('b')],
      pods: [web.pod, pod('other', { on: 'b', doNotDisrupt: 'true' })],
      workloads: web.workloads,
      autoscalers: [],
      podDisruptionBudgets: [podDisruptionBudget('web', 'web', { disruptionsAllowed: 0, fullyBlocking: true })],
    },
    options,
  );
}

function podsOf(port: FakeCluster, name = 'web') {
  return port.objects.pods.filter((p) => isActive(p) && p.labels.app === name);
}

/** Fails if there is a moment at which no pod of "web" is ready. */
function watchDowntime(port: FakeCluster): void {
  port.watch(() => assert.ok(podsOf(port).some((p) => p.ready === 'True')));
}

function deployment(port: FakeCluster) {
  return port.objects.workloads.find((w) => w.kind === 'Deployment');
}

function assertMoved(port: FakeCluster, breaches: readonly string[]): void {
  assert.deepEqual([...breaches, ...leftovers(port)], []);
  assert.deepEqual(
    port.objects.nodes.map((n) => n.name),
    ['b'],
  );
  assert.deepEqual(
    podsOf(port).map((p) => [p.nodeName, p.ready]),
    [['b', 'True']],
  );
  assert.equal(deployment(port)?.replicas, 1);
  assert.equal(deployment(port)?.rollout?.extraReplica, undefined);
}

for (const way of ['restart', 'extra-replica'] as const) {
  describe(`a pod that is rolled by ${way}`, () => {
    test('is ready elsewhere before its node is deleted', async () => {
      const port = cluster(way);
      const breaches = watchLaws(port);
      watchDowntime(port);
      const reports = await runToRest(port, SKETCH);
      assertMoved(port, breaches);
      const [command] = port.commands;
      assert.equal(command.phase, 'done');
      assert.deepEqual(
        command.rollouts?.map((r) => [r.deployment, r.pod, r.by]),
        [['web', 'web-1', way]],
      );
      assert.deepEqual([command.realised?.evictions, command.workloads], [0, {}]);
      const kinds = port.asked.map((a) => a.kind);
      assert.ok(kinds.indexOf('taint') < kinds.indexOf(way === 'restart' ? 'restart-deployment' : way));
      assert.equal(reports.flatMap((r) => r.transitions).filter((c) => c.phase === 'launching').length, 2);
    });

    test('stays as it was if the new pod does not become ready in time', async () => {
      const port = cluster(way, { readyMs: () => undefined });
      const before = deployment(port);
      const breaches = watchLaws(port);
      watchDowntime(port);
      await runUntil(port, NOW_MS + 6 * MINUTE_MS, SKETCH);
      assert.deepEqual([...breaches, ...leftovers(port)], []);
      assert.deepEqual(
        port.commands.map((c) => [c.phase, c.reason]),
        [['abandoned', 'rollout-timeout']],
      );
      assert.deepEqual(deployment(port), before);
      assert.deepEqual(
        podsOf(port).map((p) => [p.name, p.nodeName, p.steeredCost]),
        [['web-1', 'a', undefined]],
      );
    });

    test('is not touched if there is no more room for it', async () => {
      const port = cluster(way);
      port.watch(({ kind }) => {
        if (kind === 'taint') port.addPod(pod('late', { on: 'b', cpu: 3400 }));
      });
      await runUntil(port, NOW_MS + MINUTE_MS, SKETCH);
      assert.deepEqual(leftovers(port), []);
      assert.deepEqual(
        port.commands.map((c) => c.reason),
        ['pods-unplaceable'],
      );
      assert.ok(!port.asked.some((a) => a.kind === 'restart-deployment' || a.kind === 'extra-replica'));
    });

    test('wherever the process dies or a write fails', async () => {
      const whole = cluster(way);
      await runToRest(whole, SKETCH);
      for (const fate of ['death-before', 'death-after', 'lost', 'unanswered', 'twice'] satisfies Fate[]) {
        for (let at = 0; at < whole.asked.length; at++) {
          const port = cluster(way, { fateOf: (_, index) => (index === at ? fate : 'done') });
          const breaches = watchLaws(port);
          watchDowntime(port);
          await runToRest(port, SKETCH);
          assertMoved(port, breaches);
        }
      }
    });

    test('keeps its node if its Deployment has changed before the rollout', async () => {
      const port = cluster(way);
      port.watch(({ kind }) => {
        if (kind !== 'taint') return;
        const workloads = port.objects.workloads.map((w) => (w.kind === 'Deployment' ? { ...w, replicas: 2 } : w));
        port.objects = { ...port.objects, workloads };
      });
      await runUntil(port, NOW_MS + 2 * MINUTE_MS, SKETCH);
      assert.deepEqual(
        port.commands.map((c) => c.reason),
        ['no-rollout'],
      );
      assert.deepEqual(leftovers(port), []);
    });
  });
}

test('an extra replica is removed although its command was deleted', async () => {
  const port = cluster('extra-replica');
  port.watch(({ kind }) => {
    if (kind === 'extra-replica') port.wipeJournal();
  });
  const controller = controllerOn(port, SKETCH);
  for (let i = 0; i < 6; i++) {
    await controller.reconcile();
    port.advanceTo(port.nowMs + 15_000);
  }
  assert.ok(port.asked.some((a) => a.kind === 'extra-replica' && a.wanted));
  await controllerOn(port).reconcile();
  assert.deepEqual([deployment(port)?.replicas, deployment(port)?.rollout?.extraReplica], [1, undefined]);
});

test('without --rollouts the node stays', async () => {
  const port = cluster('restart');
  await runToRest(port);
  assert.deepEqual(port.commands, []);
});

describe('a pod whose node is rolled while another node drains', () => {
  /** As above, and node "c" with a pod is deleted by something else right before the rollout. */
  function draining(sketch: { readonly needs?: string; readonly used?: number }) {
    const web = singleton('web', { on: 'a', move: 'rollout', cpu: 2000 });
    const nodeSelector: Labels = sketch.needs === undefined ? {} : { [HOSTNAME]: sketch.needs };
    const port = new FakeCluster({
      machines: [...['a', 'a2', 'b'].map((name) => machine(name)), machine('c', { doNotDisrupt: 'true' })],
      pods: [
        web.pod,
        pod('other', { on: 'b', cpu: 2000, doNotDisrupt: 'true' }),
        pod('moves', { on: 'c', cpu: 1000, nodeSelector }),
        pod('third', { on: 'a2', cpu: sketch.used ?? 3000, doNotDisrupt: 'true' }),
      ],
      workloads: web.workloads,
      autoscalers: [],
      podDisruptionBudgets: [podDisruptionBudget('web', 'web', { disruptionsAllowed: 0, fullyBlocking: true })],
    });
    const begunWith: number[] = [];
    port.watch(({ kind }) => {
      if (kind === 'taint') port.delete('claim-c');
      if (kind === 'restart-deployment') begunWith.push(port.objects.nodeClaims.filter((c) => c.terminating).length);
    });
    watchDowntime(port);
    return { port, breaches: watchLaws(port), begunWith };
  }

  test('waits until it has ended, if the pods could take each other’s place', async () => {
    const { port, breaches, begunWith } = draining({});
    await runUntil(port, NOW_MS + 5 * MINUTE_MS, SKETCH);
    assert.deepEqual([...breaches, ...leftovers(port), ...port.unplacedPods], []);
    assert.deepEqual(begunWith, [0]);
    assert.deepEqual(
      podsOf(port).map((p) => [p.nodeName, p.ready]),
      [['b', 'True']],
    );
  });

  test('does not wait if there is room for both', async () => {
    const { port, breaches, begunWith } = draining({ used: 1000 });
    await runUntil(port, NOW_MS + 5 * MINUTE_MS, SKETCH);
    assert.deepEqual([...breaches, ...leftovers(port), ...port.unplacedPods], []);
    assert.deepEqual(begunWith, [1]);
  });

  test('stays if its place is needed', async () => {
    const { port, breaches, begunWith } = draining({ needs: 'b' });
    await runUntil(port, NOW_MS + 5 * MINUTE_MS, SKETCH);
    assert.deepEqual([...breaches, ...leftovers(port), ...port.unplacedPods], []);
    assert.deepEqual(begunWith, []);
    assert.deepEqual(
      podsOf(port).map((p) => p.name),
      ['web-1'],
    );
  });
});
