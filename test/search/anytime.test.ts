import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { planSteps } from '../../src/engine/plan.ts';
import { netCents } from '../../src/engine/search/net-benefit.ts';
import { inWaves } from '../../src/engine/search/waves.ts';
import { resultOf } from '../../src/engine/steps.ts';
import { cluster } from '../build/cluster.ts';
import { machine } from '../build/machine.ts';
import { pod } from '../build/pod.ts';
import { rules } from '../build/policy.ts';
import { runs } from '../build/runs.ts';
import { problemsOfSequence } from '../reference/sequence.ts';
import { stateOf } from '../reference/state.ts';
import { anyRules } from './fleet-rules.ts';
import { anyFleet } from './fleets.ts';
import { LITTLE_WORK, problemOf, search } from './searched.ts';

/** Left at once, early, or never. */
const steps = fc.oneof(fc.integer({ min: 1, max: 40 }), fc.integer({ min: 1, max: 400 }), fc.constant(Infinity));

describe('a search that is stopped', () => {
  test('has a plan that can be executed', () => {
    fc.assert(
      fc.property(anyFleet, anyRules, steps, (objects, own, when) => {
        const problem = problemOf(objects, own);
        const { moves } = search(problem, LITTLE_WORK, when);
        // As it was found, and as it is executed.
        assert.deepEqual(problemsOfSequence(problem, moves), []);
        const timed = resultOf(inWaves(problem, moves)).map((t) => t.move);
        assert.deepEqual(problemsOfSequence(problem, timed), []);
      }),
      runs(60),
    );
  });

  test('leaves the simulation as it found it, and so does putting moves into waves', () => {
    fc.assert(
      fc.property(anyFleet, anyRules, steps, (objects, own, when) => {
        const problem = problemOf(objects, own);
        const before = stateOf(problem.simulation);
        const { moves } = search(problem, LITTLE_WORK, when);
        assert.deepEqual(stateOf(problem.simulation), before);
        resultOf(inWaves(problem, moves));
        assert.deepEqual(stateOf(problem.simulation), before);
      }),
      runs(60),
    );
  });

  test('reports the best plan so far: never less than before, never more than the plan', () => {
    fc.assert(
      fc.property(anyFleet, anyRules, (objects, own) => {
        const run = planSteps(objects, { search: 'merged', rules: own, loadMs: 0, work: LITTLE_WORK }, () => 0);
        const reported = [0];
        let step = run.next();
        for (; step.done !== true; step = run.next()) reported.push(step.value.benefit.netCents);
        const inPlan = step.value.moves.reduce((sum, m) => sum + m.savingsCentsPerHour - m.requiredCentsPerHour, 0);
        assert.deepEqual(
          reported,
          reported.toSorted((a, b) => a - b),
        );
        assert.ok(reported[reported.length - 1] <= inPlan + 1e-6, `${reported[reported.length - 1]}, plan ${inPlan}`);
      }),
      runs(60),
    );
  });

  test('is over after the step in which it was told so', () => {
    fc.assert(
      fc.property(anyFleet, anyRules, (objects, own) => {
        const run = planSteps(objects, { search: 'merged', rules: own, loadMs: 0, work: Infinity }, () => 0);
        let step = run.next();
        while (step.done !== true && step.value.work === 0) step = run.next();
        if (step.done !== true) assert.equal(run.next(true).done, true);
      }),
      runs(20),
    );
  });
});

test('a plan that is stopped before its search begins does not pause again', () => {
  fc.assert(
    fc.property(anyFleet, anyRules, (objects, own) => {
      const run = planSteps(objects, { search: 'merged', rules: own, loadMs: 0, work: Infinity }, () => 0);
      if (run.next().done !== true) assert.equal(run.next(true).done, true);
    }),
    runs(20),
  );
});

describe('more work', () => {
  test('is not done than was allowed, but for the step in which the budget ends', () => {
    const names = Array.from({ length: 30 }, (_, i) => `node-${i}`);
    const objects = cluster({
      machines: names.map((name) => machine(name)),
      pods: names.map((on) => pod(`pod-${on}`, { on, cpu: 900 })),
    });
    const work = (budget: number) => search(problemOf(objects, rules()), budget).effort?.work ?? NaN;
    assert.ok(work(0) < 100);
    assert.ok(work(1000) >= 1000 && work(1000) < 1300);
    assert.ok(work(Infinity) > 5000);
  });

  test('never gives a plan that is worth less', () => {
    fc.assert(
      fc.property(anyFleet, anyRules, fc.integer({ min: 1, max: 1000 }), (objects, own, work) => {
        const worth = (budget: number) =>
          search(problemOf(objects, own), budget).moves.reduce((sum, move) => sum + netCents(move), 0);
        const amounts = [work, work * 2, work * 4].map(worth);
        assert.ok(amounts[0] >= 0 && amounts[1] >= amounts[0] - 1e-6 && amounts[2] >= amounts[1] - 1e-6, `${amounts}`);
      }),
      runs(40),
    );
  });
});
