import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { cluster } from '../../../test/build/cluster.ts';
import { type Machine, machine } from '../../../test/build/machine.ts';
import { nodePool } from '../../../test/build/node-pool.ts';
import { HOUR_MS, MINUTE_MS, NOW_MS } from '../../../test/build/units.ts';
import type { Budget } from '../cluster/objects.ts';
import { StateNodes } from '../cluster/state-nodes.ts';
import { allowedDisruptions, type DisruptionReason, remainingBudgets } from './budgets.ts';

const UNLIMITED = 2 ** 31 - 1;

function allowed(budgets: readonly Budget[], nodes = 10): number {
  return allowedDisruptions(nodePool('default', { budgets }), nodes, 'Underutilized', NOW_MS);
}

describe('budgets allow', () => {
  const cases: readonly (readonly [law: string, budgets: readonly Budget[], nodes: number, allowed: number])[] = [
    ['everything if there are none', [], 10, UNLIMITED],
    ['a number of nodes', [{ nodes: '3' }], 10, 3],
    ['a share of the nodes', [{ nodes: '20%' }], 10, 2],
    ['a share, rounded up', [{ nodes: '10%' }], 11, 2],
    ['one node of one, by any share', [{ nodes: '1%' }], 1, 1],
    ['nothing by a share of nothing', [{ nodes: '50%' }], 0, 0],
    ['the least of several', [{ nodes: '5' }, { nodes: '20%' }, { nodes: '4' }], 10, 2],
    ['nothing at 0', [{ nodes: '0' }], 10, 0],
    [
      'what those say that name the reason',
      [
        { nodes: '1', reasons: ['Empty'] },
        { nodes: '4', reasons: ['Underutilized'] },
      ],
      10,
      4,
    ],
    ['what those say that name no reason', [{ nodes: '2' }, { nodes: '4', reasons: ['Underutilized'] }], 10, 2],
    ['everything if none names the reason', [{ nodes: '1', reasons: ['Drifted'] }], 10, UNLIMITED],
  ];
  for (const [law, budgets, nodes, expected] of cases) test(law, () => assert.equal(allowed(budgets, nodes), expected));

  for (const nodes of ['', 'ten', '10 %', '1.5', '-', '%']) {
    test(`nothing if one is malformed, whatever its reason: "${nodes}"`, () => {
      assert.equal(allowed([{ nodes: '5' }, { nodes, reasons: ['Drifted'] }]), 0);
    });
  }

  test('nothing if a schedule is malformed', () => {
    assert.equal(allowed([{ nodes: '5', schedule: '0 0 * * 7', durationMs: HOUR_MS }]), 0);
  });

  test('nothing if there is a duration without a schedule', () => {
    assert.equal(allowed([{ nodes: '5', durationMs: HOUR_MS }]), 0);
  });

  test('everything while the window is shut', () => {
    assert.equal(allowed([{ nodes: '0', schedule: '0 9 * * *', durationMs: HOUR_MS }]), UNLIMITED);
    assert.equal(allowed([{ nodes: '0', schedule: '30 11 * * *', durationMs: 31 * MINUTE_MS }]), 0);
  });
});

describe('a pool that may lose a tenth, and none for being underutilized from 9 to 17 on workdays', () => {
  const budgets: readonly Budget[] = [
    { nodes: '10%' },
    { nodes: '0', schedule: '0 9 * * mon-fri', durationMs: 8 * HOUR_MS, reasons: ['Underutilized'] },
  ];
  const pool = nodePool('default', { budgets });
  // 2026-08-20 is a Thursday.
  const cases: readonly (readonly [when: string, reason: DisruptionReason, nodes: number, allowed: number])[] = [
    ['2026-08-20T08:59:59Z', 'Underutilized', 25, 3],
    ['2026-08-20T09:00:00Z', 'Underutilized', 25, 0],
    ['2026-08-20T16:59:59Z', 'Underutilized', 25, 0],
    ['2026-08-20T17:00:00Z', 'Underutilized', 25, 3],
    ['2026-08-20T12:00:00Z', 'Empty', 25, 3],
    ['2026-08-20T12:00:00Z', 'Drifted', 30, 3],
    ['2026-08-20T12:00:00Z', 'Empty', 31, 4],
    ['2026-08-22T12:00:00Z', 'Underutilized', 1, 1],
  ];
  for (const [when, reason, nodes, expected] of cases) {
    test(`${when}, ${reason}: ${expected} of ${nodes}`, () => {
      assert.equal(allowedDisruptions(pool, nodes, reason, Date.parse(when)), expected);
    });
  }
});

describe('of what budgets allow', () => {
  function remaining(machines: readonly Machine[], nodes: string): number | undefined {
    const objects = cluster({ machines, nodePools: [nodePool('default', { budgets: [{ nodes }] })] });
    return remainingBudgets(objects, new StateNodes().join(objects.nodes, objects.nodeClaims), 'Empty').get('default');
  }
  const five = ['a', 'b', 'c', 'd', 'e'].map((name) => machine(name));
  const unready = (m: Machine): Machine => ({ ...m, node: m.node && { ...m.node, ready: 'False' } });
  const terminated = (m: Machine): Machine => ({
    ...m,
    claim: m.claim && {
      ...m.claim,
      conditions: [...m.claim.conditions, { type: 'InstanceTerminating', status: 'True', changedMs: 0 }],
    },
  });

  test('nodes that are deleting or not ready have taken their part', () => {
    assert.equal(remaining([...five.slice(2), unready(five[0]), machine('b', { deleting: true })], '3'), 1);
  });

  test('no more is taken than there is', () => {
    assert.equal(remaining(five.map(unready), '3'), 0);
  });

  test('a share is of the initialized nodes that are not terminated', () => {
    assert.equal(
      remaining([...five, machine('f', { state: 'starting' }), machine('g', { state: 'unmanaged' })], '100%'),
      5,
    );
    assert.equal(remaining([...five.slice(1), terminated(five[0])], '100%'), 4);
  });
});
