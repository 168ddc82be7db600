import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Simulation } from '../../src/engine/scheduling/simulation.ts';
import { compiled } from '../build/cluster.ts';
import { anyCluster } from '../build/random/cluster.ts';
import { runs } from '../build/runs.ts';
import { problemsOf } from './check.ts';
import { withoutKnownDifferences } from './known-differences.ts';
import { readOutcome } from './outcome.ts';
import { removableRows } from './removable.ts';

test('no placement that the engine calls good breaks a constraint', () => {
  fc.assert(
    fc.property(anyCluster.map(withoutKnownDifferences), fc.infiniteStream(fc.boolean()), (objects, coin) => {
      const cluster = compiled(objects);
      const simulation = new Simulation(cluster);
      const removable = removableRows(cluster);
      const several = removable.filter(() => coin.next().value);
      for (const rows of [...removable.map((row) => [row]), several]) {
        const result = simulation.removing(rows, (outcome) => readOutcome(cluster, rows, outcome));
        assert.deepEqual(problemsOf(objects, result), []);
      }
    }),
    runs(400),
  );
});
