import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import type { ClusterObjects } from '../../src/engine/cluster/objects.ts';
import { PLAINLY } from '../build/cluster.ts';
import { anyCluster } from '../build/random/cluster.ts';
import { runs } from '../build/runs.ts';
import { answersOf } from './answers.ts';

function shuffle<T>(list: readonly T[], order: () => number): T[] {
  return list
    .map((item) => ({ item, key: order() }))
    .sort((a, b) => a.key - b.key)
    .map(({ item }) => item);
}

/** The same cluster with its lists in another order; `order` yields one number per object. */
function shuffled(objects: ClusterObjects, order: () => number): ClusterObjects {
  return {
    ...objects,
    pods: shuffle(objects.pods, order),
    nodes: shuffle(objects.nodes, order),
    nodeClaims: shuffle(objects.nodeClaims, order),
    nodePools: shuffle(objects.nodePools, order),
    daemonSets: shuffle(objects.daemonSets, order),
    persistentVolumes: shuffle(objects.persistentVolumes, order),
    persistentVolumeClaims: shuffle(objects.persistentVolumeClaims, order),
    namespaces: shuffle(objects.namespaces, order),
    csiNodes: shuffle(objects.csiNodes, order),
  };
}

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
