import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { compiled } from '../../../test/build/cluster.ts';
import { anyCluster } from '../../../test/build/random/cluster.ts';
import { runs } from '../../../test/build/runs.ts';
import { removableRows, someOf } from '../../../test/reference/removable.ts';
import { anyFleet } from '../../../test/search/fleets.ts';
import { highsSolver } from '../../bound/highs-solver.ts';
import { members } from '../cluster/bitset.ts';
import { RESERVED } from '../cluster/well-known.ts';
import { nodePrice } from '../disruption/node-price.ts';
import { evaluate, searchMoves } from '../pass/evaluation.ts';
import type { Claim } from '../scheduling/claim.ts';
import type { CompiledCluster } from '../scheduling/compiled-cluster.ts';
import { Simulation } from '../scheduling/simulation.ts';
import { overlapOnSharedKeys } from '../selection/requirements.ts';
import { STOCK_RULES } from '../settings.ts';
import { resultOf } from '../steps.ts';
import { lowerBound } from './lower-bound.ts';

const solver = await highsSolver();
/** Everything that stock's switches allow, without its quirks. */
const RULES = { ...STOCK_RULES, settings: { ...STOCK_RULES.settings, compat: false } };

/** The least that the node could cost when it is launched; a reserved slot only if the claim holds one. */
function claimPrice({ types, space }: CompiledCluster, claim: Claim): number {
  const requirements = space.get(claim.requirements);
  let least = Infinity;
  for (const type of members(claim.types)) {
    for (const o of types.offeringsOf(type)) {
      const kind = types.kinds[o.kind];
      if (!o.available || !overlapOnSharedKeys(requirements, kind.requirements)) continue;
      if (kind.capacityType === RESERVED && !claim.reservations.has(kind.reservationId)) continue;
      least = Math.min(least, o.price);
    }
  }
  return least;
}

/** Dollars per hour after removing these rows; Infinity if a pod of theirs finds no place. */
function priceWithout(simulation: Simulation, rows: readonly number[]): number {
  const { cluster } = simulation;
  const moved = new Set(rows.flatMap((row) => cluster.movableOfRow[row]));
  return simulation.removing(rows, ({ claims, unplaced }) => {
    if (unplaced.some((p) => moved.has(p))) return Infinity;
    const gone = new Set(rows);
    let price = 0;
    for (const row of cluster.rows.keys()) if (!gone.has(row)) price += nodePrice(cluster, row);
    // Nodes for pods that wait anyway are no matter of the plan.
    for (const claim of claims) if (claim.pods.some((p) => moved.has(p))) price += claimPrice(cluster, claim);
    return price;
  });
}

for (const { name, compat } of [
  { name: 'for a small cluster', compat: false },
  { name: 'as Karpenter would have it', compat: true },
]) {
  test(`no plan is cheaper than the bound, ${name}`, () => {
    fc.assert(
      fc.property(anyCluster, fc.nat(), (objects, choice) => {
        const cluster = compiled(objects, compat);
        const simulation = new Simulation(cluster);
        const candidates = removableRows(cluster).slice(0, 6);
        const removable = choice % 3 === 0 ? someOf(candidates, choice >>> 2) : candidates;
        const bound = lowerBound(cluster, removable, solver);
        assert.ok(bound >= 0);
        for (let plan = 0; plan < 1 << removable.length; plan++) {
          const rows = someOf(removable, plan);
          const price = priceWithout(simulation, rows);
          assert.ok(bound <= price + 1e-12, `${bound}, and without ${rows} ${price}`);
        }
      }),
      runs(75),
    );
  });
}

test('nor one in stages, which moves pods several times', () => {
  let later = 0;
  fc.assert(
    fc.property(anyFleet, fc.constantFrom(1, 3), (objects, maxReplacements) => {
      const cluster = compiled(objects);
      const evaluation = evaluate(cluster, RULES, { maxReplacements });
      const { problem } = evaluation;
      const found = resultOf(searchMoves(evaluation, 'merged', 2000));
      const removable = problem.candidates.map((c) => c.row);
      const bound = lowerBound(cluster, removable, solver);
      const moves = [...found.moves, ...found.later.flatMap((stage) => stage.moves)];
      const now = cluster.rows.reduce((sum, _, row) => sum + nodePrice(cluster, row), 0);
      const planned = moves.reduce((price, { move }) => price - move.savings, now);
      assert.ok(bound <= planned + 1e-9, `${bound}, and ${planned} is planned`);
      later += found.later.length;
    }),
    runs(30),
  );
  assert.notEqual(later, 0);
});
