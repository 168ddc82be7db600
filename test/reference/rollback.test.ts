import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { Simulation } from '../../src/engine/scheduling/simulation.ts';
import { compiled } from '../build/cluster.ts';
import { anyCluster } from '../build/random/cluster.ts';
import { runs } from '../build/runs.ts';
import { removableRows, someOf } from './removable.ts';
import { stateOf } from './state.ts';

class Interrupted extends Error {}

describe('removal and rollback', () => {
  for (const compat of [false, true]) {
    test(`every run leaves the state as it found it, compat ${compat}`, () => {
      fc.assert(
        fc.property(anyCluster, (objects) => {
          const simulation = new Simulation(compiled(objects, compat));
          const before = stateOf(simulation);
          for (const row of removableRows(simulation.cluster)) {
            simulation.removing([row], () => {});
            assert.deepEqual(stateOf(simulation), before);
          }
        }),
        runs(200),
      );
    });
  }

  test('so does any sequence of runs, cut short or interrupted', () => {
    const step = fc.record({ choice: fc.nat(), maxClaims: fc.constantFrom(0, 1, Infinity), interrupted: fc.boolean() });
    fc.assert(
      fc.property(anyCluster, fc.array(step, { maxLength: 6 }), (objects, steps) => {
        const simulation = new Simulation(compiled(objects, true));
        const before = stateOf(simulation);
        for (const { choice, maxClaims, interrupted } of steps) {
          const run = () =>
            simulation.removing(
              someOf(removableRows(simulation.cluster), choice),
              () => {
                if (interrupted) throw new Interrupted();
              },
              { maxClaims },
            );
          if (interrupted) assert.throws(run, Interrupted);
          else run();
        }
        assert.deepEqual(stateOf(simulation), before);
      }),
      runs(200),
    );
  });

  test('an outcome that is used while it stands changes the state', () => {
    // Else the properties above would hold of a simulation that does nothing.
    const changed = fc.sample(anyCluster, 50).some((objects) => {
      const simulation = new Simulation(compiled(objects));
      const before = JSON.stringify(stateOf(simulation));
      return removableRows(simulation.cluster).some((row) =>
        simulation.removing([row], () => JSON.stringify(stateOf(simulation)) !== before),
      );
    });
    assert.ok(changed);
  });
});
