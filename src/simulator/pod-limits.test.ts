import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deployment, flat, job, scenario } from '../../test/build/scenario.ts';
import { PodLimits, WorkloadTooLarge } from './pod-limits.ts';
import { SimulatedCluster } from './simulated-cluster.ts';

test('a workload that outgrows the simulation is named, with the limit and the time', () => {
  const apps = [deployment('web', { replicas: flat(49_990) }), job('report', { pods: 11 })];
  const given = scenario({ apps });
  const cluster = new SimulatedCluster(given, { seed: 1, consolidation: 'none' });
  assert.throws(
    () => cluster.advanceTo(given.startMs),
    (error: Error) =>
      error instanceof WorkloadTooLarge &&
      error.message ===
        'more than 50000 pods at the same time, 0 s after the start, by workload default/report: the limit of a simulation',
  );
});

test('a large cluster may grow to twice its size', () => {
  const growth = new PodLimits(0);
  growth.begin(30_000);
  growth.grow(59_999, 'default/web', 0);
  assert.throws(() => growth.grow(60_000, 'default/web', 60_000), /more than 60000 pods at the same time, 60 s after/);
});

test('the number of created pods is limited too', () => {
  const growth = new PodLimits(0);
  for (let i = 0; i < 5_000_000; i++) growth.grow(1, 'default/web', 0);
  assert.throws(() => growth.grow(1, 'default/web', 1000), /more than 5000000 pods in all, 1 s after the start/);
});
