import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { runs } from '../build/runs.ts';
import { shuffle, shuffled } from '../build/shuffled.ts';
import { anyRules } from './fleet-rules.ts';
import { anyFleet } from './fleets.ts';
import { LITTLE_WORK, planOf } from './searched.ts';

describe('the same question has the same answer', () => {
  test('with the same work', () => {
    fc.assert(
      fc.property(anyFleet, anyRules, (objects, rules) => {
        const ask = () => planOf(structuredClone(objects), rules, { work: LITTLE_WORK });
        assert.deepEqual(ask(), ask());
      }),
      runs(30),
    );
  });

  test('in whichever order the objects come', () => {
    fc.assert(
      fc.property(anyFleet, anyRules, fc.infiniteStream(fc.nat()), (objects, rules, numbers) => {
        const next = () => numbers.next().value;
        const other = { ...shuffled(objects, next), instanceTypes: shuffle(objects.instanceTypes, next) };
        const [a, b] = [objects, other].map((o) => planOf(o, rules, { work: LITTLE_WORK }));
        for (const figure of ['savingsCentsPerHour', 'evictions', 'disruptionCost', 'evaluated'] as const)
          assert.ok(Math.abs(a.totals[figure] - b.totals[figure]) < 1e-6, figure);
        assert.deepEqual(
          b.moves.map((m) => m.nodes),
          a.moves.map((m) => m.nodes),
        );
      }),
      runs(50),
    );
  });
});
