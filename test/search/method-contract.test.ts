import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import type { ClusterObjects } from '../../src/engine/cluster/objects.ts';
import type { Move } from '../../src/engine/moves/move.ts';
import { reasonFor } from '../../src/engine/search/approval.ts';
import { merged } from '../../src/engine/search/merged/merged.ts';
import type { Method, SearchResult } from '../../src/engine/search/method.ts';
import type { SearchProblem } from '../../src/engine/search/problem.ts';
import { emptiness } from '../../src/engine/search/stock/emptiness.ts';
import { multiNode } from '../../src/engine/search/stock/multi-node.ts';
import { singleNode } from '../../src/engine/search/stock/single-node.ts';
import type { Rules } from '../../src/engine/settings.ts';
import { runs } from '../build/runs.ts';
import { problemsOfSequence } from '../reference/sequence.ts';
import { stateOf } from '../reference/state.ts';
import { anyRules } from './fleet-rules.ts';
import { anyFleet } from './fleets.ts';
import { type Laws, obey } from './laws.ts';
import { LITTLE_WORK, problemOf } from './searched.ts';

const METHODS: readonly Method[] = [emptiness, multiNode, singleNode, merged];

/** Runs the method for at most this many steps, then asks for the best so far. */
function movesOf(method: Method, problem: SearchProblem, steps = Infinity): readonly Move[] {
  const search = method.search(problem, { work: LITTLE_WORK });
  let step: IteratorResult<unknown, SearchResult> = search.next();
  for (let i = 1; step.done !== true; i++) step = search.next(i >= steps);
  return step.value.moves;
}

interface Found {
  readonly method: Method;
  readonly objects: ClusterObjects;
  readonly rules: Rules;
  readonly problem: SearchProblem;
  readonly before: unknown;
  readonly moves: readonly Move[];
}

const names = (moves: readonly Move[]) => moves.map((move) => [move.kind, ...move.candidates.map((c) => c.name)]);

const LAWS: Laws<Found> = {
  'leaves the simulation as it found it': ({ problem, before }) =>
    assert.deepEqual(stateOf(problem.simulation), before),

  'proposes candidates of the problem only, none twice': ({ problem, moves }) => {
    const proposed = moves.flatMap((move) => move.candidates);
    for (const c of proposed) assert.ok(problem.candidates.includes(c), c.name);
    assert.equal(new Set(proposed).size, proposed.length);
  },

  'proposes moves that are sound, one after the other': ({ method, problem, moves }) => {
    // Stock may remove the node that a pending pod would go to.
    const { pending, leaving } = problem.simulation.cluster;
    if (method !== merged && pending.length + leaving.length > 0) return;
    assert.deepEqual(problemsOfSequence(problem, moves), []);
  },

  'proposes no move of more nodes than its pools have budgets for': ({ problem, moves }) => {
    for (const { kind, candidates } of moves) {
      for (const [key, own] of Map.groupBy(candidates, (c) => `${reasonFor(kind, c)} ${c.pool.name}`)) {
        const left = problem.budgets[reasonFor(kind, own[0])].get(own[0].pool.name) ?? 0;
        assert.ok(own.length <= left, `${own.length} nodes, ${key} allows ${left}`);
      }
    }
  },

  'says what a move saves and launches': ({ moves }) => {
    for (const { kind, candidates, replacements, savings } of moves) {
      const price = candidates.reduce((sum, c) => sum + c.price, 0);
      assert.ok(savings <= price + 1e-9);
      assert.equal(kind === 'delete', replacements.length === 0);
    }
  },

  'gives the same moves for the same problem': ({ method, objects, rules, moves }) =>
    assert.deepEqual(names(movesOf(method, problemOf(objects, rules))), names(moves)),

  'can be asked for the best moves so far': ({ method, objects, rules }) => {
    const problem = problemOf(objects, rules);
    const before = stateOf(problem.simulation);
    const moves = movesOf(method, problem, 3);
    assert.deepEqual(stateOf(problem.simulation), before);
    if (method === merged) assert.deepEqual(problemsOfSequence(problem, moves), []);
  },
};

describe('every method keeps the contract of a search', () => {
  for (const method of METHODS) {
    test(method.name, () => {
      let found = 0;
      fc.assert(
        fc.property(anyFleet, anyRules, (objects, rules) => {
          const problem = problemOf(objects, rules);
          const before = stateOf(problem.simulation);
          const moves = movesOf(method, problem);
          found += moves.length;
          obey(LAWS, { method, objects, rules, problem, before, moves });
        }),
        runs(40),
      );
      assert.ok(found > 0, 'no move was found: the laws were asked of nothing');
    });
  }
});
