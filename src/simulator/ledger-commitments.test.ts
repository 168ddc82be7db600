import assert from 'node:assert/strict';
import { test } from 'node:test';
import { recordedWorkload } from '../../test/build/recorded-workload.ts';
import { applyPriceOverlay, decodePriceOverlay } from '../catalog/price-overlay.ts';
import { parseWorkload } from '../cli/experiment/load-workload.ts';
import { SimulatedCluster } from './simulated-cluster.ts';

const HOUR_MS = 3_600_000;

/** Four hours of a load that doubles after two, without consolidation. */
async function billed(...entries: readonly object[]) {
  const workload = recordedWorkload(`  - kind: Deployment
    name: web
    requests: { cpu: 500m, memory: 1Gi }
    replicas: { base: 6, steps: [{ after: 2h, replicas: 12 }] }
`);
  const scenario = await parseWorkload(workload, 'w.yaml');
  const { types } = applyPriceOverlay(scenario.instanceTypes, decodePriceOverlay('o.yaml', entries));
  const cluster = new SimulatedCluster({ ...scenario, instanceTypes: types }, { seed: 1, consolidation: 'none' });
  cluster.advanceTo(scenario.startMs + 3 * HOUR_MS);
  // Asking has no effect on the sums.
  cluster.ledger.summary();
  cluster.advanceTo(scenario.startMs + 4 * HOUR_MS);
  return cluster.ledger.summary();
}

test('commitments are billed in any case, and pay for nodes up to their size at every moment', async () => {
  const list = (await billed()).costDollars;
  const close = (a: number, b: number) => assert.ok(Math.abs(a - b) < 1e-6, `${a} against ${b}`);
  // More than everything: only the commitment is paid.
  close((await billed({ dollarsPerHour: 50, price: '-20%' })).costDollars, 4 * 50);
  // Less than the nodes cost from the first hour on: all of it is used, at a discount of a half.
  const small = await billed({ dollarsPerHour: 0.01, price: '-50%' });
  assert.ok(small.costDollars < list && small.costDollars > list - 4 * 0.01 - 1e-9);
  close(
    Object.values(small.costByPool).reduce((a, b) => a + b, 0),
    small.costDollars,
  );
  assert.ok(small.costByPool.commitments < 0);
});
