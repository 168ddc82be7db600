import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import type { ClusterObjects } from '../../src/engine/cluster/objects.ts';
import { anyCluster } from '../build/random/cluster.ts';
import { runs } from '../build/runs.ts';
import { answersOf } from './answers.ts';

/** The same cluster with its lists in another order; `order` yields one number per object. */
function shuffled(objects: ClusterObjects, order: () => number): ClusterObjects {
  const shuffle = <T>(list: readonly T[]) =>
    list
      .map((item) => ({ item, key: order() }))
      .sort((a, b) => a.key - b.key)
      .map(({ item }) => item);
  return {
    ...objects,
    pods: shuffle(objects.pods),
    nodes: shuffle(objects.nodes),
    nodeClaims: shuffle(objects.nodeClaims),
    nodePools: shuffle(objects.nodePools),
    instanceTypes: shuffle(objects.instanceTypes),
    daemonSets: shuffle(objects.daemonSets),
    persistentVolumes: shuffle(objects.persistentVolumes),
    persistentVolumeClaims: shuffle(objects.persistentVolumeClaims),
    namespaces: shuffle(objects.namespaces),
    csiNodes: shuffle(objects.csiNodes),
  };
}

describe('the order of the input', () => {
  for (const compat of [false, true]) {
    test(`changes no verdict, no instance type and no placement, compat ${compat}`, () => {
      fc.assert(
        fc.property(anyCluster, fc.infiniteStream(fc.nat()), (objects, numbers) => {
          const settings = { compat, shieldDestinations: true, spotToSpotTypes: 15 };
          const other = shuffled(objects, () => numbers.next().value);
          assert.deepEqual(answersOf(other, settings), answersOf(objects, settings));
        }),
        runs(150),
      );
    });
  }
});
