import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { cluster, compiled, rowOf } from '../../../test/build/cluster.ts';
import { is } from '../../../test/build/constraints.ts';
import { instanceType } from '../../../test/build/instance-type.ts';
import { type Machine, machine } from '../../../test/build/machine.ts';
import { nodePool } from '../../../test/build/node-pool.ts';
import { daemonPod, daemonSet, type PodSketch, pod } from '../../../test/build/pod.ts';
import { rules } from '../../../test/build/policy.ts';
import { HOUR_MS, MINUTE_MS, NOW_MS } from '../../../test/build/units.ts';
import type { PodObject } from '../cluster/objects.ts';
import { CAPACITY_TYPE, ON_DEMAND } from '../cluster/well-known.ts';
import { assess } from '../gates/assessment.ts';
import { consolidate } from '../moves/consolidate.ts';
import { refusalText } from '../refusal-text.ts';
import { Simulation } from '../scheduling/simulation.ts';
import { autoPercent } from './auto-percent.ts';

const SECOND = 1000;

interface Life {
  readonly ageMs?: number;
  readonly startMs?: number;
  readonly expireAfterMs?: number;
}

function lived(m: Machine, { ageMs = HOUR_MS, startMs = MINUTE_MS, expireAfterMs }: Life): Machine {
  const createdMs = NOW_MS - ageMs;
  const conditions = m.claim?.conditions.map((c) => ({ ...c, changedMs: createdMs + startMs }));
  return { ...m, claim: m.claim && { ...m.claim, createdMs, conditions: conditions ?? [], expireAfterMs } };
}

function node(name: string, life: Life = {}): Machine {
  return lived(machine(name), life);
}

/** Ten pods that were ready 30 s after their start. */
function pods(count = 10, sketch: PodSketch = {}): PodObject[] {
  const startedMs = NOW_MS - HOUR_MS;
  return Array.from({ length: count }, (_, i) =>
    pod(`p${i}`, { on: 'n', startedMs, readyChangedMs: startedMs + 30 * SECOND, cpu: 100, ...sketch }),
  );
}

function facts(machines: readonly Machine[], on: readonly PodObject[] = pods()) {
  const c = compiled(cluster({ machines, pods: on }));
  return autoPercent(c, rowOf(c, 'n'));
}

describe('the percentage', () => {
  test('1 min for a node and 10 × 30 s for pods, within the hour that nodes live here: 10 %', () => {
    assert.deepEqual(facts([node('n')]), {
      node: 'n',
      percent: 10,
      nodeStartMs: MINUTE_MS,
      pods: 10,
      podStartsMs: 5 * MINUTE_MS,
      remainingMs: null,
      meanAgeMs: HOUR_MS,
    });
  });

  test('20 % if the node expires in half an hour anyway', () => {
    const { percent, remainingMs } = facts([node('n', { expireAfterMs: 1.5 * HOUR_MS })]);
    assert.deepEqual([percent, remainingMs], [20, 30 * MINUTE_MS]);
  });

  test('more pods, slower pods and slower nodes ask for more', () => {
    assert.equal(facts([node('n')], pods(22)).percent, 20);
    assert.equal(facts([node('n')], pods(5, { readyChangedMs: NOW_MS - 58 * MINUTE_MS })).percent, (100 * 11) / 60);
    assert.equal(facts([node('n', { startMs: 4 * MINUTE_MS })]).percent, 15);
  });

  test('never less than 5 % nor more than 50 %', () => {
    assert.equal(facts([node('n', { ageMs: 30 * 24 * HOUR_MS })]).percent, 5);
    assert.equal(facts([node('n', { ageMs: 5 * MINUTE_MS })]).percent, 50);
    assert.equal(facts([node('n', { expireAfterMs: HOUR_MS })]).percent, 50);
    assert.equal(facts([node('n', { ageMs: 0, startMs: 0 })], []).percent, 50);
  });

  test('the age is the mean of the pool, the start its median; other pools do not count', () => {
    const others = [
      node('slow', { ageMs: 2 * HOUR_MS, startMs: 30 * MINUTE_MS }),
      node('old', { ageMs: 3 * HOUR_MS, startMs: 2 * MINUTE_MS }),
      lived(machine('elsewhere', { pool: 'other' }), { ageMs: 100 * HOUR_MS, startMs: HOUR_MS }),
    ];
    const { meanAgeMs, nodeStartMs } = facts([node('n'), ...others]);
    assert.deepEqual([meanAgeMs, nodeStartMs], [2 * HOUR_MS, 2 * MINUTE_MS]);
  });
});

describe('where objects do not tell', () => {
  test('a node is taken to need 60 s, a pod 30 s', () => {
    const { nodeStartMs, podStartsMs } = facts([node('n', { startMs: 0 })], pods(2, { readyChangedMs: undefined }));
    assert.deepEqual([nodeStartMs, podStartsMs], [60 * SECOND, 60 * SECOND]);
    assert.equal(facts([node('n')], pods(1, { ready: 'False' })).podStartsMs, 30 * SECOND);
  });

  test('a pod that lost its readiness and found it again counts 10 min at most', () => {
    assert.equal(facts([node('n')], pods(1, { readyChangedMs: NOW_MS })).podStartsMs, 10 * MINUTE_MS);
  });

  test('DaemonSet pods do not move', () => {
    const agents = daemonSet('agent');
    assert.equal(facts([node('n')], [...pods(1), daemonPod(agents, 'n')]).pods, 1);
  });
});

test('one more pod never asks for less', () => {
  fc.assert(
    fc.property(fc.nat(30), fc.integer({ min: 1, max: 100_000_000 }), (count, ageMs) => {
      const machines = [node('n', { ageMs })];
      assert.ok(facts(machines, pods(count + 1)).percent >= facts(machines, pods(count)).percent);
    }),
  );
});

test('a replacement that saves 8 % is refused at 10 %, with the formula in numbers', () => {
  const types = [instanceType('old', { price: 0.1 }), instanceType('new', { price: 0.092 })];
  const machines = [lived(machine('n', { type: types[0] }), {})];
  const nodePools = [nodePool('default', { requirements: [is(CAPACITY_TYPE, 'In', ON_DEMAND)] })];
  const c = compiled(cluster({ machines, pods: pods(), instanceTypes: types, nodePools }));
  const ask = (minSavingsPercent: number | 'auto') => {
    const assessed = assess(c, rowOf(c, 'n'), rules({ minSavingsPercent }));
    assert.ok('candidate' in assessed);
    return consolidate(new Simulation(c), [assessed.candidate]);
  };
  assert.ok('move' in ask(7.9));
  const refused = ask('auto');
  assert.ok('refusal' in refused);
  assert.equal(
    refusalText(refused.refusal),
    'saves 8.0 % of the price of what it removes, 10 % is required (auto, node n: 60 s for a node to start + 5 min for 10 pods to start one by one, to be repaid within 60 min, the mean age of nodes in its pool; always from 5 to 50 %)',
  );
});
