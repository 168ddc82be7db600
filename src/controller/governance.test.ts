import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { cluster } from '../../test/build/cluster.ts';
import { FakeCluster, type FakeClusterOptions } from '../../test/build/fake-cluster.ts';
import { machine } from '../../test/build/machine.ts';
import { nodePool } from '../../test/build/node-pool.ts';
import { pod } from '../../test/build/pod.ts';
import { controllerOn, runToRest } from '../../test/build/run-controller.ts';
import type { PolicyObject } from '../config/policy-object.ts';
import type { NodePoolObject } from '../engine/cluster/objects.ts';
import { Governance, governed } from './governance.ts';
import { karpenterLeavesAlone } from './interlock.ts';

function policy(name: string, spec: object): PolicyObject {
  return { kind: 'ConsolidationPolicy', apiVersion: 'decant.sh/v1alpha1', name, spec };
}

const HANDED_OVER = { consolidateAfterMs: undefined, labels: { team: 'shop' } };
const FOR_SHOP = policy('shop', {
  nodePoolSelector: { matchLabels: { team: 'shop' } },
  consolidateAfter: '0s',
  budgets: [{ nodes: '1' }],
});

describe("Karpenter's own consolidation is off", () => {
  const cases: readonly [name: string, pool: Partial<NodePoolObject>, off: boolean][] = [
    ['by Never', { consolidateAfterMs: undefined }, true],
    ['not by any time', { consolidateAfterMs: 3_600_000 }, false],
    ['by a budget of 0', { budgets: [{ nodes: '0' }] }, true],
    ['by a budget of 0%', { budgets: [{ nodes: '10%' }, { nodes: '0%' }] }, true],
    ['by budgets for both reasons', { budgets: [{ nodes: '0', reasons: ['Empty', 'Underutilized'] }] }, true],
    [
      'by a budget for each',
      {
        budgets: [
          { nodes: '0', reasons: ['Empty'] },
          { nodes: '0', reasons: ['Underutilized'] },
        ],
      },
      true,
    ],
    ['not by a budget for one reason', { budgets: [{ nodes: '0', reasons: ['Underutilized'] }] }, false],
    ['not by a budget for drift', { budgets: [{ nodes: '0', reasons: ['Drifted'] }] }, false],
    ['not for some hours a day', { budgets: [{ nodes: '0', schedule: '0 9 * * *', durationMs: 3_600_000 }] }, false],
    ['not by a budget of 10', { budgets: [{ nodes: '10' }] }, false],
  ];
  for (const [name, sketch, off] of cases) {
    test(name, () => assert.equal(karpenterLeavesAlone(nodePool('default', sketch)), off));
  }
});

describe('who governs a pool', () => {
  const governance = (pool: Partial<NodePoolObject>, policies: readonly PolicyObject[], interlock = true) => {
    const objects = cluster({ nodePools: [nodePool('default', pool)] });
    const view = { objects, commands: [], policies };
    return new Governance({ interlock, compat: false }).poolGovernance(view).get('default');
  };

  test('a policy that selects it goes before its own block', () => {
    const found = governance(HANDED_OVER, [FOR_SHOP]);
    assert.deepEqual([found?.policyName, found?.policy.consolidateAfterMs, found?.blockReason], ['shop', 0, undefined]);
  });

  test('while a window of the policy is open, with what differs', () => {
    const spec = { nodePoolSelector: {}, consolidateAfter: '1h' };
    // Noon is in one of the two windows, whatever the day.
    const windows = [
      { schedule: '0 13 * * *', duration: '23h', consolidateAfter: '2m' },
      { schedule: '0 12 * * *', duration: '1h', consolidateAfter: '3m' },
    ];
    const at = (hour: number) => {
      const objects = cluster({ nodePools: [nodePool('default', HANDED_OVER)], nowMs: Date.UTC(2026, 10, 17, hour) });
      const view = { objects, commands: [], policies: [policy('by-time', { ...spec, windows })] };
      const found = new Governance({ interlock: true, compat: false }).poolGovernance(view).get('default');
      return [found?.window, found?.policy.consolidateAfterMs];
    };
    assert.deepEqual(
      [at(11), at(12), at(13)],
      [
        [0, 120_000],
        [1, 180_000],
        [0, 120_000],
      ],
    );
  });

  test('its own block, if none does', () => {
    const others = policy('others', { nodePoolSelector: { matchLabels: { team: 'bank' } }, consolidateAfter: '1h' });
    const found = governance({ disruption: { consolidateAfter: '7m' } }, [others], false);
    assert.deepEqual([found?.policyName, found?.policy.consolidateAfterMs], [undefined, 7 * 60_000]);
  });

  test('two policies are an error that names both, and nothing is done', () => {
    const second = policy('all', { nodePoolSelector: {}, consolidateAfter: '0s' });
    const found = governance(HANDED_OVER, [FOR_SHOP, second]);
    assert.deepEqual(found?.blockReason, { code: 'conflict', policies: ['all', 'shop'] });
    assert.equal(found?.policy.consolidateAfterMs, undefined);
  });

  test('a policy that is wrong is said to be, field by field', () => {
    const wrong = policy('wrong', { nodePoolSelector: {}, consolidateAfter: '5x' });
    const found = governance(HANDED_OVER, [wrong]);
    assert.equal(found?.blockReason?.code, 'invalid-policy');
    assert.ok(found?.blockReason?.code === 'invalid-policy');
    assert.deepEqual(
      found.blockReason.problems.map((p) => [p.object, p.field, p.value]),
      [['ConsolidationPolicy/wrong', 'spec.consolidateAfter', '5x']],
    );
  });

  test('a selector that is none selects nothing and breaks nothing', () => {
    for (const nodePoolSelector of [undefined, 5, { matchExpressions: 5 }, { matchLabels: ['shop'] }])
      assert.equal(governance(HANDED_OVER, [policy('odd', { nodePoolSelector })])?.policyName, undefined);
  });

  test('a pool that Karpenter consolidates is watched', () => {
    assert.deepEqual(governance({ labels: HANDED_OVER.labels }, [FOR_SHOP])?.blockReason, { code: 'interlock' });
    assert.equal(governance({ labels: HANDED_OVER.labels }, [FOR_SHOP], false)?.blockReason, undefined);
  });

  test('a pool that is being deleted is left alone', () => {
    assert.deepEqual(governance({ ...HANDED_OVER, terminating: true }, [FOR_SHOP])?.blockReason, { code: 'deleting' });
  });
});

test('a pool under a policy is the same object as long as neither changes', () => {
  const objects = cluster({ nodePools: [nodePool('default', HANDED_OVER)] });
  const governance = new Governance({ interlock: true, compat: false });
  const under = (policies: readonly PolicyObject[], nowMs: number) => {
    const view = { objects: { ...objects, nowMs }, commands: [], policies };
    return governed(view.objects, governance.poolGovernance(view)).nodePools[0];
  };
  const first = under([FOR_SHOP], 1);
  assert.notEqual(first, objects.nodePools[0]);
  assert.equal(under([FOR_SHOP], 2), first);
  const changed = policy('shop', { ...(FOR_SHOP.spec as object), budgets: [{ nodes: '2' }] });
  assert.deepEqual(under([changed], 3).budgets, [{ nodes: '2' }]);
  assert.deepEqual(first.selectedBy, { policy: 'shop' });
});

describe('act and observe', () => {
  const twoEmpty = (pools: readonly NodePoolObject[], options: FakeClusterOptions = {}) =>
    new FakeCluster(
      {
        nodePools: pools,
        machines: pools.flatMap(({ name }) => [
          machine(`${name}-a`, { pool: name }),
          machine(`${name}-b`, { pool: name }),
        ]),
        pods: [],
      },
      options,
    );

  test('only pools that were handed over are touched, by the budget of their policy', async () => {
    const port = twoEmpty([nodePool('shop', HANDED_OVER), nodePool('karpenters')], { policies: [FOR_SHOP] });
    const going: number[] = [];
    port.watch((action) => {
      if (action.kind === 'delete-node-claim')
        going.push(port.objects.nodeClaims.filter((c) => c.terminating).length + 1);
    });
    const [first] = await runToRest(port, { interlock: true });
    assert.deepEqual(
      port.objects.nodes.map((n) => n.name),
      ['karpenters-a', 'karpenters-b'],
    );
    assert.deepEqual(going, [1, 1]);
    assert.deepEqual(first.poolGovernance.get('karpenters')?.blockReason, { code: 'interlock' });
  });

  test('observe says what it would do, also where Karpenter is at work, and writes nothing', async () => {
    const port = twoEmpty([nodePool('default')]);
    const report = await controllerOn(port, { mode: 'observe', interlock: true }).reconcile();
    assert.equal(port.asked.length, 0);
    assert.deepEqual(
      report.pass?.proposals.map(({ command }) => command.nodes.map((n) => n.node)),
      [['default-a', 'default-b']],
    );
    assert.equal(report.pass?.plannedSavingsCentsPerHour, 40);
    assert.equal(report.pass?.centsPerHour, 40);
  });

  test('observe leaves alone what act has begun', async () => {
    const port = twoEmpty([nodePool('default')]);
    await controllerOn(port).reconcile();
    const before = port.asked.length;
    port.advanceTo(port.nowMs + 60_000);
    await controllerOn(port, { mode: 'observe' }).reconcile();
    assert.equal(port.asked.length, before);
  });

  test('Karpenter takes over while a command is under way: it is undone', async () => {
    const port = new FakeCluster(
      {
        nodePools: [nodePool('shop', HANDED_OVER)],
        machines: [machine('a', { pool: 'shop' }), machine('b', { pool: 'shop' })],
        pods: [pod('p', { on: 'a', cpu: 3000 }), pod('q', { on: 'b', cpu: 500 })],
      },
      { policies: [FOR_SHOP] },
    );
    const controller = controllerOn(port, { interlock: true });
    await controller.reconcile();
    assert.equal(port.commands[0]?.phase, 'waiting');
    port.changePool('shop', { consolidateAfterMs: 0 });
    port.advanceTo(port.nowMs + 15_000);
    await controller.reconcile();
    assert.deepEqual([port.commands[0].phase, port.commands[0].reason], ['abandoned', 'not-ours']);
  });
});
