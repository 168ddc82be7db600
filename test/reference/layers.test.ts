import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { ClusterObjects } from '../../src/engine/cluster/objects.ts';
import type { Claim } from '../../src/engine/scheduling/claim.ts';
import { type Outcome, Simulation } from '../../src/engine/scheduling/simulation.ts';
import { compiled } from '../build/cluster.ts';
import { anyCluster } from '../build/random/cluster.ts';
import { runs } from '../build/runs.ts';
import { anyFleet } from '../search/fleets.ts';
import { removableRows, someOf } from './removable.ts';

/** An outcome that can be compared with that of another simulation of the same cluster. */
function summaryOf({ placements, claims, unplaced }: Outcome): unknown {
  return {
    placements: placements.map(({ pod, row }) => [pod, row]),
    claims: claims.map(({ template, pods, types }: Claim) => [template, [...pods], [...types]]),
    unplaced: [...unplaced],
  };
}

interface Layer {
  readonly rows: readonly number[];
  /** Rows that took nothing in when it was kept. */
  readonly excluded: readonly number[];
  readonly outcome: unknown;
}

function excludeOnly(simulation: Simulation, rows: readonly number[]): void {
  for (const row of simulation.cluster.rows.keys()) simulation.existing.exclude(row, rows.includes(row));
}

function keep(simulation: Simulation, rows: readonly number[]): unknown {
  return simulation.keeping(rows, (outcome) => summaryOf(outcome));
}

/** What a simulation that has tried nothing else says. */
function askedAnew(
  objects: ClusterObjects,
  layers: readonly Layer[],
  excluded: readonly number[],
  rows: readonly number[],
) {
  const fresh = new Simulation(compiled(objects));
  for (const layer of layers) {
    excludeOnly(fresh, layer.excluded);
    assert.deepEqual(keep(fresh, layer.rows), layer.outcome);
  }
  excludeOnly(fresh, excluded);
  return fresh.removing(rows, summaryOf);
}

const step = fc.record({
  what: fc.constantFrom('try', 'try the excluded', 'keep', 'exclude', 'undo'),
  choice: fc.nat(2 ** 12),
});

test('what was tried, kept and taken back before changes no answer', () => {
  fc.assert(
    fc.property(fc.oneof(anyFleet, anyCluster), fc.array(step, { maxLength: 12, size: 'max' }), (objects, steps) => {
      const simulation = new Simulation(compiled(objects));
      const layers: Layer[] = [];
      let excluded: readonly number[] = [];
      for (const { what, choice } of steps) {
        const there = removableRows(simulation.cluster).filter((row) => !layers.some((l) => l.rows.includes(row)));
        const from = what === 'try the excluded' ? there.filter((row) => excluded.includes(row)) : there;
        const rows = someOf(from, choice).slice(0, 3);
        if (what.startsWith('try'))
          assert.deepEqual(simulation.removing(rows, summaryOf), askedAnew(objects, layers, excluded, rows));
        if (what === 'keep') layers.push({ rows, excluded, outcome: keep(simulation, rows) });
        if (what === 'undo') {
          layers.length = choice % (layers.length + 1);
          simulation.undoTo(layers.length);
        }
        if (what === 'exclude') {
          excluded = someOf(there, choice);
          excludeOnly(simulation, excluded);
        }
      }
    }),
    runs(300),
  );
});
