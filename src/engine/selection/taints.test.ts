import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { taint, toleration } from '../../../test/build/constraints.ts';
import type { Taint, Toleration } from '../cluster/objects.ts';
import { hasToleration, isEphemeral, sameTaint, TOLERATE_PREFERENCES, tolerates, toleratesAll } from './taints.ts';

const DEDICATED = taint('dedicated', 'NoSchedule', 'db');
const LEVEL = taint('level', 'NoExecute', '5');

describe('a toleration', () => {
  const cases: readonly (readonly [string, Toleration, Taint, boolean])[] = [
    ['of the key', toleration('dedicated'), DEDICATED, true],
    ['of another key', toleration('other'), DEDICATED, false],
    ['of every key', toleration(''), DEDICATED, true],
    ['of the effect', toleration('dedicated', { effect: 'NoSchedule' }), DEDICATED, true],
    ['of another effect', toleration('dedicated', { effect: 'NoExecute' }), DEDICATED, false],
    ['of every key with another effect', toleration('', { effect: 'PreferNoSchedule' }), DEDICATED, false],
    ['of the value', toleration('dedicated', { operator: 'Equal', value: 'db' }), DEDICATED, true],
    ['without operator is of the value', toleration('dedicated', { operator: '', value: 'web' }), DEDICATED, false],
    ['of another value', toleration('dedicated', { operator: 'Equal', value: 'web' }), DEDICATED, false],
    ['of the key whatever its value', toleration('dedicated', { value: 'web' }), DEDICATED, true],
    ['above a number', toleration('level', { operator: 'Gt', value: '4' }), LEVEL, true],
    ['above the number itself', toleration('level', { operator: 'Gt', value: '5' }), LEVEL, false],
    ['below a number', toleration('level', { operator: 'Lt', value: '6' }), LEVEL, true],
    ['below a word', toleration('level', { operator: 'Lt', value: 'six' }), LEVEL, false],
    ['below a number with a leading zero', toleration('level', { operator: 'Lt', value: '06' }), LEVEL, false],
    [
      'below a number beyond 2^53',
      toleration('level', { operator: 'Lt', value: '9007199254740993' }),
      taint('level', '', '9007199254740992'),
      true,
    ],
  ];
  for (const [name, t, against, expected] of cases) {
    test(`${name} ${expected ? 'tolerates' : 'does not tolerate'} ${against.key}=${against.value}`, () => {
      assert.equal(tolerates(t, against), expected);
    });
  }
});

test('every taint must be tolerated, PreferNoSchedule too', () => {
  const flaky = taint('flaky', 'PreferNoSchedule');
  assert.equal(toleratesAll([DEDICATED, flaky], [toleration('dedicated')]), false);
  assert.equal(toleratesAll([DEDICATED, flaky], [toleration('dedicated'), TOLERATE_PREFERENCES]), true);
  assert.equal(toleratesAll([], []), true);
});

describe('taints that pass by themselves', () => {
  const cases: readonly (readonly [string, string, boolean])[] = [
    ['node.kubernetes.io/not-ready', 'NoSchedule', true],
    ['node.kubernetes.io/not-ready', 'NoExecute', true],
    ['node.kubernetes.io/unreachable', 'NoSchedule', true],
    ['node.kubernetes.io/unreachable', 'NoExecute', false],
    ['node.cloudprovider.kubernetes.io/uninitialized', 'NoSchedule', true],
    ['karpenter.sh/unregistered', 'NoExecute', true],
    ['karpenter.sh/unregistered', 'NoSchedule', false],
    ['readiness.k8s.io/network', 'NoSchedule', true],
    ['example.com/network', 'NoSchedule', false],
  ];
  for (const [key, effect, expected] of cases) {
    test(`${key}:${effect} ${expected ? 'does' : 'does not'}`, () =>
      assert.equal(isEphemeral(taint(key, effect)), expected));
  }

  test('a startup taint is recognised by key and effect, whatever its value', () => {
    assert.ok(sameTaint(taint('starting', 'NoSchedule', 'yes'), taint('starting', 'NoSchedule')));
    assert.ok(!sameTaint(taint('starting', 'NoExecute'), taint('starting', 'NoSchedule')));
  });
});

test('a pod has a toleration only if it is spelled out, seconds aside', () => {
  const spelled = toleration('', { effect: 'PreferNoSchedule', tolerationSeconds: 60 });
  assert.ok(hasToleration([spelled], TOLERATE_PREFERENCES));
  assert.ok(!hasToleration([toleration('')], TOLERATE_PREFERENCES));
});
