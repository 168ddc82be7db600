import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { cluster, compiled, rowOf } from '../../../test/build/cluster.ts';
import { machine } from '../../../test/build/machine.ts';
import { pod } from '../../../test/build/pod.ts';
import { anyCluster } from '../../../test/build/random/cluster.ts';
import { removableRows } from '../../../test/reference/removable.ts';
import type { ClusterObjects } from '../cluster/objects.ts';
import { ZONE } from '../cluster/well-known.ts';
import { type Obstacles, obstaclesOf } from './obstacles.ts';
import { Simulation } from './simulation.ts';

const CPU_OF_MEDIUM = 3900;

/** What is in the way of the only pod of node `leaving` when that node goes. */
function obstaclesIn(objects: ClusterObjects, compat = false): Obstacles | undefined {
  const c = compiled(objects, compat);
  const simulation = new Simulation(c);
  return simulation.removing([rowOf(c, 'leaving')], ({ unplaced }) =>
    unplaced.length === 0 ? undefined : obstaclesOf(simulation, unplaced[0]),
  );
}

test('a pod that is too large says how much is missing where, and which node is closest', () => {
  const objects = cluster({
    machines: [machine('leaving'), machine('full'), machine('half')],
    nodePools: [],
    pods: [
      pod('big', { on: 'leaving', cpu: 2000 }),
      pod('a', { on: 'full', cpu: CPU_OF_MEDIUM }),
      pod('b', { on: 'half', cpu: 2500 }),
    ],
  });
  const found = obstaclesIn(objects);
  const codes = Object.fromEntries(found?.nodes.map((n) => [n.node, n.obstacle.code]) ?? []);
  assert.deepEqual(codes, { leaving: 'leaving', full: 'resources', half: 'resources' });
  assert.equal(found?.closest?.node, 'half');
});

test('a cordoned node takes no pods, except in compat: Karpenter waits for the taint', () => {
  const silent = machine('silent');
  const machines = [machine('leaving'), { ...silent, node: silent.node && { ...silent.node, cordoned: true } }];
  const objects = cluster({ machines, nodePools: [], pods: [pod('p', { on: 'leaving' })] });
  const found = obstaclesIn(objects);
  assert.deepEqual(found?.nodes.find(({ node }) => node === 'silent')?.obstacle, { code: 'cordoned' });
  assert.equal(obstaclesIn(objects, true), undefined);
});

test('a rebooting node takes no pods, except in compat', () => {
  const silent = machine('silent');
  const rebooting = { type: 'Rebooting', status: 'True', changedMs: 0 } as const;
  const claim = silent.claim && { ...silent.claim, conditions: [...silent.claim.conditions, rebooting] };
  const machines = [machine('leaving'), { ...silent, claim }];
  const objects = cluster({ machines, nodePools: [], pods: [pod('p', { on: 'leaving' })] });
  const found = obstaclesIn(objects);
  assert.deepEqual(found?.nodes.find(({ node }) => node === 'silent')?.obstacle, { code: 'rebooting' });
  assert.equal(obstaclesIn(objects, true), undefined);
});

test('a node of which something cannot be decoded takes no pods', () => {
  const machines = [machine('leaving'), machine('silent')];
  const objects = cluster({ machines, nodePools: [], pods: [pod('p', { on: 'leaving' })] });
  const undecodable = [{ kind: 'Pod', namespace: 'default', name: 'odd', nodeName: 'silent', problem: 'no' }];
  const found = obstaclesIn({ ...objects, undecodable });
  assert.deepEqual(found?.nodes.find(({ node }) => node === 'silent')?.obstacle, { code: 'undecodable' });
});

test('a node that was up and is not Ready takes no pods, except in compat', () => {
  const silent = machine('silent');
  const objects = (ready: string) =>
    cluster({
      machines: [machine('leaving'), { ...silent, node: silent.node && { ...silent.node, ready } }],
      nodePools: [],
      pods: [pod('p', { on: 'leaving' })],
    });
  for (const ready of ['False', 'Unknown']) {
    const found = obstaclesIn(objects(ready));
    assert.deepEqual(found?.nodes.find(({ node }) => node === 'silent')?.obstacle, { code: 'not-ready' });
    assert.equal(obstaclesIn(objects(ready), true), undefined);
  }
  // A file may leave conditions out.
  for (const ready of ['True', '']) assert.equal(obstaclesIn(objects(ready)), undefined);
});

test('labels, taints and pools are named', () => {
  const taint = { key: 'dedicated', value: 'gpu', effect: 'NoSchedule' };
  const objects = cluster({
    machines: [machine('leaving'), machine('tainted', { taints: [taint] }), machine('elsewhere', { zone: 'zone-b' })],
    pods: [pod('picky', { on: 'leaving', nodeSelector: { [ZONE]: 'zone-a', 'example.com/rack': 'r1' } })],
  });
  const found = obstaclesIn(objects);
  const by = Object.fromEntries(found?.nodes.map((n) => [n.node, n.obstacle]) ?? []);
  assert.deepEqual(by.tainted, { code: 'taint', taint });
  assert.equal(by.elsewhere.code, 'label');
  assert.deepEqual(
    found?.nodePools.map((p) => [p.nodePool, p.obstacle.code === 'label' && p.obstacle.key]),
    [['default', 'example.com/rack']],
  );
});

test('every pod without a place has an obstacle on every node and in every pool', () => {
  fc.assert(
    fc.property(anyCluster, (objects) => {
      const c = compiled(objects);
      const simulation = new Simulation(c);
      for (const row of removableRows(c)) {
        simulation.removing([row], ({ unplaced }) => {
          for (const i of unplaced) {
            const { everywhere, nodes, nodePools } = obstaclesOf(simulation, i);
            if (everywhere !== undefined) continue;
            assert.equal(nodes.length, c.rows.filter((r) => r.tracked).length);
            assert.equal(nodePools.length, c.templates.length);
          }
        });
      }
    }),
    { numRuns: Number(process.env.RUNS ?? 200) },
  );
});
