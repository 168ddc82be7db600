import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { consolidate } from '../../src/engine/policies/consolidate.ts';
import { compile } from '../../src/engine/scheduling/compile.ts';
import { Simulation } from '../../src/engine/scheduling/simulation.ts';
import { PLAINLY } from '../build/cluster.ts';
import { anyCluster } from '../build/random/cluster.ts';
import { runs } from '../build/runs.ts';
import { answer, candidatesOf } from './answers.ts';
import { someOf } from './removable.ts';

describe('fast equals slow', () => {
  for (const compat of [false, true]) {
    test(`stopping early changes no answer, compat ${compat}`, () => {
      fc.assert(
        fc.property(anyCluster, fc.nat(), (objects, choice) => {
          const cluster = compile(objects, { ...PLAINLY, compat, shieldDestinations: compat });
          const simulation = new Simulation(cluster);
          const candidates = candidatesOf(cluster);
          const several = someOf([...candidates.keys()], choice).map((i) => candidates[i]);
          for (const set of [...candidates.map((c) => [c]), several]) {
            const fast = answer(cluster, consolidate(simulation, set));
            const slow = answer(cluster, consolidate(simulation, set, { thorough: true }));
            assert.deepEqual(fast, slow);
          }
        }),
        runs(150),
      );
    });
  }
});

describe('what was asked before', () => {
  for (const compat of [false, true]) {
    test(`changes no answer, compat ${compat}`, () => {
      fc.assert(
        fc.property(anyCluster, fc.array(fc.nat(), { minLength: 1, maxLength: 8 }), (objects, choices) => {
          const cluster = compile(objects, { ...PLAINLY, compat, shieldDestinations: compat });
          const used = new Simulation(cluster);
          const candidates = candidatesOf(cluster);
          for (const choice of choices) {
            const set = someOf([...candidates.keys()], choice).map((i) => candidates[i]);
            const fresh = new Simulation(compile(objects, cluster.settings));
            assert.deepEqual(answer(cluster, consolidate(used, set)), answer(fresh.cluster, consolidate(fresh, set)));
          }
        }),
        runs(150),
      );
    });
  }
});
