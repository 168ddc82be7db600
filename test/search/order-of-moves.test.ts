import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { InstanceType, PodObject } from '../../src/engine/cluster/objects.ts';
import { ZONE } from '../../src/engine/cluster/well-known.ts';
import { inWaves } from '../../src/engine/search/waves.ts';
import { resultOf } from '../../src/engine/steps.ts';
import { cluster } from '../build/cluster.ts';
import { podsOf } from '../build/constraints.ts';
import { instanceType } from '../build/instance-type.ts';
import { type Machine, machine } from '../build/machine.ts';
import { nodePool } from '../build/node-pool.ts';
import { pod } from '../build/pod.ts';
import { podDisruptionBudget } from '../build/pod-disruption-budget.ts';
import { rules } from '../build/policy.ts';
import { policyNamed, rulesByPool } from './fleet-rules.ts';
import { planOf, problemOf, search } from './searched.ts';
import { movesOf } from './summary.ts';

const cheap = instanceType('cheap', { price: 0.1 });
const dear = instanceType('dear', { price: 0.4 });
const room = (cpu: number) => ({ cpu, memory: 2 ** 36, pods: 20 });

/**
 * `follows` has to be in a zone with a pod of the app db when it comes. That one has to leave zone a for zone b, where
 * there is room for itself alone: `follows` can go to zone a as long as it is still there, and nowhere afterwards.
 */
function following(follower: InstanceType, leader: InstanceType, more: readonly [Machine, PodObject][] = []) {
  return cluster({
    instanceTypes: [cheap, dear],
    nodePools: [nodePool('default', { limits: { cpu: 1 } })],
    machines: [
      machine('follower', { type: follower, zone: 'zone-c' }),
      machine('leader', { type: leader, zone: 'zone-a' }),
      machine('stays-a', { type: cheap, zone: 'zone-a', allocatable: room(1000), doNotDisrupt: 'true' }),
      machine('stays-b', { type: cheap, zone: 'zone-b', allocatable: room(500), doNotDisrupt: 'true' }),
      ...more.map(([m]) => m),
    ],
    pods: [
      ...more.map(([, p]) => p),
      pod('follows', { on: 'follower', cpu: 1000, labels: { app: 'web' }, requiredAffinity: [podsOf('db', ZONE)] }),
      pod('leads', { on: 'leader', cpu: 500, labels: { app: 'db' }, nodeSelector: { [ZONE]: 'zone-b' } }),
    ],
  });
}

describe('moves of which one needs what the other takes away', () => {
  test('are made in the order in which both can be, though the other is worth more', () => {
    assert.deepEqual(movesOf(planOf(following(cheap, dear), rules())), ['delete follower', 'delete leader']);
    assert.deepEqual(movesOf(planOf(following(dear, cheap), rules())), ['delete follower', 'delete leader']);
  });

  test('are not made at once', () => {
    // Each may only go jointly; neither pod knows of the other.
    const by = rulesByPool({ default: policyNamed('WhenUnderutilized') });
    assert.deepEqual(movesOf(planOf(following(cheap, dear), by)), []);
    assert.deepEqual(movesOf(planOf(following(dear, cheap), by)), []);
  });

  test('wait for each other, if one has to wait for a third', () => {
    // A pod with its own place, which the budget of the follower's app lets go first.
    const objects = {
      ...following(cheap, dear, [
        [machine('first', { type: dear }), pod('goes', { on: 'first', cpu: 2000, labels: { app: 'web' } })],
        [machine('stays', { type: cheap, doNotDisrupt: 'true' }), pod('other', { on: 'stays', cpu: 2000 })],
      ]),
      podDisruptionBudgets: [podDisruptionBudget('web', 'web')],
    };
    const problem = problemOf(objects, rules());
    const byName = new Map(search(problem).moves.map((move) => [move.candidates[0].name, move]));
    const moves = ['first', 'follower', 'leader'].flatMap((name) => byName.get(name) ?? []);
    assert.deepEqual(
      resultOf(inWaves(problem, moves)).map(({ wave, move }) => `${wave} ${move.candidates[0].name}`),
      ['1 first', '2 follower', '2 leader'],
    );
  });
});

/** Two of four nodes may go at once, and one of two: what is worth most would leave no turn for the pair. */
test('a budget in percent is one of the nodes that are left: two nodes that go together go while two may', () => {
  const half = instanceType('half', { cpu: 2000, price: 0.11 });
  const whole = instanceType('whole', { price: 0.2 });
  const objects = cluster({
    instanceTypes: [half, whole, dear],
    nodePools: [nodePool('default', { budgets: [{ nodes: '50%' }] }), nodePool('other', { limits: { cpu: 1 } })],
    machines: [
      ...['pair-1', 'pair-2'].map((name) => machine(name, { type: half })),
      ...['worth-1', 'worth-2'].map((name) => machine(name, { type: dear })),
      machine('stays', { pool: 'other', type: dear, allocatable: room(200), doNotDisrupt: 'true' }),
    ],
    pods: [
      ...['pair-1', 'pair-2'].map((on) => pod(`of-${on}`, { on, cpu: 2000 })),
      ...['worth-1', 'worth-2'].map((on) => pod(`of-${on}`, { on, cpu: 100 })),
    ],
  });
  const problem = problemOf(objects, rules());
  const moves = search(problem).moves;
  const inWords = resultOf(inWaves(problem, moves)).map(
    ({ wave, move }) => `${wave} ${move.kind} ${move.candidates.map((c) => c.name).sort()}`,
  );
  assert.deepEqual(inWords, ['1 replace pair-1,pair-2', '2 delete worth-1', '2 delete worth-2']);
});
