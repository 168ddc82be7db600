import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { is } from '../../test/build/constraints.ts';
import { leftovers, watchLaws } from '../../test/build/controller-laws.ts';
import { FakeCluster } from '../../test/build/fake-cluster.ts';
import { LARGE, MEDIUM } from '../../test/build/instance-type.ts';
import { machine } from '../../test/build/machine.ts';
import { nodePool } from '../../test/build/node-pool.ts';
import { pendingPod, pod } from '../../test/build/pod.ts';
import { podDisruptionBudget } from '../../test/build/pod-disruption-budget.ts';
import { controllerOn, runToRest, runUntil } from '../../test/build/run-controller.ts';
import { HOUR_MS, MINUTE_MS, NOW_MS } from '../../test/build/units.ts';
import { CAPACITY_TYPE, ON_DEMAND } from '../engine/cluster/well-known.ts';
import type { ReconcileReport } from './report.ts';

const ON_DEMAND_ONLY = [is(CAPACITY_TYPE, 'In', ON_DEMAND)];
const SECOND = 1000;

/** When passes were made, in seconds from the start. */
function passTimes(port: FakeCluster, sketch = {}) {
  const controller = controllerOn(port, sketch);
  const times: number[] = [];
  const reconcile = controller.reconcile.bind(controller);
  controller.reconcile = async (): Promise<ReconcileReport> => {
    const report = await reconcile();
    if (report.pass !== undefined) times.push((port.nowMs - NOW_MS) / SECOND);
    return report;
  };
  return { controller, times };
}

/** Nothing to be done with it: the cheapest node, well used. */
function stable(lastPodEventMs: number, disruption: object): FakeCluster {
  return new FakeCluster({
    nodePools: [nodePool('default', { requirements: ON_DEMAND_ONLY, disruption })],
    machines: [machine('a', { type: MEDIUM, lastPodEventMs })],
    pods: [pod('p', { on: 'a', cpu: 2500 })],
  });
}

describe('the polling period of the cluster consolidation document', () => {
  test('while nothing changes there is a pause; a change leads to a pass within seconds', async () => {
    const port = stable(NOW_MS - HOUR_MS, { consolidateAfter: '0s' });
    const { controller, times } = passTimes(port);
    await runUntil(port, NOW_MS + 4 * MINUTE_MS, {}, controller);
    assert.deepEqual(times, [0]);
    port.changePod('p', () => ({ requests: { cpu: 100 } }));
    const report = await controller.reconcile();
    assert.deepEqual([times.length, report.pass?.proposals.length], [2, 1]);
  });

  test('a change that came at once waits for the period', async () => {
    const port = stable(NOW_MS - HOUR_MS, { consolidateAfter: '0s' });
    const { controller, times } = passTimes(port);
    await controller.reconcile();
    port.advanceTo(NOW_MS + 3 * SECOND);
    port.changePod('p', () => ({ labels: { app: 'web' } }));
    const report = await controller.reconcile();
    assert.deepEqual([report.idle, report.wakeAtMs], [{ code: 'paused' }, NOW_MS + 10 * SECOND]);
    port.advanceTo(NOW_MS + 10 * SECOND);
    await controller.reconcile();
    assert.deepEqual(times, [0, 10]);
  });

  test('the same content in new objects is no change', async () => {
    const port = stable(NOW_MS - HOUR_MS, { consolidateAfter: '0s' });
    const { controller, times } = passTimes(port);
    await controller.reconcile();
    port.advanceTo(NOW_MS + MINUTE_MS);
    port.objects = structuredClone(port.objects);
    await controller.reconcile();
    assert.deepEqual(times, [0]);
  });

  test('otherwise the pause ends after five minutes', async () => {
    const port = stable(NOW_MS - HOUR_MS, { consolidateAfter: '0s' });
    const { controller, times } = passTimes(port);
    await runUntil(port, NOW_MS + 11 * MINUTE_MS, {}, controller);
    assert.deepEqual(times, [0, 300, 600]);
  });

  test('a node that waits for consolidateAfter is evaluated the moment that it is over', async () => {
    const port = stable(NOW_MS - 10 * SECOND, { consolidateAfter: '90s' });
    const { controller, times } = passTimes(port);
    await runUntil(port, NOW_MS + 2 * MINUTE_MS, {}, controller);
    assert.deepEqual(times, [0, 80]);
  });

  test('a node whose wait is over a moment after a pass waits for the period, as a change does', async () => {
    const port = stable(NOW_MS - 86 * SECOND, { consolidateAfter: '90s' });
    const { controller, times } = passTimes(port);
    await runUntil(port, NOW_MS + 2 * MINUTE_MS, {}, controller);
    assert.deepEqual(times, [0, 10]);
  });
});

describe('the timeline of the grace period document, through the controller', () => {
  const TIMELINE = { consolidateAfter: '30s', consolidationGracePeriod: '5m' };

  test('T=0 waits, T=30s evaluated and protected, T=5m30s evaluated again', async () => {
    const port = stable(NOW_MS, TIMELINE);
    const { controller, times } = passTimes(port, { times: { pauseMs: HOUR_MS } });
    const reports = await runUntil(port, NOW_MS + 11 * MINUTE_MS, {}, controller);
    assert.deepEqual(times, [0, 30, 330, 630]);
    const said = reports.flatMap((r) => (r.pass === undefined ? [] : [[...r.pass.refusals.keys()]]));
    assert.deepEqual(said, [['not-consolidatable'], ['not-cheaper'], ['not-cheaper'], ['not-cheaper']]);
  });

  test('in between it is protected as a source in every case', async () => {
    const port = stable(NOW_MS, TIMELINE);
    const controller = controllerOn(port);
    await runUntil(port, NOW_MS + MINUTE_MS, {}, controller);
    // Its pod has shrunk: it could be replaced now, but for the grace period.
    port.changePod('p', () => ({ requests: { cpu: 100 } }));
    const report = await controller.reconcile();
    assert.deepEqual([...(report.pass?.refusals ?? [])], [['grace-period', 1]]);
    assert.equal(report.wakeAtMs, NOW_MS + 5 * MINUTE_MS + 30 * SECOND);
    await runUntil(port, NOW_MS + 5 * MINUTE_MS + 30 * SECOND, {}, controller);
    await controller.reconcile();
    assert.equal(port.commands.length, 1);
  });

  test('it starts where the only move is one that the policy forbids', async () => {
    const port = stable(NOW_MS, { ...TIMELINE, consolidationPolicy: 'WhenUnderutilized' });
    port.changePod('p', () => ({ requests: { cpu: 100 } }));
    const controller = controllerOn(port);
    await runUntil(port, NOW_MS + MINUTE_MS, {}, controller);
    port.changePod('p', () => ({ requests: { cpu: 200 } }));
    const report = await controller.reconcile();
    assert.deepEqual([...(report.pass?.refusals ?? [])], [['grace-period', 1]]);
  });

  test('a pod event ends the protection', async () => {
    const port = stable(NOW_MS, TIMELINE);
    const controller = controllerOn(port);
    await runUntil(port, NOW_MS + MINUTE_MS, {}, controller);
    port.changePod('p', () => ({ requests: { cpu: 100 } }));
    port.changeClaim('claim-a', () => ({ lastPodEventMs: NOW_MS + MINUTE_MS }));
    await runUntil(port, NOW_MS + 90 * SECOND, {}, controller);
    await controller.reconcile();
    assert.deepEqual(
      port.commands.map((c) => c.decidedMs),
      [NOW_MS + 90 * SECOND],
    );
  });

  test('so does another policy', async () => {
    const port = stable(NOW_MS, TIMELINE);
    const controller = controllerOn(port);
    await runUntil(port, NOW_MS + MINUTE_MS, {}, controller);
    port.changePod('p', () => ({ requests: { cpu: 100 } }));
    port.changePool('default', { disruption: { ...TIMELINE, consolidationGracePeriod: '10m' } });
    await controller.reconcile();
    assert.equal(port.commands.length, 1);
  });

  test('a restart costs one evaluation more, no protection', async () => {
    const port = stable(NOW_MS, TIMELINE);
    await runUntil(port, NOW_MS + MINUTE_MS);
    const controller = controllerOn(port);
    await controller.reconcile();
    port.changePod('p', () => ({ requests: { cpu: 100 } }));
    port.advanceTo(NOW_MS + 90 * SECOND);
    const report = await controller.reconcile();
    assert.deepEqual([...(report.pass?.refusals ?? [])], [['grace-period', 1]]);
    assert.equal(report.wakeAtMs, NOW_MS + 5 * MINUTE_MS + 30 * SECOND);
  });
});

/** Nodes that go one after the other because of budgets, by when they are deleted. */
async function deletions(port: FakeCluster, sketch = {}): Promise<readonly number[]> {
  const times: number[] = [];
  port.watch((action) => {
    if (action.kind === 'delete-node-claim') times.push((port.nowMs - NOW_MS) / SECOND);
  });
  const breaches = watchLaws(port);
  await runToRest(port, sketch);
  assert.deepEqual([...breaches, ...leftovers(port)], []);
  return times;
}

function empty(count: number, pool = nodePool('default')): FakeCluster {
  return new FakeCluster({
    nodePools: [pool],
    machines: Array.from({ length: count }, (_, i) => machine(`n${i}`, { pool: pool.name })),
    pods: [],
  });
}

describe('budgets and brakes over time', () => {
  test('nodes of commands that are draining count: one at a time is one at a time', async () => {
    const times = await deletions(empty(3, nodePool('default', { budgets: [{ nodes: '1' }] })));
    assert.equal(times.length, 3);
    // A node is gone 30 s after its deletion, and the next waits for its validation.
    for (const [i, at] of times.entries()) if (i > 0) assert.ok(at - times[i - 1] >= 30, String(times));
  });

  test('a budget without limit lets all go at once', async () => {
    assert.deepEqual(await deletions(empty(3)), [15, 15, 15]);
  });

  test('two pools have their budgets each', async () => {
    const pools = ['left', 'right'].map((name) => nodePool(name, { budgets: [{ nodes: '1' }] }));
    const port = new FakeCluster({
      nodePools: pools,
      machines: pools.flatMap(({ name }) => [
        machine(`${name}-1`, { pool: name }),
        machine(`${name}-2`, { pool: name }),
      ]),
      pods: [],
    });
    const times = await deletions(port);
    assert.deepEqual(times.slice(0, 2), [15, 15]);
    assert.equal(times.length, 4);
  });

  test('a pod budget of 1: nodes with pods under it go one after the other', async () => {
    const port = new FakeCluster({
      nodePools: [nodePool('default', { requirements: ON_DEMAND_ONLY })],
      machines: [machine('a', { type: LARGE }), machine('b'), machine('c')],
      pods: [
        pod('p', { on: 'a', cpu: 5000 }),
        pod('q', { on: 'b', cpu: 1000, labels: { app: 'web' } }),
        pod('r', { on: 'c', cpu: 1000, labels: { app: 'web' } }),
      ],
      podDisruptionBudgets: [podDisruptionBudget('guard', 'web')],
    });
    const times = await deletions(port);
    assert.equal(times.length, 2);
    assert.ok(times[1] - times[0] >= 30, String(times));
  });

  test('a pool has peace for the cooldown, one command at a time', async () => {
    const port = new FakeCluster({
      nodePools: [nodePool('default', { requirements: ON_DEMAND_ONLY, disruption: { consolidateAfter: '0s' } })],
      machines: [machine('a', { type: LARGE }), machine('b'), machine('c')],
      pods: [pod('p', { on: 'a', cpu: 5000 }), pod('q', { on: 'b', cpu: 900 }), pod('r', { on: 'c', cpu: 900 })],
    });
    const times = await deletions(port, { settings: { poolCooldownMs: 10 * MINUTE_MS } });
    assert.deepEqual(times, [15, 615]);
  });

  test('a workload is evicted so often and not more', async () => {
    const port = new FakeCluster({
      nodePools: [nodePool('default', { requirements: ON_DEMAND_ONLY, disruption: { consolidateAfter: '0s' } })],
      machines: [machine('a', { type: LARGE }), machine('b'), machine('c')],
      pods: [pod('p', { on: 'a', cpu: 5000 }), pod('q', { on: 'b', cpu: 900 }), pod('r', { on: 'c', cpu: 900 })],
    });
    const settings = { maxWorkloadEvictions: 1, workloadEvictionWindowMs: 20 * MINUTE_MS };
    const times = await deletions(port, { settings });
    assert.deepEqual(times, [15, 20 * 60 + 15 + 15]);
  });
});

describe('the stabilization window', () => {
  const waiting = () =>
    new FakeCluster({
      nodePools: [nodePool('default', { budgets: [{ nodes: '1' }] })],
      machines: [machine('a'), machine('b')],
      pods: [pendingPod('huge', { cpu: 100_000 })],
    });

  test('nothing goes for five minutes after a removal while a pod is pending', async () => {
    const port = waiting();
    const times: number[] = [];
    port.watch((action) => {
      if (action.kind === 'delete-node-claim') times.push((port.nowMs - NOW_MS) / SECOND);
    });
    const reports = await runUntil(port, NOW_MS + 10 * MINUTE_MS);
    // The first node is gone at 45 s: that is when the window begins.
    assert.deepEqual(times, [15, 45 + 300 + 15]);
    assert.ok(reports.some((r) => r.idle?.code === 'stabilization' && r.idle.pendingPods === 1));
  });

  test('nor after Karpenter removed a node by itself', async () => {
    const port = waiting();
    const controller = controllerOn(port);
    // The node expires; Karpenter has deleted it before the first pass is over.
    port.objects = { ...port.objects, nodeClaims: port.objects.nodeClaims.map((c) => ({ ...c, terminating: true })) };
    const first = await controller.reconcile();
    assert.deepEqual(first.idle?.code, 'stabilization');
    port.objects = { ...port.objects, nowMs: NOW_MS + MINUTE_MS, nodes: [], nodeClaims: [] };
    await controller.reconcile();
    port.objects = { ...port.objects, nowMs: NOW_MS + 5 * MINUTE_MS + SECOND };
    const { idle } = await controller.reconcile();
    // It was gone after a minute: the window lasts from then.
    assert.ok(idle?.code === 'stabilization' && idle.waitMs === MINUTE_MS - SECOND);
  });

  test('without one the next goes at once', async () => {
    const port = waiting();
    port.objects = { ...port.objects, pods: [] };
    const times = await deletions(port);
    assert.deepEqual(times.length, 2);
    assert.ok(times[1] < 90);
  });
});

test('the clock that was set back does not stop anything', async () => {
  const port = empty(2);
  const controller = controllerOn(port);
  await controller.reconcile();
  port.objects = { ...port.objects, nowMs: NOW_MS - HOUR_MS };
  await controller.reconcile();
  assert.equal(port.commands[0].phase, 'draining');
});
