import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { runs } from '../build/runs.ts';
import { problemsOfSequence } from '../reference/sequence.ts';
import { anyRules } from './fleet-rules.ts';
import { anyFleet } from './fleets.ts';
import { searched } from './searched.ts';

test('every move of a plan is sound when its turn comes', () => {
  fc.assert(
    fc.property(anyFleet, anyRules, (objects, rules) => {
      const { problem, moves } = searched(objects, rules, 3000);
      assert.deepEqual(
        problemsOfSequence(
          problem.simulation.cluster,
          moves.map((t) => t.move),
        ),
        [],
      );
    }),
    runs(100),
  );
});
