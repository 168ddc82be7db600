import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { cluster, compiled, rowOf } from '../../../test/build/cluster.ts';
import { instanceType } from '../../../test/build/instance-type.ts';
import { machine } from '../../../test/build/machine.ts';
import { nodePool } from '../../../test/build/node-pool.ts';
import { pod } from '../../../test/build/pod.ts';
import { policy } from '../../../test/build/policy.ts';
import type { PodObject } from '../cluster/objects.ts';
import { assess } from '../gates/assessment.ts';
import { DEFAULT_SETTINGS, type Rules } from '../settings.ts';
import { disapproving, isBeyondBalance, poolTotals } from './balanced.ts';
import type { Candidate } from './candidates.ts';
import type { PolicyName } from './pool-policy.ts';

/**
 * karpenter-semantics §10's example: a pool of $10 per hour and a disruption cost of 50, and in it a node of
 * $1 per hour with 4 pods (cost 5). Nine more of the same make it so.
 */
const TYPE = instanceType('dollar', { price: 1 });

function pods(on: string, count: number): PodObject[] {
  return Array.from({ length: count }, (_, i) => pod(`${on}-${i}`, { on, cpu: 1, memory: 1 }));
}

function pool(k: number, policies: Readonly<Record<string, PolicyName>> = { default: 'Balanced' }) {
  const names = Object.keys(policies);
  const machines = names.flatMap((name) =>
    Array.from({ length: 10 }, (_, i) => machine(`${name}-${i}`, { type: TYPE, pool: name })),
  );
  const objects = cluster({
    machines,
    pods: machines.flatMap(({ node }) => pods(node?.name ?? '', 4)),
    instanceTypes: [TYPE],
    nodePools: names.map((name) => nodePool(name)),
  });
  const blocks = new Map(names.map((name) => [name, policy({ policy: policies[name], balancedK: k })]));
  const rules: Rules = { settings: DEFAULT_SETTINGS, policyOf: ({ name }) => blocks.get(name) ?? policy() };
  const c = compiled(objects);
  const candidates = machines.map(({ node }): Candidate => {
    const assessed = assess(c, rowOf(c, node?.name ?? ''), rules);
    assert.ok('candidate' in assessed);
    return assessed.candidate;
  });
  return {
    candidates,
    totals: poolTotals(c, candidates),
    of: (name: string) => candidates.filter((x) => x.pool.name === name),
  };
}

function close(actual: number | undefined, expected: number): void {
  assert.ok(actual !== undefined && Math.abs(actual - expected) < 1e-9, String(actual));
}

describe('the example: pool $10 and 50, node $1 and 5', () => {
  const { candidates, totals } = pool(2);

  test('the totals are those of the example', () => {
    close(totals.get('default')?.cost, 10);
    close(totals.get('default')?.disruptionCost, 50);
    assert.equal(candidates[0].rescheduleCost, 5);
  });

  test('a replacement at $0.40 scores 0.6 and is approved', () => {
    assert.equal(disapproving([candidates[0]], 0.6, totals), undefined);
  });

  test('a replacement at $0.55 scores 0.45 and is not', () => {
    const against = disapproving([candidates[0]], 0.45, totals);
    close(against?.score, 0.45);
    assert.deepEqual([against?.required, against?.nodePool], [0.5, 'default']);
  });

  test('exactly 0.5 is enough', () => assert.equal(disapproving([candidates[0]], 0.5, totals), undefined));

  test('no saving scores 0', () => assert.equal(disapproving([candidates[0]], 0, totals)?.score, 0));
});

describe('k', () => {
  for (const [k, least] of [
    [1, 1],
    [2, 0.5],
    [4, 0.25],
  ]) {
    test(`${k} asks for a score of ${least}`, () => {
      const { candidates, totals } = pool(k);
      assert.equal(disapproving([candidates[0]], least, totals), undefined);
      close(disapproving([candidates[0]], least - 0.01, totals)?.required, least);
    });
  }

  test('below 1 even a deletion of an average node is not worth it, and need not be simulated', () => {
    const { candidates, totals } = pool(0.5);
    assert.deepEqual(isBeyondBalance(candidates[0], totals), { score: 1, required: 2 });
    const { candidates: others, totals: usual } = pool(2);
    assert.equal(isBeyondBalance(others[0], usual), undefined);
  });
});

describe('a move of several pools', () => {
  test('each Balanced pool votes on its share of the savings', () => {
    const { of, totals } = pool(2, { a: 'Balanced', b: 'Balanced' });
    const both = [of('a')[0], of('b')[0]];
    assert.equal(disapproving(both, 1, totals), undefined);
    const against = disapproving(both, 0.9, totals);
    close(against?.score, 0.45);
  });

  test('pools of other policies do not vote', () => {
    const { of, totals } = pool(2, { a: 'WhenUnderutilizedOrCheaper', b: 'WhenCheaper' });
    assert.equal(disapproving([of('a')[0], of('b')[0]], 0.01, totals), undefined);
    assert.equal(isBeyondBalance(of('a')[0], totals), undefined);
  });
});
