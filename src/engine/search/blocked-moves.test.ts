import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { cluster } from '../../../test/build/cluster.ts';
import { machine } from '../../../test/build/machine.ts';
import { nodePool } from '../../../test/build/node-pool.ts';
import { pod } from '../../../test/build/pod.ts';
import { rules } from '../../../test/build/policy.ts';
import { problemOf } from '../../../test/search/searched.ts';
import type { Budget } from '../cluster/objects.ts';
import type { PoolPolicy } from '../disruption/pool-policy.ts';
import { BlockedMoves, isBlockedByThreshold, type ThresholdRefusal, withBlockedMove } from './blocked-moves.ts';
import type { SearchProblem } from './problem.ts';

function refusal(savings: number, required: number, nodes?: readonly string[]): ThresholdRefusal {
  return {
    code: 'savings-below-threshold',
    savingsCentsPerHour: savings,
    requiredCentsPerHour: required,
    disruptionCost: required,
    threshold: 1,
    ...(nodes === undefined ? {} : { nodes }),
  };
}

test('what saves nothing, as a node without a price, or has nothing to reach is not blocked by a threshold', () => {
  assert.deepEqual(
    [refusal(5, 6), refusal(0, 6), refusal(-1, 6), refusal(Number.NaN, 6), refusal(5, 0)].map(isBlockedByThreshold),
    [true, false, false, false, false],
  );
});

test('the node alone or the group is reported, whichever comes closer', () => {
  const alone = refusal(5, 10);
  const [closer, farther] = [refusal(9, 12, ['a', 'b']), refusal(9, 16, ['a', 'b'])];
  assert.deepEqual(withBlockedMove([alone], closer), [closer]);
  assert.deepEqual(withBlockedMove([alone], farther), [alone]);
  assert.deepEqual(withBlockedMove([{ code: 'deleting' }], farther), [{ code: 'deleting' }, farther]);
  assert.deepEqual(withBlockedMove([], closer), []);
});

describe('of the moves of several nodes', () => {
  const problem = (block: Partial<PoolPolicy> = {}, budgets: readonly Budget[] = [{ nodes: '100%' }]): SearchProblem =>
    problemOf(
      cluster({
        nodePools: [nodePool('default', { budgets })],
        machines: ['a', 'b', 'c'].map((name) => machine(name)),
        pods: ['a', 'b', 'c'].map((on) => pod(`on-${on}`, { on, cpu: 1000 })),
      }),
      rules(block),
    );
  const noted = (of: SearchProblem, newNodes = 1): ReadonlyMap<string, readonly string[] | undefined> => {
    const [a, b, c] = of.candidates;
    const blocked = new BlockedMoves(of);
    blocked.note([a, b, c], refusal(10, 20), newNodes);
    blocked.note([a, b], refusal(10, 14), newNodes);
    blocked.note([a, b], refusal(10, 18), newNodes);
    blocked.note([c], refusal(10, 11), newNodes);
    return new Map([...blocked.without(new Set(['b']))].map(([{ name }, { nodes }]) => [name, nodes]));
  };

  test('each node that stays has the one that came closest', () => {
    assert.deepEqual(
      [...noted(problem())],
      [
        ['a', ['a', 'b']],
        ['c', ['a', 'b', 'c']],
      ],
    );
  });

  test('what a budget, the methods or the Balanced score forbid anyway is not blocked by the threshold', () => {
    assert.equal(noted(problem({}, [{ nodes: '0' }])).size, 0);
    assert.deepEqual([...noted(problem({}, [{ nodes: '2' }])).keys()], ['a']);
    assert.deepEqual([...noted(problem({ multiNode: { enabled: true, maxParallel: 2 } })).keys()], ['a']);
    assert.equal(noted(problem({ multiNode: { enabled: false, maxParallel: 100 } })).size, 0);
    assert.deepEqual([...noted(problem({ singleNode: { enabled: false } }), 2).keys()], ['a', 'c']);
    assert.deepEqual([...noted(problem({ singleNode: { enabled: false } }), 3).keys()], []);
    assert.equal(noted(problem({ policy: 'Balanced', balancedK: 1 })).size, 0);
    assert.equal(noted(problem({ policy: 'Balanced', balancedK: 10 })).size, 2);
  });
});
