import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import type { ClusterObjects } from '../../src/engine/cluster/objects.ts';
import type { Move } from '../../src/engine/moves/move.ts';
import type { SearchProblem } from '../../src/engine/search/problem.ts';
import { Replay } from '../../src/engine/search/replay.ts';
import type { Rules } from '../../src/engine/settings.ts';
import { cluster } from '../build/cluster.ts';
import { instanceType } from '../build/instance-type.ts';
import { machine } from '../build/machine.ts';
import { nodePool } from '../build/node-pool.ts';
import { pod } from '../build/pod.ts';
import { rules } from '../build/policy.ts';
import { runs } from '../build/runs.ts';
import { anyRules } from './fleet-rules.ts';
import { anyFleet } from './fleets.ts';
import { LITTLE_WORK, planOf, problemOf, search } from './searched.ts';

/** The same, but every pool asks for so much more. */
function stricter(rules: Rules, cents: number): Rules {
  return {
    ...rules,
    policyOf(pool) {
      const own = rules.policyOf(pool);
      return { ...own, savingsThresholdCents: own.savingsThresholdCents + cents };
    },
  };
}

const more = fc.constantFrom(0.05, 0.5, 1, 3);

describe('a higher threshold', () => {
  test('lets no node go that a lower one would keep', () => {
    fc.assert(
      fc.property(withoutMercy(anyFleet), anyRules, more, (objects, rules, cents) => {
        const decisions = (by: Rules) =>
          planOf(objects, by, { search: 'karpenter' }).nodes.map((n) => n.alone.decision);
        const low = decisions(rules);
        decisions(stricter(rules, cents)).forEach((high, i) => {
          if (high === 'delete') assert.equal(low[i], 'delete');
          if (high === 'replace') assert.notEqual(low[i], 'none');
        });
      }),
      runs(150),
    );
  });

  // The plan itself may be another one, even with more evictions: what was worth most may be worth less than two others.
  test('allows no move, for no more money, that a lower one would not', () => {
    fc.assert(
      fc.property(withoutMercy(anyFleet), anyRules, more, (objects, own, cents) => {
        const { moves } = search(problemOf(objects, stricter(own, cents)), LITTLE_WORK);
        const problem = problemOf(objects, own);
        const replay = new Replay(problem, moves);
        // Those after it stand on what it left.
        for (const move of moves.slice(0, 1)) assert.notEqual(replay.keep(as(problem, move)), undefined);
        replay.close();
      }),
      runs(60),
    );
  });

  test('that nothing can meet lets only go what costs nothing to disturb', () => {
    fc.assert(
      fc.property(anyFleet, anyRules, (objects, rules) => {
        const { moves, nodes } = planOf(objects, stricter(rules, 1e6), { work: LITTLE_WORK });
        const costs = new Map(nodes.map((n) => [n.name, n.disruptionCost]));
        for (const move of moves) {
          const cost = move.nodes.reduce((sum, name) => sum + (costs.get(name) ?? 0), 0);
          assert.ok(move.placements.length === 0 || cost <= 0, `${move.nodes} cost ${cost}`);
        }
      }),
      runs(60),
    );
  });
});

test('where only one of two nodes can go, it is the one that saves most beyond what is required', () => {
  // Many pods on the more expensive node, one on the other; a third has capacity for either.
  const small = Array.from({ length: 10 }, (_, i) => pod(`small-${i}`, { on: 'many', cpu: 150, memory: 0 }));
  const type = (price: number) => instanceType(`at-${price}`, { cpu: 4000, price });
  const objects = cluster({
    instanceTypes: [type(0.2), type(0.18)],
    nodePools: [nodePool('default', { limits: { cpu: 1 } })],
    machines: [
      machine('many', { type: type(0.2) }),
      machine('one', { type: type(0.18) }),
      machine('roomy', { type: type(0.2), doNotDisrupt: 'true' }),
    ],
    pods: [...small, pod('one', { on: 'one', cpu: 3900 }), pod('other', { on: 'roomy', cpu: 100 })],
  });
  const gone = (savingsThresholdCents: number) =>
    planOf(objects, rules({ savingsThresholdCents }, { utilizationThreshold: 1 })).moves.flatMap((m) => m.nodes);
  // 20 − 11 × threshold against 18 − 2 × threshold.
  assert.deepEqual(gone(0), ['many']);
  assert.deepEqual(gone(0.2), ['many']);
  assert.deepEqual(gone(0.3), ['one']);
  assert.deepEqual(gone(1), ['one']);
});

/** Disturbing some nodes may cost less than nothing; a higher threshold then asks for less. */
function withoutMercy(fleet: fc.Arbitrary<ClusterObjects>): fc.Arbitrary<ClusterObjects> {
  return fleet.map((objects) => ({
    ...objects,
    pods: objects.pods.map((p) => ({ ...p, deletionCost: undefined })),
  }));
}

/** The move with the nodes as this problem knows them. */
function as({ candidates }: SearchProblem, move: Move): Move {
  const own = new Map(candidates.map((c) => [c.name, c]));
  return { ...move, candidates: move.candidates.map((c) => own.get(c.name) ?? c) };
}
