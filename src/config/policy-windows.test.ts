import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { objectProblems } from './policy-object.ts';
import { blockDuring, openWindow } from './policy-windows.ts';

const SPEC = {
  nodePoolSelector: {},
  consolidationPolicy: 'WhenEmpty',
  budgets: [{ nodes: '1' }],
  windows: [
    {
      schedule: '0 22 * * *',
      duration: '8h',
      timeZone: 'Europe/Berlin',
      consolidationPolicy: 'WhenUnderutilizedOrCheaper',
      budgets: [{ nodes: '20%' }],
    },
    { schedule: '0 0 * * sat', duration: '48h', consolidateAfter: '1m' },
  ],
};

describe('the window that counts', () => {
  const cases: readonly (readonly [when: string, now: string, open: number | undefined])[] = [
    ['on a working day', '2026-11-17T12:00:00Z', undefined],
    ['at night in Berlin', '2026-11-17T21:00:00Z', 0],
    ['a minute before', '2026-11-17T20:59:00Z', undefined],
    ['on Saturday at noon', '2026-11-21T12:00:00Z', 1],
    ['is the first of two that are open', '2026-11-21T22:00:00Z', 0],
  ];
  for (const [when, now, open] of cases) test(when, () => assert.equal(openWindow(SPEC, Date.parse(now)), open));

  test('replaces the fields that it names, and no others', () => {
    assert.deepEqual(blockDuring(SPEC, undefined), { consolidationPolicy: 'WhenEmpty', budgets: [{ nodes: '1' }] });
    assert.deepEqual(blockDuring(SPEC, 0), {
      consolidationPolicy: 'WhenUnderutilizedOrCheaper',
      budgets: [{ nodes: '20%' }],
    });
    assert.deepEqual(blockDuring(SPEC, 1), {
      consolidationPolicy: 'WhenEmpty',
      budgets: [{ nodes: '1' }],
      consolidateAfter: '1m',
    });
  });
});

describe('what is wrong with windows', () => {
  const problems = (spec: object) =>
    objectProblems({ kind: 'ConsolidationPolicy', apiVersion: undefined, name: 'x', spec }).map(({ field }) => field);
  const window = { schedule: '@daily', duration: '8h' };
  const with_ = (differs: object, outside: object = {}) =>
    problems({ nodePoolSelector: {}, ...outside, windows: [window, { ...window, ...differs }] });

  test('nothing with good ones', () => assert.deepEqual(problems(SPEC), []));
  test('no schedule', () => {
    assert.deepEqual(problems({ nodePoolSelector: {}, windows: [{ duration: '8h' }] }), ['spec.windows[0].schedule']);
  });
  test('a field that windows do not have', () => {
    assert.deepEqual(with_({ ttlSecondsAfterEmpty: 30 }), ['spec.windows[1].ttlSecondsAfterEmpty']);
  });
  test('a method that the policy outside leaves out', () => {
    const consolidation = { multiNode: { enabled: true } };
    const at = 'spec.windows[1].consolidation.multiNode.enabled';
    assert.deepEqual(with_({ consolidation }, { consolidationPolicy: 'WhenCheaper' }), [at]);
    assert.deepEqual(with_({ consolidation }), []);
  });
  test('a policy that leaves out a method which is switched on outside', () => {
    const consolidation = { multiNode: { enabled: true } };
    assert.deepEqual(with_({ consolidationPolicy: 'WhenEmpty' }, { consolidation }), [
      'spec.windows[1].consolidationPolicy',
    ]);
  });
  test('consolidation in a window beside a TTL for empty nodes', () => {
    const outside = { consolidateAfter: 'Never', ttlSecondsAfterEmpty: 30 };
    assert.deepEqual(with_({ consolidateAfter: '5m' }, outside), ['spec.windows[1].consolidateAfter']);
  });
  test('what is wrong outside is not said again of each window', () => {
    const outside = { consolidationPolicy: 'WhenEmpty', consolidation: { multiNode: { enabled: true } } };
    assert.deepEqual(with_({}, outside), ['spec.consolidation.multiNode.enabled']);
  });
});
