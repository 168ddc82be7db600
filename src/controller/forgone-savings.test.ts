import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { is } from '../../test/build/constraints.ts';
import { FakeCluster } from '../../test/build/fake-cluster.ts';
import { LARGE } from '../../test/build/instance-type.ts';
import { machine } from '../../test/build/machine.ts';
import { nodePool } from '../../test/build/node-pool.ts';
import { pod } from '../../test/build/pod.ts';
import { runUntil } from '../../test/build/run-controller.ts';
import { HOUR_MS, MINUTE_MS, NOW_MS } from '../../test/build/units.ts';
import { CAPACITY_TYPE, ON_DEMAND } from '../engine/cluster/well-known.ts';
import { explain } from '../engine/explain.ts';
import type { Command } from './command.ts';
import { ForgoneSavings } from './forgone-savings.ts';

const ON_DEMAND_ONLY = [is(CAPACITY_TYPE, 'In', ON_DEMAND)];

/** Saves 12 cents an hour for a disruption cost of 3. */
function command(nodes: readonly string[], evictions = 2): Command {
  return {
    id: '1',
    phase: 'waiting',
    decidedMs: NOW_MS,
    phaseMs: NOW_MS,
    nodes: nodes.map((node) => ({ node, nodeClaim: node, nodePool: 'default', centsPerHour: 12, pods: 2 })),
    replacements: [],
    workloads: { web: evictions },
    predicted: { savingsCentsPerHour: 12, requiredCentsPerHour: 0, disruptionCost: 3, evictions },
  };
}

function observed(...passes: readonly [minutes: number, savings: Readonly<Record<string, number>>][]): ForgoneSavings {
  const forgone = new ForgoneSavings();
  for (const [minutes, savings] of passes)
    forgone.observed(new Map(Object.entries(savings)), new Set(['a', 'b']), NOW_MS + minutes * MINUTE_MS);
  return forgone;
}

const at = (minutes: number) => NOW_MS + minutes * MINUTE_MS;

describe('a move waits until waiting has cost as much as its evictions', () => {
  test('12 cents an hour against 3 units at 2 cents: half an hour', () => {
    const forgone = observed([0, { a: 12 }]);
    const refusal = forgone.refuse(command(['a']), 2, at(10));
    assert.deepEqual(refusal, { code: 'not-paid-back', forgoneCents: 2, disruptionCents: 6, waitMs: 20 * MINUTE_MS });
    assert.equal(
      refusal && explain(refusal),
      'its evictions are priced at 6.0 cents, and waiting has cost 2.0 so far: it begins in 20 min, if nothing changes',
    );
    assert.equal(forgone.refuse(command(['a']), 2, at(30)), undefined);
  });

  test('nothing to evict, or no price: nothing to wait for', () => {
    const forgone = observed([0, { a: 12 }]);
    assert.equal(forgone.refuse(command(['a'], 0), 2, at(0)), undefined);
    assert.equal(forgone.refuse(command(['a']), 0, at(0)), undefined);
  });

  test('what could be saved for a while and then not is forgotten', () => {
    const forgone = observed([0, { a: 12 }], [20, { a: 0 }], [25, { a: 12 }]);
    assert.equal(forgone.refuse(command(['a']), 2, at(25))?.code, 'not-paid-back');
    assert.equal(forgone.refuse(command(['a']), 2, at(54))?.code, 'not-paid-back');
    assert.equal(forgone.refuse(command(['a']), 2, at(55)), undefined);
  });

  test('a node that was not looked at keeps what it has, and no more', () => {
    const forgone = observed([0, { a: 12 }], [20, {}], [50, { a: 12 }]);
    assert.equal(forgone.refuse(command(['a']), 2, at(59))?.code, 'not-paid-back');
    assert.equal(forgone.refuse(command(['a']), 2, at(60)), undefined);
  });

  test('nodes that go together have waited together', () => {
    const forgone = observed([0, { a: 6, b: 6 }]);
    assert.equal(forgone.refuse(command(['a']), 2, at(30))?.code, 'not-paid-back');
    assert.equal(forgone.refuse(command(['a', 'b']), 2, at(30)), undefined);
  });

  test('a clock that was set back takes nothing away', () => {
    const forgone = observed([30, { a: 12 }], [0, { a: 12 }]);
    assert.equal(forgone.refuse(command(['a']), 2, at(30)), undefined);
  });

  test('whenever it ends, money and evictions together are at most twice what foresight would have paid', () => {
    const cents = fc.double({ min: 0.5, max: 50, noNaN: true });
    fc.assert(
      fc.property(cents, cents, fc.double({ min: 0, max: 10, noNaN: true }), (perHour, price, endsHours) => {
        const waitsHours = (price * 3) / perHour;
        const paid = endsHours < waitsHours ? perHour * endsHours : perHour * waitsHours + price * 3;
        const foresight = Math.min(perHour * endsHours, price * 3);
        assert.ok(paid <= 2 * foresight + 1e-9);
        const forgone = observed([0, { a: perHour }]);
        const move = command(['a']);
        const refused = (hours: number) => forgone.refuse(move, price, NOW_MS + hours * HOUR_MS) !== undefined;
        assert.deepEqual([refused(waitsHours * 0.999), refused(waitsHours * 1.001)], [true, false]);
      }),
    );
  });
});

test('in the controller: an empty node goes at once, one with pods when it has been paid for', async () => {
  const port = new FakeCluster({
    nodePools: [nodePool('default', { requirements: ON_DEMAND_ONLY, disruption: { consolidateAfter: '0s' } })],
    machines: [machine('full', { type: LARGE }), machine('light'), machine('empty')],
    pods: [pod('p', { on: 'full', cpu: 5000 }), pod('q', { on: 'light', cpu: 900 })],
  });
  const deleted: [string, number][] = [];
  port.watch((action) => {
    if (action.kind === 'delete-node-claim') deleted.push([action.nodeClaim, (port.nowMs - NOW_MS) / MINUTE_MS]);
  });
  const reports = await runUntil(port, NOW_MS + 2 * HOUR_MS, { switches: { evictionPriceCents: 4 } });
  assert.deepEqual(
    deleted.map(([claim]) => claim),
    ['claim-empty', 'claim-light'],
  );
  assert.equal(deleted[0][1], 0.25);
  const refusals = reports.flatMap(({ pass }) => pass?.proposals.flatMap(({ refusal }) => refusal ?? []) ?? []);
  const [first] = refusals;
  assert.ok(first?.code === 'not-paid-back');
  assert.equal(first.disruptionCents, 8);
  const expected = first.waitMs / MINUTE_MS;
  assert.ok(deleted[1][1] >= expected && deleted[1][1] <= expected + 1, `${deleted[1][1]} after ${expected}`);
});
