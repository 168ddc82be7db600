import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import type { ClusterObjects } from '../../src/engine/cluster/objects.ts';
import { anyCluster } from '../build/random/cluster.ts';
import { runs } from '../build/runs.ts';
import { withoutKnownDifferences } from '../reference/known-differences.ts';
import { problemsOfSequence } from '../reference/sequence.ts';
import { anyRules } from './fleet-rules.ts';
import { anyFleet } from './fleets.ts';
import { LITTLE_WORK, searched } from './searched.ts';

/**
 * Move by move as the plan has them: every pod that has to move has one place, no constraint is broken when its turn
 * comes, nothing goes to a node that is gone, and new nodes will do as whichever of their types they are launched.
 */
describe('every move of a plan is sound when its turn comes', () => {
  const clusters: readonly (readonly [string, fc.Arbitrary<ClusterObjects>, number])[] = [
    ['in fleets with much to do', anyFleet, 100],
    ['in small clusters with every oddity', anyCluster.map(withoutKnownDifferences), 200],
  ];
  for (const [where, arbitrary, usual] of clusters) {
    test(where, () => {
      let found = 0;
      let launched = 0;
      fc.assert(
        fc.property(arbitrary, anyRules, (objects, rules) => {
          for (const { problem, moves } of searched(objects, rules, LITTLE_WORK).stages) {
            const sequence = moves.map((t) => t.move);
            assert.deepEqual(problemsOfSequence(problem, sequence), []);
            found += sequence.length;
            launched += sequence.reduce((sum, move) => sum + move.replacements.length, 0);
          }
        }),
        runs(usual),
      );
      const { numRuns } = runs(usual);
      assert.ok(found > numRuns / 4 && launched > 0, `${found} moves and ${launched} new nodes in ${numRuns} plans`);
    });
  }
});
