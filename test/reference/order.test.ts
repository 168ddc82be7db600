import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { PLAINLY } from '../build/cluster.ts';
import { anyCluster } from '../build/random/cluster.ts';
import { runs } from '../build/runs.ts';
import { shuffle, shuffled } from '../build/shuffled.ts';
import { answersOf } from './answers.ts';

describe('the order of the input', () => {
  for (const compat of [false, true]) {
    test(`changes no verdict, no instance type and no placement, compat ${compat}`, () => {
      fc.assert(
        fc.property(anyCluster, fc.infiniteStream(fc.nat()), (objects, numbers) => {
          const settings = { ...PLAINLY, compat, shieldDestinations: true };
          const next = () => numbers.next().value;
          // With compat, which of a DaemonSet's terms are left depends on the order of types, as in Karpenter.
          const instanceTypes = compat ? objects.instanceTypes : shuffle(objects.instanceTypes, next);
          const other = { ...shuffled(objects, next), instanceTypes };
          assert.deepEqual(answersOf(other, settings), answersOf(objects, settings));
        }),
        runs(200),
      );
    });
  }
});
