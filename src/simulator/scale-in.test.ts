import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MEDIUM } from '../../test/build/instance-type.ts';
import { nodePool } from '../../test/build/node-pool.ts';
import { deployment, flat, scenario } from '../../test/build/scenario.ts';
import { SimulatedCluster } from './simulated-cluster.ts';

/** Nine pods on three nodes, then six: how many are left on each (S29). */
function leftOnNodes(alignedScaleIn: boolean): number[] {
  const replicas = flat(9, { steps: [{ afterMs: 3_600_000, replicas: 6 }] });
  const given = scenario({
    apps: [deployment('web', { replicas, cpu: 1200, alignedScaleIn })],
    instanceTypes: [MEDIUM],
    nodePools: [nodePool('default', { consolidateAfterMs: undefined })],
  });
  const cluster = new SimulatedCluster(given, { seed: 1, consolidation: 'none' });
  cluster.advanceTo(given.startMs + 2 * 3_600_000);
  return [...cluster.world.nodes.values()].map((n) => n.pods.size).sort();
}

test('by default pods leave every node, ranked by node they leave one empty', () => {
  const byDefault = leftOnNodes(false);
  assert.equal(byDefault.length, 3);
  assert.ok(byDefault[0] > 0, `nothing should be empty: ${byDefault}`);
  assert.deepEqual(leftOnNodes(true), [0, 3, 3]);
});

test('pods without a node go first, then those that are not ready', () => {
  // The pool may have one node: six of the nine wait for ever.
  const replicas = flat(9, { steps: [{ afterMs: 3_600_000, replicas: 3 }] });
  const given = scenario({
    apps: [deployment('web', { replicas, cpu: 1200 })],
    instanceTypes: [MEDIUM],
    nodePools: [nodePool('default', { limits: { cpu: 4000 } })],
  });
  const cluster = new SimulatedCluster(given, { seed: 1, consolidation: 'none' });
  cluster.advanceTo(given.startMs + 3_500_000);
  assert.equal(cluster.world.apps[0].ready, 3);
  cluster.advanceTo(given.startMs + 2 * 3_600_000);
  assert.equal(cluster.world.apps[0].ready, 3, 'those that run were left alone');
});
