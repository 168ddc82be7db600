import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { cluster } from '../../../test/build/cluster.ts';
import { machine } from '../../../test/build/machine.ts';
import { nodePool } from '../../../test/build/node-pool.ts';
import { pod } from '../../../test/build/pod.ts';
import { policyNamed, rulesByPool } from '../../../test/search/fleet-rules.ts';
import { problemOf } from '../../../test/search/searched.ts';
import type { PolicyName } from '../disruption/pool-policy.ts';
import type { Move } from '../moves/move.ts';
import { inParts, JointDeletions, jointDeletion, mayBeJoint } from './joint-deletions.ts';
import type { SearchProblem } from './problem.ts';

/** Nodes with one pod each, in pools that delete several nodes at once or none; by pool, the number of nodes and maxParallel. */
function problem(
  pools: Readonly<Record<string, readonly [nodes: number, maxParallel: number, policy?: PolicyName]>>,
): SearchProblem {
  const nodes = Object.entries(pools).flatMap(([pool, [count]]) =>
    Array.from({ length: count }, (_, i) => ({ name: `${pool}-${i}`, pool })),
  );
  const objects = cluster({
    nodePools: Object.keys(pools).map((name) => nodePool(name, { budgets: [{ nodes: '100%' }] })),
    machines: nodes.map(({ name, pool }) => machine(name, { pool })),
    pods: nodes.map(({ name }) => pod(`on-${name}`, { on: name, cpu: 100 })),
  });
  const policies = Object.entries(pools).map(
    ([name, [, maxParallel, policy = 'WhenUnderutilized']]) => [name, policyNamed(policy, { maxParallel })] as const,
  );
  return problemOf(objects, rulesByPool(Object.fromEntries(policies)));
}

function deletions({ candidates }: SearchProblem): Move[] {
  return candidates.map((c) => ({
    kind: 'delete',
    candidates: [c],
    replacements: [],
    placements: [],
    savings: c.price,
  }));
}

function sizes(pools: Parameters<typeof problem>[0]): string[] {
  return inParts(deletions(problem(pools)))
    .map((part) => Object.entries(Object.groupBy(part, (m) => m.candidates[0].pool.name)))
    .map((own) => own.map(([pool, moves]) => `${moves?.length} ${pool}`).join(', '));
}

describe('deletions that may only go together', () => {
  test('in pairs: an odd one would be left alone, and is left out', () => {
    const own = problem({ a: [3, 2] });
    assert.equal(new JointDeletions(own).among(deletions(own)).length, 2);
  });

  test('with more than two at once no node is left out', () => {
    for (const nodes of [2, 3, 4, 5, 7]) {
      const own = problem({ a: [nodes, 3] });
      assert.equal(new JointDeletions(own).among(deletions(own)).length, nodes);
    }
  });

  test('one that is left takes a deletion with it that could go alone', () => {
    const own = problem({ a: [1, 2], b: [3, 100, 'WhenUnderutilizedOrCheaper'] });
    assert.equal(new JointDeletions(own).among(deletions(own)).length, 4);
    const apart = problem({ a: [1, 2], b: [3, 1, 'WhenUnderutilizedOrCheaper'] });
    assert.equal(new JointDeletions(apart).among(deletions(apart)).length, 3);
  });

  test('maxParallel limits its own pool only', () => {
    assert.deepEqual(sizes({ a: [3, 2], b: [1, 100] }), ['1 a, 1 b', '2 a']);
    assert.deepEqual(sizes({ a: [2, 2], b: [5, 100] }), ['2 a, 5 b']);
    assert.deepEqual(sizes({ a: [4, 2], b: [6, 3] }), ['2 a, 3 b', '2 a, 3 b']);
  });

  test('a pool with maxParallel 1 combines its nodes with none, not even of other pools', () => {
    const own = problem({ a: [1, 1], b: [1, 100] });
    assert.deepEqual(deletions(own).map(mayBeJoint), [false, true]);
    assert.deepEqual(new JointDeletions(own).among(deletions(own)), []);
  });

  test('a deletion of several nodes is not combined again', () => {
    assert.equal(mayBeJoint(jointDeletion(deletions(problem({ a: [2, 3] })))), false);
  });
});
