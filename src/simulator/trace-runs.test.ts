import assert from 'node:assert/strict';
import { test } from 'node:test';
import { exactly, job, scenario } from '../../test/build/scenario.ts';
import { HOUR_MS, MINUTE_MS } from '../../test/build/units.ts';
import { SimulatedCluster } from './simulated-cluster.ts';

const RUNS = [
  { afterMs: 0, pods: 2, runTime: exactly(30 * MINUTE_MS) },
  { afterMs: 0, pods: 1 },
  { afterMs: 10 * MINUTE_MS, pods: 1, runTime: exactly(5 * MINUTE_MS) },
];

function simulated(): SimulatedCluster {
  const apps = [job('trace', { runs: RUNS, cpu: 500 })];
  return new SimulatedCluster(scenario({ apps }), { seed: 1, consolidation: 'none' });
}

test('pods of a trace start when it says, and end after their own run times or run on', () => {
  const cluster = simulated();
  const podsAfter = (ms: number) => {
    cluster.advanceTo(cluster.world.scenario.startMs + ms);
    return cluster.world.pods.size;
  };
  assert.deepEqual(
    [5, 12, 20, 40, 600].map((minutes) => podsAfter(minutes * MINUTE_MS)),
    [3, 4, 3, 1, 1],
  );
});

test('an evicted Job pod loses its work, and its replacement runs as long again', () => {
  const cluster = simulated();
  const { world, ledger } = cluster;
  const { startMs } = world.scenario;
  cluster.advanceTo(startMs + 20 * MINUTE_MS);
  assert.equal(ledger.summary().lostPodHours, 0);
  const ran = [...world.pods.values()].map(({ readyMs }) => world.nowMs - (readyMs ?? world.nowMs));
  for (const node of [...world.nodes.values()]) world.deleteNode(node, 'by-hand');
  const { lostPodHours, evictions } = ledger.summary();
  assert.equal(evictions, 3);
  assert.ok(Math.abs(lostPodHours - ran.reduce((a, b) => a + b, 0) / HOUR_MS) < 1e-9);
  assert.ok(lostPodHours > 0.8 && lostPodHours < 1);
  cluster.advanceTo(startMs + 45 * MINUTE_MS);
  assert.equal(world.pods.size, 3);
  cluster.advanceTo(startMs + 55 * MINUTE_MS);
  assert.equal(world.pods.size, 1);
});
