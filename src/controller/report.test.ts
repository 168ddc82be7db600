import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { is } from '../../test/build/constraints.ts';
import { FakeCluster, type Fate } from '../../test/build/fake-cluster.ts';
import { instanceType, LARGE } from '../../test/build/instance-type.ts';
import { machine } from '../../test/build/machine.ts';
import { nodePool } from '../../test/build/node-pool.ts';
import { pod } from '../../test/build/pod.ts';
import { controllerOn } from '../../test/build/run-controller.ts';
import { CAPACITY_TYPE, INSTANCE_TYPE, ON_DEMAND } from '../engine/cluster/well-known.ts';
import type { Action } from './cluster-port.ts';
import type { PassReport } from './report.ts';

const STRICT = { consolidateAfter: '0s', consolidationSavingsThresholdCents: '100' };

test('a pass counts refusals by code, and nodes that the savings threshold kept by pool', async () => {
  const port = new FakeCluster({
    nodePools: ['strict', 'lax'].map((name) =>
      nodePool(name, {
        requirements: [is(CAPACITY_TYPE, 'In', ON_DEMAND)],
        templateLabels: { pool: name },
        disruption: name === 'strict' ? STRICT : { consolidateAfter: '0s' },
      }),
    ),
    machines: [
      machine('a', { pool: 'strict', type: LARGE, labels: { pool: 'strict' } }),
      machine('b', { pool: 'strict', type: LARGE, labels: { pool: 'strict' } }),
      machine('c', { pool: 'lax', type: LARGE, labels: { pool: 'lax' } }),
    ],
    pods: [
      pod('p', { on: 'a', cpu: 5000, nodeSelector: { pool: 'strict' } }),
      pod('q', { on: 'b', cpu: 3500, nodeSelector: { pool: 'strict' } }),
      pod('r', { on: 'c', cpu: 3500, nodeSelector: { pool: 'lax' }, doNotDisrupt: 'true' }),
    ],
  });
  let time = 0;
  const { pass } = await controllerOn(port, { clock: () => (time += 7) }).reconcile();
  assert.deepEqual(Object.fromEntries(pass?.refusals ?? []), {
    'not-cheaper': 1,
    'savings-below-threshold': 1,
    'pod-annotation': 1,
  });
  assert.deepEqual(blockedIn(pass), { strict: ['b'] });
  assert.deepEqual(pass?.nodeRefusals.get('c')?.[0], {
    code: 'pod-annotation',
    pod: 'default/r',
    annotation: 'karpenter.sh/do-not-disrupt',
    value: 'true',
  });
  assert.deepEqual([pass?.coverage?.candidates, pass?.coverage?.examined, pass?.durationMs], [2, 2, 7]);
  assert.equal(Math.round(pass?.centsPerHour ?? 0), 120);
});

test('a node that may go alone is not blocked by the savings threshold of a move of several', async () => {
  const half = instanceType('half', { cpu: 2000, price: 0.5 });
  const port = new FakeCluster({
    nodePools: [
      nodePool('default', {
        requirements: [is(CAPACITY_TYPE, 'In', ON_DEMAND), is(INSTANCE_TYPE, 'In', 'large')],
        disruption: { consolidateAfter: '0s', consolidationSavingsThresholdCents: '1' },
      }),
    ],
    machines: [
      ...['a', 'b'].map((name) => machine(name, { type: half })),
      machine('room', { type: half, doNotDisrupt: 'true' }),
    ],
    pods: ['a', 'b'].flatMap((on) =>
      Array.from({ length: 10 }, (_, i) => pod(`${on}-${i}`, { on, cpu: 180, memory: 1 })),
    ),
    // Both together would save 10 cents of 22.
    instanceTypes: [half, instanceType('large', { cpu: 8000, price: 0.9 })],
  });
  const { pass } = await controllerOn(port, { mode: 'observe', search: 'karpenter' }).reconcile();
  assert.deepEqual(
    pass?.proposals.map(({ command }) => command.nodes.length),
    [1],
  );
  assert.deepEqual(blockedIn(pass), {});
});

/** Names by pool. */
function blockedIn(pass: PassReport | undefined): Readonly<Record<string, readonly string[]>> {
  return Object.fromEntries([...(pass?.thresholdBlocked ?? [])].map(([pool, nodes]) => [pool, [...nodes.keys()]]));
}

/** One node that may go at once, as far as what is asked for is done. */
function emptyNode(fateOf: (action: Action) => Fate): FakeCluster {
  return new FakeCluster({ nodePools: [nodePool('default')], machines: [machine('a')], pods: [] }, { fateOf });
}

test('a failure is reported with the failed action, and retried', async () => {
  let broken = true;
  const port = emptyNode((action) => (broken && action.kind === 'taint' ? 'lost' : 'done'));
  const controller = controllerOn(port);
  await controller.reconcile();
  port.advanceTo(port.nowMs + 15_000);
  const report = await controller.reconcile();
  assert.deepEqual(report.failures[0]?.action, { kind: 'taint', node: 'a' });
  assert.equal(report.wakeAtMs, port.nowMs + 1000);
  broken = false;
  port.advanceTo(port.nowMs + 1000);
  await controller.reconcile();
  assert.equal(port.commands[0].phase, 'draining');
});

test('what is denied again and again is tried less and less often, up to once a minute', async () => {
  let denied = true;
  const port = emptyNode((action) => (denied && action.kind === 'delete-node-claim' ? 'lost' : 'done'));
  const controller = controllerOn(port);
  const waits: number[] = [];
  const reconcileAt = async (ms: number) => {
    port.advanceTo(ms);
    const { failures, wakeAtMs = port.nowMs } = await controller.reconcile();
    if (failures.length > 0) waits.push((wakeAtMs - port.nowMs) / 1000);
    return wakeAtMs;
  };
  await controller.reconcile();
  let nextMs = port.nowMs + 15_000;
  for (let i = 0; i < 9; i++) nextMs = await reconcileAt(nextMs);
  assert.deepEqual(waits, [1, 2, 4, 8, 16, 32, 60, 60, 60]);
  denied = false;
  await reconcileAt(nextMs);
  assert.deepEqual(
    port.objects.nodeClaims.map((c) => c.terminating),
    [true],
  );
});

describe('one command that cannot go on', () => {
  /** Two pools that have nothing to do with each other, each with a node that is replaced, as far as that goes. */
  const run = async (fateOf: (action: Action, port: FakeCluster) => Fate) => {
    const sides = ['left', 'right'];
    const port: FakeCluster = new FakeCluster(
      {
        nodePools: sides.map((side) => ({
          ...nodePool(side),
          requirements: [is(CAPACITY_TYPE, 'In', ON_DEMAND)],
          templateLabels: { side },
        })),
        machines: sides.map((side) => machine(side, { pool: side, type: LARGE, labels: { side } })),
        pods: sides.map((side) => pod(`pod-${side}`, { on: side, cpu: 3000, nodeSelector: { side } })),
      },
      { fateOf: (action) => fateOf(action, port) },
    );
    const controller = controllerOn(port);
    await controller.reconcile();
    port.advanceTo(port.nowMs + 15_000);
    await controller.reconcile();
    port.advanceTo(port.nowMs + 60_000);
    await controller.reconcile();
    return port.commands.map((c) => [c.nodes[0].node, c.phase, c.reason]).sort();
  };

  test('does not stop another', async () => {
    const told = await run((action) => (action.kind === 'taint' && action.node === 'left' ? 'lost' : 'done'));
    assert.deepEqual(told, [
      ['left', 'launching', undefined],
      ['right', 'draining', undefined],
    ]);
  });

  test('at its last step: the other is checked again before it is taken', async () => {
    const failed: string[] = [];
    const told = await run((action, port) => {
      if (action.kind !== 'delete-node-claim' || failed.length > 0) return 'done';
      // The answer took long, and meanwhile something has happened.
      const [own, other] = action.nodeClaim === 'claim-left' ? ['left', 'right'] : ['right', 'left'];
      failed.push(own);
      port.changePod(`pod-${other}`, () => ({ doNotDisrupt: 'true' }));
      return 'lost';
    });
    const other = failed[0] === 'left' ? 'right' : 'left';
    assert.deepEqual(
      told.filter(([node]) => node === other),
      [[other, 'abandoned', 'pod-annotation']],
    );
  });
});

test('a pass says what every pool costs now and would cost', async () => {
  const only = (name: string) =>
    nodePool(name, {
      requirements: [is(CAPACITY_TYPE, 'In', ON_DEMAND)],
      templateLabels: { pool: name },
      budgets: [{ nodes: '3' }],
    });
  const port = new FakeCluster({
    nodePools: [only('busy'), only('idle'), only('none')],
    machines: [
      machine('a', { pool: 'busy', type: LARGE, labels: { pool: 'busy' } }),
      machine('b', { pool: 'idle', type: LARGE, labels: { pool: 'idle' } }),
      machine('c', { pool: 'idle', type: LARGE, labels: { pool: 'idle' } }),
    ],
    pods: [pod('p', { on: 'a', cpu: 3000, nodeSelector: { pool: 'busy' } })],
  });
  const { pass } = await controllerOn(port, { mode: 'observe' }).reconcile();
  const pools = Object.fromEntries(
    [...(pass?.pools ?? [])].map(([name, p]) => [
      name,
      [p.nodes, p.centsPerHour, p.plannedCentsPerHour].map(Math.round),
    ]),
  );
  // The busy node becomes one of half the size, the idle ones go.
  assert.deepEqual(pools, { busy: [1, 40, 20], idle: [2, 80, 0], none: [0, 0, 0] });
  assert.deepEqual(pass?.pools.get('idle')?.budgets, { Empty: 3, Underutilized: 3 });
  const planned = [...(pass?.pools.values() ?? [])].reduce((sum, p) => sum + p.plannedCentsPerHour, 0);
  assert.equal(Math.round((pass?.centsPerHour ?? 0) - (pass?.plannedSavingsCentsPerHour ?? 0) - planned), 0);
});
