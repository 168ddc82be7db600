import assert from 'node:assert/strict';
import { test } from 'node:test';
import { namedPolicy } from '../../test/build/lab.ts';
import { TINY_WORKLOAD } from '../../test/build/workload.ts';
import { parseWorkload } from '../cli/experiment/load-workload.ts';
import { policyCluster } from './policy-cluster.ts';

/** Six singletons, none of which may be evicted, on nodes that a burst of other pods leaves behind. */
const SINGLETONS = Array.from(
  { length: 6 },
  (_, i) => `  - kind: Deployment
    name: solo-${i}
    requests: { cpu: 300m, memory: 1Gi }
    replicas: { base: 0, every: 30s, steps: [{ after: ${13 + i}m, replicas: 1 }] }
    pdb: { maxUnavailable: 0 }
`,
).join('');

async function run(disruption: object, switches: Readonly<Record<string, string>>) {
  const workload = await parseWorkload(`${TINY_WORKLOAD}${SINGLETONS}`, 'singletons');
  const policy = namedPolicy('p', {
    disruption,
    switches: { 'min-node-lifetime': '0s', 'scaledown-utilization-threshold': '1', ...switches },
  });
  const { attended } = policyCluster(workload, policy, { seed: 3 });
  const { cluster } = attended;
  const startMs = cluster.nowMs;
  let down = 0;
  cluster.world.listeners.push({
    podStopping: ({ state }) => {
      if (state.app.name.startsWith('solo') && state.ready < state.desired) down++;
    },
  });
  await attended.advanceTo(startMs + 60 * 60_000);
  return { ...cluster.ledger.summary(), down };
}

test('singletons are rolled, counted as such, and never down', async () => {
  const kept = await run({}, {});
  const rolled = await run({ moveSingletons: 'Rollout' }, { rollouts: 'true' });
  const isSolo = (name: string) => name.includes('solo');
  assert.equal(kept.rollouts, 0);
  assert.ok(rolled.rollouts > 0);
  assert.equal(rolled.down, 0);
  assert.deepEqual(Object.keys(rolled.evictionsByWorkload).filter(isSolo), []);
  assert.ok(rolled.costDollars < kept.costDollars);
});
