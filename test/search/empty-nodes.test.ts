import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { InstanceType } from '../../src/engine/cluster/objects.ts';
import { cluster } from '../build/cluster.ts';
import { hostPort } from '../build/constraints.ts';
import { MEDIUM, SMALL } from '../build/instance-type.ts';
import { machine } from '../build/machine.ts';
import { nodePool } from '../build/node-pool.ts';
import { pod } from '../build/pod.ts';
import { rules } from '../build/policy.ts';
import { onDemandPool } from './aws.ts';
import { planOf } from './searched.ts';
import { movesOf } from './summary.ts';

const names = (prefix: string, count: number) => Array.from({ length: count }, (_, i) => `${prefix}-${i}`);

describe('S33: 1,000 nodes', () => {
  const busy = names('busy', 700);

  test('300 of them empty: those 300 go, in one move', () => {
    const objects = cluster({
      instanceTypes: [MEDIUM],
      machines: [...busy, ...names('empty', 300)].map((name) => machine(name)),
      pods: busy.map((on) => pod(`pod-${on}`, { on, cpu: 2600 })),
      nodePools: [onDemandPool('default')],
    });
    const { moves } = planOf(objects, rules());
    assert.deepEqual(
      moves.map((m) => [m.method, m.wave, m.nodes.length, m.nodes.every((n) => n.startsWith('empty'))]),
      [['emptiness', 1, 300, true]],
    );
  });

  test('300 of them at 30 %, each with a host port that all others use too: none goes', () => {
    const light = names('light', 300);
    const port = { hostPorts: [hostPort(9100)] };
    const objects = cluster({
      instanceTypes: [MEDIUM],
      machines: [...busy, ...light].map((name) => machine(name)),
      pods: [
        ...busy.map((on) => pod(`pod-${on}`, { on, cpu: 2800, ...port })),
        ...light.map((on) => pod(`pod-${on}`, { on, cpu: 1200, ...port })),
      ],
      nodePools: [onDemandPool('default')],
    });
    assert.deepEqual(movesOf(planOf(objects, rules())), []);
  });
});

/** It has reached its limits. */
const NO_LAUNCHES = nodePool('default', { limits: { cpu: 1 } });

describe('an empty node goes', () => {
  const couple = (type: InstanceType, more: Parameters<typeof cluster>[0] = {}) =>
    cluster({
      instanceTypes: [SMALL, MEDIUM],
      machines: [machine('empty', { type }), machine('used')],
      pods: [pod('p', { on: 'used' })],
      nodePools: [NO_LAUNCHES],
      ...more,
    });

  test('whatever the threshold: no pod is disrupted', () => {
    const strict = rules({ savingsThresholdCents: 1000, minSavingsPercent: 100 });
    assert.deepEqual(movesOf(planOf(couple(SMALL), strict)), ['delete empty']);
  });

  test('also if its price is unknown', () => {
    const unknown = { ...SMALL, name: 'unknown' };
    const machines = [machine('empty', { type: unknown }), machine('used', { doNotDisrupt: 'true' })];
    assert.deepEqual(movesOf(planOf(couple(unknown, { machines }), rules())), ['delete empty']);
  });

  test('unless it is worth more as the destination of a more expensive one', () => {
    const objects = cluster({
      instanceTypes: [SMALL, MEDIUM],
      machines: [machine('dear', { type: MEDIUM }), machine('empty', { type: SMALL })],
      pods: [pod('p', { on: 'dear', cpu: 1500 })],
      nodePools: [NO_LAUNCHES],
    });
    assert.deepEqual(movesOf(planOf(objects, rules())), ['delete dear']);
  });

  test('with pods that ask to go, if they have somewhere to go', () => {
    const leaving = pod('leaving', { on: 'empty', cpu: 1500, deletionCost: '-2147483647' });
    const pods = (cpu: number) => [pod('p', { on: 'used', cpu }), leaving];
    assert.deepEqual(movesOf(planOf(couple(SMALL, { pods: pods(1000) }), rules())), ['delete empty']);
    assert.deepEqual(movesOf(planOf(couple(SMALL, { pods: pods(3000) }), rules())), []);
    // The same in a pass of stock, and for the node alone; but not with stock's quirks.
    const stuck = couple(SMALL, { pods: pods(3000) });
    for (const [compat, left] of [
      [false, []],
      [true, ['delete empty']],
    ] as const) {
      const plan = planOf(stuck, rules({}, { compat }), { search: 'karpenter' });
      assert.deepEqual(movesOf(plan), left);
      assert.equal(plan.nodes.find((n) => n.name === 'empty')?.alone.decision, compat ? 'delete' : 'none');
    }
  });
});
