import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { cluster, compiled, rowOf } from '../../../../test/build/cluster.ts';
import { LARGE, MEDIUM, SMALL } from '../../../../test/build/instance-type.ts';
import { type Machine, machine } from '../../../../test/build/machine.ts';
import { nodePool } from '../../../../test/build/node-pool.ts';
import { type PodSketch, pod } from '../../../../test/build/pod.ts';
import { policy, rules } from '../../../../test/build/policy.ts';
import { HOUR_MS, MINUTE_MS, NOW_MS } from '../../../../test/build/units.ts';
import type { PodObject } from '../../cluster/objects.ts';
import type { Candidate } from '../../disruption/candidates.ts';
import { requiredSavings } from '../../disruption/required-savings.ts';
import { assess } from '../../gates/assessment.ts';
import { DEFAULT_SETTINGS, type Rules } from '../../settings.ts';
import { resultOf } from '../../steps.ts';
import { LaunchOptions } from './launch-options.ts';
import { nodeDemands } from './node-demand.ts';
import { inOrder } from './node-order.ts';

const DAY = 24 * HOUR_MS;

function pods(on: string, count: number, sketch: PodSketch = {}): PodObject[] {
  return Array.from({ length: count }, (_, i) => pod(`${on}-${i}`, { on, cpu: 1, memory: 1, ...sketch }));
}

/** Of 30 days of life. */
function withLifeLeft(name: string, leftMs: number): Machine {
  const { node, claim } = machine(name);
  return { node, claim: claim && { ...claim, expireAfterMs: 30 * DAY, createdMs: NOW_MS + leftMs - 30 * DAY } };
}

/** The nodes x and y at a threshold of 2 cents, in the order in which they would be removed. */
function ordered(
  running: readonly PodObject[],
  machines = [machine('x'), machine('y')],
  by = rules({ savingsThresholdCents: 2 }),
) {
  const nodePools = ['default', 'strict'].map((name) => nodePool(name));
  const c = compiled(cluster({ machines, pods: running, nodePools }));
  const candidates = machines.map(({ node }): Candidate => {
    const assessed = assess(c, rowOf(c, node?.name ?? ''), by);
    assert.ok('candidate' in assessed);
    return assessed.candidate;
  });
  const demands = resultOf(nodeDemands(c, candidates, new LaunchOptions(c)));
  const sorted = inOrder(candidates, demands, 'worth');
  // The order does not depend on the order in which it was given.
  assert.deepEqual(inOrder(candidates.toReversed(), demands, 'worth'), sorted);
  return sorted.map((each) => ({
    name: each.name,
    cost: each.disruptionCost,
    required: requiredSavings([each]).requiredCents,
  }));
}

describe('cluster consolidation document: of two identical nodes', () => {
  test('the one with 5 pods goes, not the one with 100', () => {
    assert.deepEqual(ordered([...pods('x', 100), ...pods('y', 5)]), [
      { name: 'y', cost: 6, required: 12 },
      { name: 'x', cost: 101, required: 202 },
    ]);
  });

  test('with 5 pods each, the one with the lower sum of pod-deletion-cost goes', () => {
    const dear = pods('x', 5, { deletionCost: String(2 ** 26) });
    assert.deepEqual(ordered([...dear, ...pods('y', 5)]), [
      { name: 'y', cost: 6, required: 12 },
      { name: 'x', cost: 1 + 5 * 1.5, required: 17 },
    ]);
  });

  test('with 5 pods each, the one with pods of lower priority goes', () => {
    const important = pods('x', 5, { priority: 2 ** 24 });
    assert.deepEqual(ordered([...important, ...pods('y', 5)]), [
      { name: 'y', cost: 6, required: 12 },
      { name: 'x', cost: 1 + 5 * 1.5, required: 17 },
    ]);
    const humble = pods('x', 5, { priority: -(2 ** 24) });
    assert.deepEqual(ordered([...humble, ...pods('y', 5)])[0], { name: 'x', cost: 3.5, required: 7 });
  });

  test('with 5 pods each, the one with 5 minutes to live goes, not the one with 29 days', () => {
    const machines = [withLifeLeft('x', 29 * DAY), withLifeLeft('y', 5 * MINUTE_MS)];
    const [first, second] = ordered([...pods('x', 5), ...pods('y', 5)], machines);
    assert.deepEqual([first.name, second.name], ['y', 'x']);
    // 6 × 5 min / 30 days, and 6 × 29 / 30.
    assert.ok(Math.abs(first.cost - 6 / 8640) < 1e-12 && Math.abs(first.required - 12 / 8640) < 1e-12);
    assert.ok(Math.abs(second.cost - 5.8) < 1e-12 && Math.abs(second.required - 11.6) < 1e-12);
  });

  test('without expiry, age has no effect: the name decides', () => {
    const { node, claim } = machine('x');
    const young = { node, claim: claim && { ...claim, createdMs: NOW_MS - MINUTE_MS } };
    assert.deepEqual(
      ordered([...pods('x', 5), ...pods('y', 5)], [machine('y'), young]).map((n) => n.name),
      ['x', 'y'],
    );
  });
});

test('a more expensive node may be worth more trouble', () => {
  const machines = [machine('x', { type: LARGE }), machine('y', { type: SMALL })];
  // (40 − 12) / 6 against (10 − 6) / 3.
  assert.equal(ordered([...pods('x', 5), ...pods('y', 2)], machines)[0].name, 'x');
  // (40 − 22) / 11 against (10 − 4) / 2.
  assert.equal(ordered([...pods('x', 10), ...pods('y', 1)], machines)[0].name, 'y');
});

test('of two that are worth the same, the one that disrupts less', () => {
  const machines = [machine('x', { type: LARGE }), machine('y', { type: MEDIUM })];
  // (40 − 16) / 8 and (20 − 8) / 4.
  assert.deepEqual(
    ordered([...pods('x', 7), ...pods('y', 3)], machines).map(({ name, cost }) => [name, cost]),
    [
      ['y', 4],
      ['x', 8],
    ],
  );
});

test('a pool that asks for more is left for later', () => {
  const by: Rules = {
    settings: DEFAULT_SETTINGS,
    policyOf: ({ name }) => policy({ savingsThresholdCents: name === 'strict' ? 3 : 0 }),
  };
  const machines = [machine('x', { pool: 'strict' }), machine('y')];
  const [first, second] = ordered([...pods('x', 4), ...pods('y', 4)], machines, by);
  assert.deepEqual(
    [first, second],
    [
      { name: 'y', cost: 5, required: 0 },
      { name: 'x', cost: 5, required: 15 },
    ],
  );
});

test('pods that ask to go make a node go first, and do not upset the order', () => {
  const leaving = pods('x', 5, { deletionCost: String(-(2 ** 31)) });
  assert.deepEqual(
    ordered([...leaving, ...pods('y', 5)]).map((n) => n.name),
    ['x', 'y'],
  );
});
