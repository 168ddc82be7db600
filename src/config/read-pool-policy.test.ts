import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { PoolPolicy } from '../engine/disruption/pool-policy.ts';
import { readPoolPolicy } from './read-pool-policy.ts';

function policy(block: unknown): PoolPolicy {
  const reading = readPoolPolicy('NodePool/default', block);
  assert.ok('policy' in reading, JSON.stringify(reading));
  return reading.policy;
}

const DEFAULTS: PoolPolicy = {
  policy: 'WhenUnderutilizedOrCheaper',
  emptiness: { enabled: true, emptyThreshold: 0 },
  singleNode: { enabled: true },
  multiNode: { enabled: true, maxParallel: 100 },
  consolidateAfterMs: 0,
  setsConsolidateAfter: false,
  gracePeriodMs: undefined,
  savingsThresholdCents: 0,
  minSavingsPercent: 0,
  balancedK: 2,
  ttlSecondsAfterEmpty: undefined,
  budgets: [],
};

describe('defaults', () => {
  test('of a pool without a block, and of an empty one', () => {
    assert.deepEqual(policy(undefined), DEFAULTS);
    assert.deepEqual(policy(null), DEFAULTS);
    assert.deepEqual(policy({}), DEFAULTS);
  });

  test('null is the same as absent, as in the API', () => {
    assert.deepEqual(
      policy({
        consolidateAfter: null,
        consolidation: { multiNode: null, emptiness: { emptyThreshold: null } },
        budgets: null,
      }),
      DEFAULTS,
    );
  });

  test('no budgets are none; a budget without nodes is 10 %', () => {
    assert.deepEqual(policy({ budgets: [] }).budgets, []);
    assert.deepEqual(policy({ budgets: [{ reasons: ['Drifted'] }] }).budgets, [{ nodes: '10%', reasons: ['Drifted'] }]);
  });
});

test('every field arrives', () => {
  const given = policy({
    consolidationPolicy: 'Balanced',
    consolidateAfter: '1m30s',
    consolidationGracePeriod: '2h30m',
    consolidationSavingsThresholdCents: '0.5',
    consolidationMinSavingsPercent: '12.5',
    balancedK: '1.5',
    consolidation: { multiNode: { enabled: false, maxParallel: 7 }, emptiness: { emptyThreshold: '30%' } },
    budgets: [{ nodes: '3', schedule: '@daily', duration: '1h30m0s', reasons: ['Empty', 'Underutilized'] }],
  });
  assert.deepEqual(given, {
    policy: 'Balanced',
    emptiness: { enabled: true, emptyThreshold: 0.3 },
    singleNode: { enabled: true },
    multiNode: { enabled: false, maxParallel: 7 },
    consolidateAfterMs: 90_000,
    setsConsolidateAfter: true,
    gracePeriodMs: 9_000_000,
    savingsThresholdCents: 0.5,
    minSavingsPercent: 12.5,
    balancedK: 1.5,
    ttlSecondsAfterEmpty: undefined,
    budgets: [{ nodes: '3', schedule: '@daily', durationMs: 5_400_000, reasons: ['Empty', 'Underutilized'] }],
  });
});

test('headroom, minNodes and maxShareOnOneNode', () => {
  const { headroom, minNodes, maxShareOnOneNode } = policy({
    headroom: { cpu: '1500m', memory: '12.5%', pods: { count: '5', cpu: '500m', memory: '1Gi' } },
    minNodes: 3,
    maxShareOnOneNode: '40%',
  });
  assert.deepEqual(headroom, [
    { resource: 'cpu', amount: 1500, isPercent: false },
    { resource: 'memory', amount: 12.5, isPercent: true },
    { resource: 'pods', amount: 5, isPercent: false, shape: { cpu: 500, memory: 2 ** 30 } },
  ]);
  assert.deepEqual([minNodes, maxShareOnOneNode], [3, 0.4]);
});

test('consolidateAfter: Never is off, the default written out is set', () => {
  assert.deepEqual(policy({ consolidateAfter: 'Never' }).consolidateAfterMs, undefined);
  assert.equal(policy({ consolidateAfter: '0s' }).setsConsolidateAfter, true);
  assert.equal(policy({ consolidateAfter: 'Never', ttlSecondsAfterEmpty: 30 }).ttlSecondsAfterEmpty, 30);
});

test('a grace period of Never is the same as none', () => {
  assert.deepEqual(policy({ consolidationGracePeriod: 'Never' }), DEFAULTS);
});

test('numbers in all their ways', () => {
  assert.equal(policy({ balancedK: 3 }).balancedK, 3);
  assert.equal(policy({ balancedK: '3' }).balancedK, 3);
  assert.equal(policy({ balancedK: '0.25' }).balancedK, 0.25);
  assert.equal(policy({ consolidationMinSavingsPercent: 'auto' }).minSavingsPercent, 'auto');
  assert.equal(policy({ consolidationMinSavingsPercent: '100' }).minSavingsPercent, 100);
  assert.equal(policy({ consolidationSavingsThresholdCents: '10' }).savingsThresholdCents, 10);
});

const methods: readonly [string, PoolPolicy['policy'], readonly [boolean, boolean, boolean]][] = [
  ['WhenEmpty', 'WhenEmpty', [true, false, false]],
  ['WhenCheaper', 'WhenCheaper', [true, true, false]],
  ['WhenUnderutilized', 'WhenUnderutilized', [true, false, true]],
  ['WhenUnderutilizedOrCheaper', 'WhenUnderutilizedOrCheaper', [true, true, true]],
  ['WhenEmptyOrUnderutilized', 'WhenUnderutilizedOrCheaper', [true, true, true]],
  ['Balanced', 'Balanced', [true, true, true]],
];

describe('methods: emptiness, single, multi', () => {
  const off = { enabled: false };
  for (const [name, expected, allowed] of methods) {
    test(name, () => {
      const { policy: known, ...rest } = policy({ consolidationPolicy: name });
      assert.equal(known, expected);
      assert.deepEqual([rest.emptiness.enabled, rest.singleNode.enabled, rest.multiNode.enabled], allowed);

      const none = policy({
        consolidationPolicy: name,
        consolidation: { emptiness: off, singleNode: off, multiNode: off },
      });
      assert.deepEqual(
        [none.emptiness, none.singleNode, none.multiNode].map(({ enabled }) => enabled),
        [false, false, false],
      );

      // Switching on what is on anyway is allowed, what the policy excludes is not.
      ['emptiness', 'singleNode', 'multiNode'].forEach((method, i) => {
        const block = { consolidationPolicy: name, consolidation: { [method]: { enabled: true } } };
        assert.equal('policy' in readPoolPolicy('NodePool/x', block), allowed[i], method);
      });
    });
  }
});
