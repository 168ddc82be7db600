import assert from 'node:assert/strict';
import { test } from 'node:test';
import { is, podsOf } from '../../test/build/constraints.ts';
import { FakeCluster } from '../../test/build/fake-cluster.ts';
import { instanceType, LARGE } from '../../test/build/instance-type.ts';
import { logLines } from '../../test/build/log-lines.ts';
import { machine } from '../../test/build/machine.ts';
import { nodePool } from '../../test/build/node-pool.ts';
import { pendingPod, pod } from '../../test/build/pod.ts';
import { controllerOn } from '../../test/build/run-controller.ts';
import { CAPACITY_TYPE, ON_DEMAND, ZONE } from '../engine/cluster/well-known.ts';
import { OperatorMetrics } from './metrics.ts';
import { ReconcileLog } from './reconcile-log.ts';
import { measure } from './reconcile-metrics.ts';

const pool = (disruption: object) =>
  nodePool('default', { requirements: [is(CAPACITY_TYPE, 'In', ON_DEMAND)], disruption });
const sketch = (disruption: object) => ({
  nodePools: [pool(disruption)],
  machines: [machine('a', { type: LARGE })],
  pods: [pod('p', { on: 'a', cpu: 3000 })],
});

test('the line of the savings-threshold document, at info level, once in 15 minutes', async () => {
  const port = new FakeCluster(sketch({ consolidateAfter: '0s', consolidationSavingsThresholdCents: '100' }));
  const report = await controllerOn(port, { mode: 'observe' }).reconcile();
  const { log, lines } = logLines('info');
  const told = new ReconcileLog(log);
  for (const nowMs of [0, 60_000, 15 * 60_000]) told.tell(report, port.view(), nowMs);
  const line = {
    time: '1970-01-01T00:00:00.000Z',
    level: 'info',
    message:
      'consolidation blocked: savings 20.0 cents/hr below required 200.0 cents/hr (disruption_cost=2.0, threshold=100)',
    node: 'a',
    nodepool: 'default',
  };
  assert.deepEqual(lines, [line, line]);
});

test('nothing of the threshold about a node that it would keep alone, and that leaves in another move', async () => {
  const half = instanceType('half', { cpu: 2000, price: 0.5 });
  const port = new FakeCluster({
    nodePools: [pool({ consolidateAfter: '0s', consolidationSavingsThresholdCents: '4' })],
    machines: ['a', 'b'].map((name) => machine(name, { type: half })),
    pods: ['a', 'b'].map((on) => pod(`on-${on}`, { on, cpu: 1800 })),
    instanceTypes: [
      half,
      instanceType('cheaper', { cpu: 2000, price: 0.45 }),
      instanceType('large', { cpu: 8000, price: 0.6 }),
    ],
  });
  const report = await controllerOn(port, { mode: 'observe' }).reconcile();
  assert.equal(report.pass?.nodeRefusals.get('a')?.[0].code, 'savings-below-threshold');
  assert.equal(report.pass?.proposals[0].command.nodes.length, 2);
  const { log, lines } = logLines('info');
  new ReconcileLog(log).tell(report, port.view(), 0);
  assert.deepEqual(lines, []);
});

test('a move of nodes of two pools that the threshold blocks: one line, and each pool is counted once', async () => {
  const half = instanceType('half', { cpu: 2000, price: 0.5 });
  const named = (name: string, cents: string) => ({
    ...pool({ consolidateAfter: '0s', consolidationSavingsThresholdCents: cents }),
    name,
  });
  const port = new FakeCluster({
    nodePools: [named('critical', '5'), named('batch', '1')],
    machines: [machine('a', { type: half, pool: 'critical' }), machine('b', { type: half, pool: 'batch' })],
    pods: [
      ...[0, 1].map((i) => pod(`a-${i}`, { on: 'a', cpu: 900, memory: 1 })),
      ...Array.from({ length: 10 }, (_, i) => pod(`b-${i}`, { on: 'b', cpu: 180, memory: 1 })),
    ],
    instanceTypes: [half, instanceType('large', { cpu: 8000, price: 0.9 })],
  });
  const report = await controllerOn(port, { mode: 'observe' }).reconcile();
  const { log, lines } = logLines('info');
  new ReconcileLog(log).tell(report, port.view(), 0);
  const message =
    'consolidation blocked: savings 10.0 cents/hr below required 26.0 cents/hr (disruption_cost=14.0, threshold=1.86) for nodes a, b together';
  assert.deepEqual(
    lines.map(({ time: _, ...line }) => line),
    [{ level: 'info', message, node: 'a,b', nodepool: 'critical,batch' }],
  );
  const metrics = new OperatorMetrics();
  measure(metrics, report, port.view());
  assert.deepEqual(
    (await metrics.thresholdBlocked.get()).values.map(({ labels, value }) => [labels.nodepool, value]),
    [
      ['critical', 1],
      ['batch', 1],
    ],
  );
});

test('a node that a used-up budget keeps as well is not blocked by the threshold', async () => {
  const strict = { consolidateAfter: '0s', consolidationSavingsThresholdCents: '100' };
  const blocked = async (nodes: string) => {
    const port = new FakeCluster({
      ...sketch(strict),
      nodePools: [{ ...pool({ ...strict, budgets: [{ nodes }] }), budgets: [{ nodes }] }],
    });
    const { pass } = await controllerOn(port, { mode: 'observe' }).reconcile();
    return { blocked: pass?.thresholdBlocked.size, refusals: [...(pass?.refusals.keys() ?? [])] };
  };
  assert.deepEqual(await blocked('1'), { blocked: 1, refusals: ['savings-below-threshold'] });
  assert.deepEqual(await blocked('0'), { blocked: 0, refusals: ['savings-below-threshold', 'budget'] });
});

test('a command, step by step', async () => {
  const port = new FakeCluster(sketch({ consolidateAfter: '0s' }));
  const controller = controllerOn(port);
  const { log, lines } = logLines('info');
  const told = new ReconcileLog(log);
  for (let i = 0; i < 60; i++) {
    told.tell(await controller.reconcile(), port.view(), port.nowMs);
    port.advanceTo(port.nowMs + 5_000);
  }
  const [{ id }] = port.commands;
  const move = 'replaces node a (40.0 ¢/h) by one medium (20.0 ¢/h), 1 pod to move: saves 20.0 ¢/h';
  assert.deepEqual(
    lines.map(({ message }) => message),
    [
      `command begun: ${move}`,
      `command confirmed: ${move}`,
      'command deletes its nodes',
      'command done: 20.0 ¢/h saved as predicted, 1 pod moved',
    ],
  );
  assert.ok(lines.every(({ command, nodes }) => command === id && (nodes as string[]).join() === 'a'));
});

test('an abandoned command has its reason, and a failed action its error', async () => {
  const port = new FakeCluster(sketch({ consolidateAfter: '0s' }), {
    fateOf: (action) => (action.kind === 'taint' ? 'lost' : 'done'),
  });
  const controller = controllerOn(port);
  const { log, lines } = logLines('info');
  const told = new ReconcileLog(log);
  for (let i = 0; i < 200; i++) {
    told.tell(await controller.reconcile(), port.view(), port.nowMs);
    port.advanceTo(port.nowMs + 5_000);
  }
  assert.ok(lines.some((l) => l.level === 'warn' && l.action === 'taint' && l.error === 'lost'));
  assert.ok(lines.some((l) => l.message === 'command is being rolled back: it timed out'));
  assert.ok(lines.some((l) => l.message === 'command abandoned: it timed out'));
});

test('pools that are not ours are said once', async () => {
  const port = new FakeCluster(sketch({ consolidateAfter: '0s' }));
  const report = await controllerOn(port, { mode: 'observe', interlock: true }).reconcile();
  const { log, lines } = logLines('info');
  const told = new ReconcileLog(log);
  for (const nowMs of [0, 1000, 2000]) told.tell(report, port.view(), nowMs);
  assert.equal(lines.length, 1);
  assert.match(lines[0].message, /^Karpenter consolidates this NodePool itself/);
});

test('pending pods with too many terms are said once by namespace', async () => {
  const [a, b] = [2400, 301].map((terms) =>
    pendingPod(`with-${terms}`, {
      requiredAntiAffinity: Array.from({ length: terms }, (_, i) => podsOf(`app-${i}`, ZONE)),
    }),
  );
  const { nodePools, machines, pods } = sketch({ consolidateAfter: '0s' });
  const port = new FakeCluster({ nodePools, machines, pods: [...pods, a, b] });
  const report = await controllerOn(port, { mode: 'observe' }).reconcile();
  const { log, lines } = logLines('warn');
  const told = new ReconcileLog(log);
  for (const nowMs of [0, 60_000]) told.tell(report, port.view(), nowMs);
  assert.deepEqual(
    lines.map(({ message }) => message),
    [
      'namespace default: 1 pending pod has no place in any plan: the scheduling constraints of the pods in this namespace are too many, or select too many pods',
    ],
  );
});
