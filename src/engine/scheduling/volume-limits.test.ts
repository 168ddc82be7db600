import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { cluster } from '../../../test/build/cluster.ts';
import { machine } from '../../../test/build/machine.ts';
import { nodePool } from '../../../test/build/node-pool.ts';
import { pod } from '../../../test/build/pod.ts';
import { csiNode, volume, volumeClaim } from '../../../test/build/storage.ts';
import { removing } from '../../../test/reference/simulate.ts';

/** May a pod with these claims go to a node that may attach two volumes and has pods with those? */
function fits(moving: readonly string[], running: readonly (readonly string[])[], disks = 2): boolean {
  const names = ['one', 'two', 'three'];
  const objects = cluster({
    nodePools: [nodePool('default', { limits: { cpu: 1 } })],
    machines: [machine('old'), machine('new')],
    csiNodes: [csiNode('new', disks)],
    persistentVolumes: names.map((name) => volume(name)),
    persistentVolumeClaims: names.map((name) => volumeClaim(name)),
    pods: [
      pod('moving', { on: 'old', volumeClaims: moving }),
      ...running.map((volumeClaims, i) => pod(`running-${i}`, { on: 'new', volumeClaims })),
    ],
  });
  return removing(objects, ['old']).onExisting.length === 1;
}

describe('a node takes a pod with volumes', () => {
  test('up to its limit', () => {
    assert.equal(fits(['one'], [['two']]), true);
    assert.equal(fits(['one'], [['two', 'three']]), false);
    assert.equal(fits(['one', 'two'], [['three']]), false);
  });

  test('and counts a claim once, however many pods share it', () => {
    assert.equal(fits(['one'], [['one', 'two']]), true);
    assert.equal(fits(['one', 'two'], [['one'], ['one']]), true);
    assert.equal(fits(['three'], [['one'], ['one']]), true);
  });

  test('but takes no pod once it holds too many, with or without volumes', () => {
    assert.equal(fits([], [['one', 'two']], 1), false);
    assert.equal(fits([], [['one']], 1), true);
  });
});
