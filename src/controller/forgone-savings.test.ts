import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { is } from '../../test/build/constraints.ts';
import { FakeCluster } from '../../test/build/fake-cluster.ts';
import { LARGE } from '../../test/build/instance-type.ts';
import { machine } from '../../test/build/machine.ts';
import { nodePool } from '../../test/build/node-pool.ts';
import { pod } from '../../test/build/pod.ts';
import { controllerOn, runUntil } from '../../test/build/run-controller.ts';
import { HOUR_MS, MINUTE_MS, NOW_MS } from '../../test/build/units.ts';
import { CAPACITY_TYPE, INITIALIZED, ON_DEMAND } from '../engine/cluster/well-known.ts';
import { refusalText } from '../engine/refusal-text.ts';
import type { Command } from './command.ts';
import { type EvictionPrice, ForgoneSavings } from './forgone-savings.ts';
import type { ReconcileReport } from './report.ts';

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

type PassAt = readonly [minutes: number, savings: Readonly<Record<string, number>>, jointly?: 'jointly'];

function observed(...passes: readonly PassAt[]): ForgoneSavings {
  const forgone = new ForgoneSavings();
  for (const [minutes, savings, jointly] of passes) {
    const seen = Object.entries(savings).map(
      ([node, centsPerHour]) => [node, { centsPerHour, jointly: jointly !== undefined }] as const,
    );
    forgone.observed(new Map(seen), new Set(['a', 'b']), NOW_MS + minutes * MINUTE_MS);
  }
  return forgone;
}

const PRICE: EvictionPrice = { centsPerUnit: 2, lostWorkCents: 0 };

const at = (minutes: number) => NOW_MS + minutes * MINUTE_MS;

describe('a move waits until waiting has cost as much as its evictions', () => {
  test('12 cents an hour against 3 units at 2 cents: half an hour', () => {
    const forgone = observed([0, { a: 12 }]);
    const refusal = forgone.refuse(command(['a']), PRICE, at(10));
    assert.deepEqual(refusal, {
      code: 'not-paid-back',
      forgoneCents: 2,
      disruptionCents: 6,
      lostWorkCents: 0,
      waitMs: 20 * MINUTE_MS,
    });
    assert.equal(
      refusal && refusalText(refusal),
      'its evictions are priced at 6.0 cents, and waiting has cost 2.0 so far: it begins in 20 min, if nothing changes',
    );
    assert.equal(forgone.refuse(command(['a']), PRICE, at(30)), undefined);
  });

  test('work that Jobs would lose is part of the price', () => {
    const forgone = observed([0, { a: 12 }]);
    const refusal = forgone.refuse(command(['a']), { ...PRICE, lostWorkCents: 3 }, at(30));
    assert.equal(
      refusal && refusalText(refusal),
      'its evictions are priced at 9.0 cents, 3.0 of them for work that Jobs would lose, and waiting has cost 6.0 so far: it begins in 15 min, if nothing changes',
    );
    assert.equal(forgone.refuse(command(['a']), { ...PRICE, lostWorkCents: 3 }, at(45)), undefined);
  });

  test('nothing to evict, or no price: nothing to wait for', () => {
    const forgone = observed([0, { a: 12 }]);
    assert.equal(forgone.refuse(command(['a'], 0), PRICE, at(0)), undefined);
    assert.equal(forgone.refuse(command(['a']), { ...PRICE, centsPerUnit: 0 }, at(0)), undefined);
  });

  test('what could be saved for a while and then not is forgotten', () => {
    const forgone = observed([0, { a: 12 }], [20, { a: 0 }], [25, { a: 12 }]);
    assert.equal(forgone.refuse(command(['a']), PRICE, at(25))?.code, 'not-paid-back');
    assert.equal(forgone.refuse(command(['a']), PRICE, at(54))?.code, 'not-paid-back');
    assert.equal(forgone.refuse(command(['a']), PRICE, at(55)), undefined);
  });

  test('a node that was not evaluated keeps what it has, and no more', () => {
    const forgone = observed([0, { a: 12 }], [20, {}], [50, { a: 12 }]);
    assert.equal(forgone.refuse(command(['a']), PRICE, at(59))?.code, 'not-paid-back');
    assert.equal(forgone.refuse(command(['a']), PRICE, at(60)), undefined);
  });

  test('a group that the search does not find again counts for five minutes', () => {
    const found = (lostMinute: number) =>
      observed([0, { a: 12 }, 'jointly'], [20, { a: 12 }, 'jointly'], [lostMinute, { a: 0 }], [26, { a: 12 }]);
    // What it was worth while it was there has counted, the time without has not: 6 minutes more, or 30.
    assert.equal(found(24).refuse(command(['a']), PRICE, at(31))?.code, 'not-paid-back');
    assert.equal(found(24).refuse(command(['a']), PRICE, at(32)), undefined);
    assert.equal(found(25).refuse(command(['a']), PRICE, at(55))?.code, 'not-paid-back');
    assert.equal(found(25).refuse(command(['a']), PRICE, at(56)), undefined);
  });

  test('nodes that go together have waited together', () => {
    const forgone = observed([0, { a: 6, b: 6 }]);
    assert.equal(forgone.refuse(command(['a']), PRICE, at(30))?.code, 'not-paid-back');
    assert.equal(forgone.refuse(command(['a', 'b']), PRICE, at(30)), undefined);
  });

  test('a clock that was set back takes nothing away', () => {
    const forgone = observed([30, { a: 12 }], [0, { a: 12 }]);
    assert.equal(forgone.refuse(command(['a']), PRICE, at(30)), undefined);
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
        const refused = (hours: number) =>
          forgone.refuse(move, { ...PRICE, centsPerUnit: price }, NOW_MS + hours * HOUR_MS) !== undefined;
        assert.deepEqual([refused(waitsHours * 0.999), refused(waitsHours * 1.001)], [true, false]);
      }),
    );
  });
});

describe('in the controller', () => {
  const cluster = () =>
    new FakeCluster({
      nodePools: [nodePool('default', { requirements: ON_DEMAND_ONLY, disruption: { consolidateAfter: '0s' } })],
      machines: [machine('full', { type: LARGE }), machine('light'), machine('empty')],
      pods: [pod('p', { on: 'full', cpu: 5000 }), pod('q', { on: 'light', cpu: 1000 })],
    });
  // Their average costs 15 cents an hour, so an eviction is worth 4 cents.
  const priced = { settings: { evictionPriceMs: 16 * MINUTE_MS } };

  /** Minutes after which claims are deleted. */
  function deletions(port: FakeCluster): ReadonlyMap<string, number> {
    const deleted = new Map<string, number>();
    port.watch((action) => {
      if (action.kind === 'delete-node-claim') deleted.set(action.nodeClaim, (port.nowMs - NOW_MS) / MINUTE_MS);
    });
    return deleted;
  }

  function firstRefusal(reports: readonly ReconcileReport[]) {
    const refusals = reports.flatMap(({ pass }) => pass?.proposals.flatMap(({ refusal }) => refusal ?? []) ?? []);
    const [first] = refusals;
    assert.ok(first?.code === 'not-paid-back');
    return first;
  }

  test('an empty node goes at once, one with pods when it has been paid for', async () => {
    const port = cluster();
    const deleted = deletions(port);
    const { disruptionCents, waitMs } = firstRefusal(await runUntil(port, NOW_MS + 2 * HOUR_MS, priced));
    assert.deepEqual([...deleted.keys()], ['claim-empty', 'claim-light']);
    assert.equal(deleted.get('claim-empty'), 0.25);
    assert.equal(disruptionCents, 8);
    const late = (deleted.get('claim-light') ?? 0) - waitMs / MINUTE_MS;
    assert.ok(late >= 0 && late <= 1, String(late));
  });

  test('a pod of a Job waits for the work that it would lose, which grows meanwhile', async () => {
    const startedMs = NOW_MS - 6 * HOUR_MS;
    const ofJob = new FakeCluster({
      nodePools: [nodePool('default', { requirements: ON_DEMAND_ONLY, disruption: { consolidateAfter: '0s' } })],
      machines: [machine('full', { type: LARGE }), machine('light')],
      pods: [pod('p', { on: 'full', cpu: 5000 }), pod('q', { on: 'light', cpu: 1000, ownedBy: 'Job', startedMs })],
    });
    const first = firstRefusal(await runUntil(ofJob, NOW_MS, priced));
    assert.ok(first.lostWorkCents > 0);
    assert.equal(first.disruptionCents, 8 + first.lostWorkCents);
    ofJob.advanceTo(NOW_MS + 30 * MINUTE_MS);
    const later = firstRefusal(await runUntil(ofJob, NOW_MS + 30 * MINUTE_MS, priced));
    assert.ok(later.lostWorkCents > first.lostWorkCents);
  });

  test('in a pool that grows every 20 minutes, many evictions for one node are never worth it', async () => {
    const full = [1, 2, 3, 4, 5, 6].map((n) => `full-${n}`);
    const light = Array.from({ length: 16 }, (_, i) => pod(`q${i}`, { on: 'light', cpu: 100 }));
    const growing = () => {
      const port = new FakeCluster({
        nodePools: [nodePool('default', { requirements: ON_DEMAND_ONLY, disruption: { consolidateAfter: '0s' } })],
        machines: [machine('light'), ...full.map((name) => machine(name, { type: LARGE }))],
        pods: [...light, ...full.map((name) => pod(`p-${name}`, { on: name, cpu: 5000 }))],
      });
      full.forEach((name, i) => {
        port.changeClaim(`claim-${name}`, () => ({ createdMs: NOW_MS - 20 * i * MINUTE_MS }));
      });
      return port;
    };
    const [port, unpriced] = [growing(), growing()];
    const [kept, gone] = [deletions(port), deletions(unpriced)];
    const reports = await runUntil(port, NOW_MS + HOUR_MS, priced);
    await runUntil(unpriced, NOW_MS + HOUR_MS);
    assert.deepEqual([kept.size, [...gone.keys()]], [0, ['claim-light']]);
    const refusals = reports.findLast(({ pass }) => pass !== undefined)?.pass?.nodeRefusals.get('light') ?? [];
    assert.ok(refusals.some(({ code }) => code === 'savings-below-threshold'));
  });

  test('while the node starts that its pods would go to, nothing is added and nothing forgotten', async () => {
    const port = cluster();
    const deleted = deletions(port);
    const controller = controllerOn(port, priced);
    const { waitMs } = firstRefusal(await runUntil(port, NOW_MS + 10 * MINUTE_MS, priced, controller));
    const initialized = (value: string) =>
      port.changeNode('full', ({ labels }) => ({ labels: { ...labels, [INITIALIZED]: value } }));
    initialized('');
    const reports = await runUntil(port, NOW_MS + 15 * MINUTE_MS, priced, controller);
    assert.ok(reports.some(({ pass }) => pass?.refusals.has('relies-on-uninitialized-node')));
    initialized('true');
    await runUntil(port, NOW_MS + 3 * HOUR_MS, priced, controller);
    const late = (deleted.get('claim-light') ?? 0) - waitMs / MINUTE_MS;
    assert.ok(late >= 5 && late <= 6, String(late));
  });
});
