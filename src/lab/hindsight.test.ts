import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { TINY_WORKLOAD } from '../../test/build/workload.ts';
import { parseWorkload } from '../cli/experiment/load-workload.ts';
import type { Command } from '../controller/command.ts';
import { SimulatedCluster } from '../simulator/simulated-cluster.ts';
import { HINDSIGHT, STOCK } from './built-in-policies.ts';
import { outgrownMs, recordedFuture } from './future.ts';
import { HindsightTiming } from './hindsight.ts';
import { runOne } from './run-one.ts';

const MINUTE_MS = 60_000;

const workload = (apps: string) =>
  parseWorkload(
    `
name: known
nodePools:
  - metadata: { name: default }
    spec:
      template:
        spec:
          nodeClassRef: { group: karpenter.k8s.aws, kind: EC2NodeClass, name: default }
          requirements:
            - { key: node.kubernetes.io/instance-type, operator: In, values: [m6a.xlarge] }
            - { key: karpenter.sh/capacity-type, operator: In, values: [on-demand] }
      disruption: { consolidateAfter: 30s }
apps:${apps}`,
    'known',
  );

/** Four of its pods fill a node. */
const web = (replicas: string) => `
  - { kind: Deployment, name: web, requests: { cpu: 900m, memory: 1Gi }, replicas: ${replicas} }`;

describe('the recorded future', async () => {
  const scenario = await workload(web('{ base: 2, steps: [{ after: 20m, replicas: 5 }] }'));
  const future = recordedFuture(scenario, 1, 1 / 24);

  test('has the replicas of every app', () => {
    const steps = future.desired[0].map(({ atMs, replicas }) => [(atMs - future.startMs) / MINUTE_MS, replicas]);
    assert.deepEqual(steps.slice(-2), [
      [0, 2],
      [20, 5],
    ]);
  });

  test('says when a capacity is outgrown, and that it never is', () => {
    const [cpu, ...others] = future.demand[0];
    const outgrown = (factor: number) =>
      outgrownMs(future, Float64Array.from([factor * cpu, ...others.map((each) => 10 * each)]), future.startMs);
    assert.equal((outgrown(1) - future.startMs) / MINUTE_MS, 20);
    assert.equal(outgrown(2.5), future.endMs);
  });
});

describe('a move in hindsight', () => {
  /** At 10 minutes, with both nodes of five pods there: what it says to removing the node that holds fewer. */
  async function waitMinutes(apps: string, centsPerUnit = 0.1): Promise<number | undefined> {
    const scenario = await workload(apps);
    const cluster = new SimulatedCluster(scenario, { seed: 1, consolidation: 'none' });
    cluster.advanceTo(scenario.startMs + 10 * MINUTE_MS);
    const { world } = cluster;
    const [node] = [...world.nodes.values()].sort((a, b) => a.pods.size - b.pods.size);
    const future = recordedFuture(scenario, 1, 4 / 24);
    const timing = new HindsightTiming({ world, future, usable: 1, variant: 0, centsPerUnit, maySpend: () => true });
    const command = {
      nodes: [{ node: node.name }],
      replacements: [],
      predicted: { savingsCentsPerHour: 20, disruptionCost: 2, requiredCentsPerHour: 0, evictions: node.pods.size },
    } as unknown as Command;
    const refusal = timing.refuse(command, undefined, world.nowMs);
    return refusal?.code === 'not-paid-back' ? refusal.waitMs / MINUTE_MS : undefined;
  }

  /** Two nodes of four pods; three pods remain after five minutes, and may be on both. */
  const shrinks = (more: string) => web(`{ base: 8, steps: [{ after: 5m, replicas: 3 }${more}] }`);

  test('is made at once if its savings last', async () => {
    assert.equal(await waitMinutes(shrinks('')), undefined);
  });

  test('is not made if the nodes are needed again before it pays', async () => {
    assert.equal(await waitMinutes(shrinks(', { after: 12m, replicas: 8 }')), undefined);
    assert.equal(await waitMinutes(shrinks(', { after: 12m, replicas: 8 }'), 10), 2);
  });

  test('waits for pods that end soon, unless that costs more than to evict them', async () => {
    assert.equal(await waitMinutes(shrinks(', { after: 15m, replicas: 1 }'), 10), 5);
    assert.equal(await waitMinutes(shrinks(', { after: 15m, replicas: 1 }')), undefined);
  });
});

test('hindsight has no more evictions than stock, within its cost', async () => {
  const scenario = await parseWorkload(TINY_WORKLOAD, 'tiny');
  const run = (policy: typeof STOCK) => runOne({ workload: 'tiny', policy, seed: 3, days: 0.5 / 24 }, scenario);
  const stock = await run(STOCK);
  assert.ok(stock.evictions > 0);
  const limit = await run(HINDSIGHT[0]);
  assert.ok(limit.costDollars <= stock.costDollars);
  assert.ok(limit.evictions <= stock.evictions, `${limit.evictions} of ${stock.evictions}`);
});
