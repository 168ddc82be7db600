import assert from 'node:assert/strict';
import { test } from 'node:test';
import { namedPolicy } from '../../test/build/lab.ts';
import { deployment, flat, scenario } from '../../test/build/scenario.ts';
import type { AdaptiveLevel } from '../controller/adaptive-threshold.ts';
import { ControlledCluster } from '../simulator/controlled-cluster.ts';
import { SimulatedCluster } from '../simulator/simulated-cluster.ts';
import { controllerFor } from './policy-cluster.ts';

const HOUR_MS = 3_600_000;

/** Replicas that come and go all the time: without a threshold pods are moved all day. */
const RESTLESS = scenario({
  apps: ['a', 'b', 'c'].map((name) => deployment(name, { replicas: flat(5, { noise: 2 }), cpu: 700 })),
});

interface AdaptiveResult {
  readonly levels: readonly AdaptiveLevel[];
  readonly evictions: number;
}

/** `restartHours`: when a new process without state takes over. */
async function run(switches: Readonly<Record<string, string>>, restartHours = Infinity): Promise<AdaptiveResult> {
  const policy = namedPolicy('p', { switches: { 'scaledown-utilization-threshold': '1', ...switches }, work: 60 });
  const cluster = new SimulatedCluster(RESTLESS, { seed: 1, consolidation: 'none' });
  let controller = controllerFor(cluster, policy);
  const levels: AdaptiveLevel[] = [];
  const driven = new ControlledCluster(cluster, {
    reconcile: async () => {
      const report = await controller.reconcile();
      const level = report.thresholds?.get('default');
      if (level !== undefined && level !== levels.at(-1)) levels.push(level);
      return report;
    },
  });
  for (let hour = 1; hour <= 5; hour++) {
    await driven.advanceTo(RESTLESS.startMs + hour * HOUR_MS);
    if (hour === restartHours) controller = controllerFor(cluster, policy);
  }
  return { levels, evictions: cluster.ledger.summary().evictions };
}

test('where pods are moved all the time the threshold rises, within its bounds, and fewer are', async () => {
  const fixed = await run({});
  const { levels, evictions } = await run({ 'adaptive-threshold': '0.5..4', 'adaptive-target': '2' });
  assert.equal(fixed.levels.length, 0);
  const cents = levels.map((level) => level.cents);
  assert.deepEqual([levels[0].why, cents[0]], ['start', 0.5]);
  assert.ok(cents.every((c) => c >= 0.5 && c <= 4));
  assert.ok(levels.some((level) => level.why === 'churn'));
  assert.ok(evictions < fixed.evictions / 2, `${evictions} of ${fixed.evictions}`);
});

test('a successor goes on from the last command that the journal has', async () => {
  const { levels } = await run({ 'adaptive-threshold': '0.5..4', 'adaptive-target': '2' }, 3);
  const resumed = levels.findIndex(({ why }) => why === 'journal');
  assert.ok(resumed > 0, levels.map(({ why }) => why).join());
  assert.ok(levels.slice(0, resumed).some(({ cents }) => cents === levels[resumed].cents));
});
