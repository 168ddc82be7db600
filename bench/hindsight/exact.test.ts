import assert from 'node:assert/strict';
import { test } from 'node:test';
import { recordedFuture } from '../../src/lab/future.ts';
import type { ReplicatedApp, Scenario } from '../../src/simulator/scenario.ts';
import { exactOptimum } from './exact.ts';
import { smallWorkload } from './small-workloads.ts';

const HOUR_MS = 3_600_000;
const [HOURS, MOST_RUNS] = [2, 500];

/** One Deployment of eight pods, of which four are there after an hour; four fill a node. */
async function shrinking(more: Partial<ReplicatedApp>): Promise<Scenario> {
  const scenario = await smallWorkload(1);
  const [app] = scenario.apps as readonly ReplicatedApp[];
  const replicas = { ...app.replicas, base: 8, steps: [{ afterMs: HOUR_MS, replicas: 4 }] };
  return { ...scenario, apps: [{ ...app, requests: { cpu: 960, memory: 2 ** 30 }, replicas, ...more }] };
}

async function optimum(nodeHours: number, more: Partial<ReplicatedApp> = {}) {
  const workload = await shrinking(more);
  const future = recordedFuture(workload, 1, HOURS / 24);
  const [{ offerings }] = workload.instanceTypes;
  return exactOptimum(workload, 1, future, nodeHours * offerings[0].price, MOST_RUNS);
}

test('steered in time, a node empties itself: no eviction for three node hours and some minutes', async () => {
  assert.equal((await optimum(3.2))?.evictions, 0);
});

test('pods with a deletion cost of their own cannot be steered: the two that are left on a node are evicted', async () => {
  assert.equal((await optimum(3.2, { deletionCost: '1' }))?.evictions, 2);
  assert.equal((await optimum(4.1, { deletionCost: '1' }))?.evictions, 0);
});

test('no run is cheaper than the demand allows', async () => {
  assert.equal(await optimum(2.9), undefined);
});
