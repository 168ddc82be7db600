import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { LaunchOptions } from '../../src/engine/search/merged/launch-options.ts';
import { Workshop } from '../../src/engine/search/merged/merged.ts';
import { nodeDemands } from '../../src/engine/search/merged/node-demand.ts';
import type { Recipe } from '../../src/engine/search/merged/phase.ts';
import { benefitOf } from '../../src/engine/search/net-benefit.ts';
import type { SearchProblem } from '../../src/engine/search/problem.ts';
import { resultOf } from '../../src/engine/steps.ts';
import { runs } from '../build/runs.ts';
import { anyRules } from './fleet-rules.ts';
import { anyFleet } from './fleets.ts';
import { problemOf, search } from './searched.ts';

/** Every way to put a plan together that a search has. */
function recipes({ candidates }: SearchProblem): readonly Recipe[] {
  const either = [true, false];
  return [candidates, candidates.toReversed()].flatMap((order) =>
    [0, 1, 2].flatMap((emptied) =>
      either.flatMap((reuse) => either.map((alone) => ({ order, emptied, reuse, alone }))),
    ),
  );
}

function worthOf(problem: SearchProblem, recipe: Recipe): number {
  const { simulation } = problem;
  const { depth } = simulation;
  const launchOptions = new LaunchOptions(simulation.cluster);
  const demands = resultOf(nodeDemands(simulation.cluster, problem.candidates, launchOptions));
  const workshop = new Workshop(problem, launchOptions, demands);
  for (const _ of workshop.compose(recipe));
  const worth = workshop.plan().benefit.netCents;
  workshop.draft.close();
  simulation.undoTo(depth);
  return worth;
}

test('with two candidates the search finds the best result of all recipes, although it ends early', () => {
  fc.assert(
    fc.property(anyFleet, anyRules, fc.nat(), (objects, rules, at) => {
      const { candidates, ...others } = problemOf(objects, rules);
      if (candidates.length < 2) return;
      const first = at % (candidates.length - 1);
      const problem = { ...others, candidates: candidates.slice(first, first + 2) };
      const found = benefitOf(search(problem).moves).netCents;
      for (const recipe of recipes(problem)) {
        const worth = worthOf(problem, recipe);
        assert.ok(found >= worth - 1e-6, `${found} against ${worth}`);
      }
    }),
    runs(200),
  );
});
