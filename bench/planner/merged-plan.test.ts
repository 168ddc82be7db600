import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import fc from 'fast-check';
import { evaluate, searchMoves } from '../../src/engine/pass/evaluation.ts';
import { compile } from '../../src/engine/scheduling/compile.ts';
import { benefitOf } from '../../src/engine/search/net-benefit.ts';
import { resultOf } from '../../src/engine/steps.ts';
import { runs } from '../../test/build/runs.ts';
import { problemsOfSequence } from '../../test/reference/sequence.ts';
import { anyFleet } from '../../test/search/fleets.ts';
import { inputFile } from '../generate/cached-input.ts';
import { type ClusterParameters, DEFAULTS } from '../generate/parameters.ts';
import { loadObjects } from '../measures/load-objects.ts';
import { controllerToItsFixedPoint } from './controller-passes.ts';
import { isBelow, MERGED_RULES, planMerged } from './merged-plan.ts';
import { stockToItsFixedPoint } from './stock-fixed-point.ts';

describe('saves at least what stock does until it finds nothing more, and evicts no more pods for the same', () => {
  const folder = mkdtempSync(join(tmpdir(), 'decant-planner-'));
  after(() => rmSync(folder, { recursive: true }));

  /** The kinds on which a search that leaves zones to chance falls behind; `bench:planner` has the others. */
  const spread = (['plain', 'mixed'] as const).flatMap((mode) =>
    [1, 2].map((seed) => ({ mode, variant: 'spread', seed, nodes: 60, maxReplacements: 5 }) as const),
  );
  /** One plan that moves each pod once saves up to a quarter less. */
  const small = ([1, 5] as const).flatMap((maxReplacements) => [
    { mode: 'plain', variant: 'normal', seed: 3, nodes: 10, maxReplacements } as const,
    { mode: 'plain', variant: 'tight', seed: 8, nodes: 10, maxReplacements } as const,
    { mode: 'plain', variant: 'fragmented', seed: 8, nodes: 10, maxReplacements } as const,
    { mode: 'plain', variant: 'normal', seed: 5, nodes: 20, maxReplacements } as const,
  ]);
  /** Stock launches a node in a cheaper zone than the one that its pods run in. */
  const elsewhere = { mode: 'mixed', variant: 'fragmented', seed: 5, nodes: 10, maxReplacements: 1 } as const;
  const load = async (own: Partial<ClusterParameters>) =>
    loadObjects(await inputFile({ ...DEFAULTS, ...own, form: 'snapshot' }, folder));

  for (const own of [...spread, ...small, elsewhere]) {
    test(`a plan: ${Object.values(own)}`, async () => {
      const objects = await load(own);
      const [ours, stocks] = [planMerged(objects, own.maxReplacements, false), stockToItsFixedPoint(objects)];
      assert.ok(!isBelow(ours, stocks), JSON.stringify({ ours, stocks }));
    });
  }

  /** The controller makes other moves than a search that trusts in its placements. */
  const misplaced = [
    { mode: 'plain', variant: 'normal', seed: 6, nodes: 10, maxReplacements: 1 } as const,
    { mode: 'mixed', variant: 'normal', seed: 4, nodes: 10, maxReplacements: 1 } as const,
    { mode: 'mixed', variant: 'tight', seed: 3, nodes: 10, maxReplacements: 5 } as const,
    // Stock's command launches the node in another zone than the one that its pods run in.
    { mode: 'mixed', variant: 'tight', seed: 6, nodes: 20, maxReplacements: 1 } as const,
    // No move of a plan's first wave holds, and those of the second do.
    { mode: 'plain', variant: 'normal', seed: 7, nodes: 20, maxReplacements: 1 } as const,
  ];

  for (const own of [...small.filter(({ nodes }) => nodes === 10), ...misplaced, elsewhere]) {
    test(`a controller that is restarted before every pass: ${Object.values(own)}`, async () => {
      const objects = await load(own);
      const stocks = stockToItsFixedPoint(objects);
      const ours = controllerToItsFixedPoint(objects, own.maxReplacements, true);
      assert.ok(!isBelow(ours, stocks), JSON.stringify({ ours, stocks }));
    });
  }

  test('a cluster too large for its work: a plan goes on in stages, and a pass does not', async () => {
    const objects = await load({ mode: 'mixed', variant: 'fragmented', seed: 1, nodes: 30 });
    const evaluation = evaluate(compile(objects, MERGED_RULES.settings), MERGED_RULES, { maxReplacements: 5 });
    const { problem } = evaluation;
    const work = 6_000;
    assert.ok(problem.candidates.length * objects.pods.length > work);
    const pass = resultOf(searchMoves(evaluation, 'merged', work, 1));
    assert.deepEqual(pass.later, []);
    const { moves, later } = resultOf(searchMoves(evaluation, 'merged', work));
    assert.notEqual(later.length, 0);
    for (const stage of [{ problem, moves }, ...later]) {
      const inOrder = stage.moves.map(({ move }) => move);
      assert.notEqual(benefitOf(inOrder).netCents, 0);
      assert.deepEqual(problemsOfSequence(stage.problem, inOrder), []);
    }
  });

  test('a plan of any small cluster in which no pod waits, where stock makes what passes every gate alone', () => {
    let saving = 0;
    fc.assert(
      fc.property(anyFleet, (fleet) => {
        const objects = {
          ...fleet,
          pods: fleet.pods.filter((p) => p.nodeName !== ''),
          nodes: fleet.nodes.map((n) => ({ ...n, terminating: false })),
          nodeClaims: fleet.nodeClaims.map((c) => ({ ...c, terminating: false })),
        };
        const stocks = stockToItsFixedPoint(objects, true);
        const ours = planMerged(objects, 1, false);
        assert.ok(!isBelow(ours, stocks), JSON.stringify({ ours, stocks }));
        saving += stocks.commands;
      }),
      runs(40),
    );
    assert.ok(saving > 0);
  });
});
