import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { cluster, compiled, rowOf } from '../../../test/build/cluster.ts';
import { machine } from '../../../test/build/machine.ts';
import { pod } from '../../../test/build/pod.ts';
import { rules } from '../../../test/build/policy.ts';
import { HOUR_MS, MINUTE_MS, NOW_MS } from '../../../test/build/units.ts';
import type { PoolPolicy } from '../disruption/pool-policy.ts';
import { assess, refusalsByMethods } from '../gates/assessment.ts';
import { type Settings, STOCK_RULES } from '../settings.ts';

const UNSET: Partial<PoolPolicy> = { setsConsolidateAfter: false };

/** Refusals of a node initialized this long ago and launched an hour ago. */
function ask(ageMs: number, block = UNSET, settings: Partial<Settings> = {}, empty = false) {
  const { node, claim } = machine('n');
  const conditions = claim?.conditions.map((c) => ({ ...c, changedMs: NOW_MS - ageMs })) ?? [];
  const machines = [{ node, claim: claim && { ...claim, conditions, createdMs: NOW_MS - HOUR_MS } }];
  const by = settings.compat === true ? STOCK_RULES : rules(block, settings);
  const c = compiled(cluster({ machines, pods: empty ? [] : [pod('p', { on: 'n' })] }));
  const assessed = assess(c, rowOf(c, 'n'), by);
  assert.ok('candidate' in assessed);
  return refusalsByMethods(c, assessed.candidate, by);
}

describe('a node that was initialized less than 5 minutes ago is no candidate', () => {
  test('with what is left of them', () => {
    assert.deepEqual(ask(4 * MINUTE_MS), [{ code: 'minimum-lifetime', waitMs: MINUTE_MS }]);
    assert.deepEqual(ask(5 * MINUTE_MS - 1), [{ code: 'minimum-lifetime', waitMs: 1 }]);
    assert.deepEqual(ask(5 * MINUTE_MS), []);
  });

  test('empty or not', () => {
    assert.deepEqual(ask(4 * MINUTE_MS, UNSET, {}, true), [{ code: 'minimum-lifetime', waitMs: MINUTE_MS }]);
  });

  test('unless its pool sets consolidateAfter, which then counts alone', () => {
    assert.deepEqual(ask(0, { setsConsolidateAfter: true }), []);
    assert.deepEqual(ask(20_000, { setsConsolidateAfter: true, consolidateAfterMs: 30_000 }), [
      { code: 'not-consolidatable', waitMs: 10_000 },
    ]);
  });

  test('--min-node-lifetime changes the 5 minutes, and applies to all', () => {
    const asked = { minNodeLifetimeMs: 10 * MINUTE_MS, minNodeLifetimeForAll: true };
    for (const block of [UNSET, { setsConsolidateAfter: true }])
      assert.deepEqual(ask(6 * MINUTE_MS, block, asked), [{ code: 'minimum-lifetime', waitMs: 4 * MINUTE_MS }]);
  });

  test('0s, and stock, know no minimum', () => {
    assert.deepEqual(ask(0, UNSET, { minNodeLifetimeMs: 0 }), []);
    assert.deepEqual(ask(0, UNSET, { compat: true }), []);
  });
});
