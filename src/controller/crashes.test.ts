import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { is } from '../../test/build/constraints.ts';
import { leftovers, watchLaws } from '../../test/build/controller-laws.ts';
import { FakeCluster, type FakeClusterOptions, type Fate } from '../../test/build/fake-cluster.ts';
import { LARGE, MEDIUM, SMALL } from '../../test/build/instance-type.ts';
import { machine } from '../../test/build/machine.ts';
import { nodePool } from '../../test/build/node-pool.ts';
import { pod } from '../../test/build/pod.ts';
import { podDisruptionBudget } from '../../test/build/pod-disruption-budget.ts';
import { runToRest } from '../../test/build/run-controller.ts';
import { CAPACITY_TYPE, INSTANCE_TYPE, ON_DEMAND } from '../engine/cluster/well-known.ts';

const ON_DEMAND_ONLY = [is(CAPACITY_TYPE, 'In', ON_DEMAND)];

interface Scenario {
  readonly name: string;
  start(options: FakeClusterOptions): FakeCluster;
}

const SCENARIOS: readonly Scenario[] = [
  {
    name: 'a deletion of two nodes, two pods under one budget',
    start: (options) =>
      new FakeCluster(
        {
          nodePools: [nodePool('default', { requirements: ON_DEMAND_ONLY })],
          machines: [machine('a', { type: LARGE }), machine('b'), machine('c')],
          pods: [
            pod('p', { on: 'a', cpu: 5000 }),
            pod('q', { on: 'b', cpu: 1000, labels: { app: 'web' } }),
            pod('r', { on: 'c', cpu: 1000, labels: { app: 'web' } }),
          ],
          podDisruptionBudgets: [podDisruptionBudget('guard', 'web')],
        },
        options,
      ),
  },
  {
    name: 'two nodes for one, and empty ones',
    start: (options) =>
      new FakeCluster(
        {
          nodePools: [nodePool('default', { requirements: ON_DEMAND_ONLY, budgets: [{ nodes: '2' }] })],
          machines: [machine('a', { type: LARGE }), machine('b', { type: SMALL }), machine('c'), machine('d')],
          pods: [pod('p', { on: 'a', cpu: 1800 }), pod('q', { on: 'b', cpu: 1200 })],
        },
        options,
      ),
  },
  {
    name: 'two pools that have nothing to do with each other',
    start: (options) =>
      new FakeCluster(
        {
          instanceTypes: [SMALL, MEDIUM, LARGE],
          nodePools: ['left', 'right'].map((name) =>
            nodePool(name, { requirements: ON_DEMAND_ONLY, templateLabels: { side: name } }),
          ),
          machines: ['left', 'right'].map((side) =>
            machine(`node-${side}`, { pool: side, type: LARGE, labels: { side } }),
          ),
          pods: ['left', 'right'].map((side) =>
            pod(`pod-${side}`, { on: `node-${side}`, cpu: 3000, nodeSelector: { side } }),
          ),
        },
        options,
      ),
  },
];

/** The state that the cluster reaches, in whatever order. */
function outcome(port: FakeCluster): unknown {
  return {
    nodes: port.objects.nodes.map((n) => n.labels[INSTANCE_TYPE]).sort(),
    placed: port.objects.pods.every((p) => p.nodeName !== ''),
  };
}

async function run(scenario: Scenario, fateOf?: (index: number) => Fate) {
  const port = scenario.start({ fateOf: (_, index) => fateOf?.(index) ?? 'done' });
  const breaches = watchLaws(port);
  await runToRest(port);
  return { port, faults: [...breaches, ...leftovers(port)], steps: port.asked.length };
}

for (const scenario of SCENARIOS) {
  describe(scenario.name, () => {
    for (const fate of ['death-before', 'death-after', 'lost', 'unanswered', 'twice'] as const) {
      test(`${fate} at every step ends as if nothing had been`, async () => {
        const smooth = await run(scenario);
        assert.deepEqual(smooth.faults, []);
        assert.ok(smooth.steps > 5);
        for (let k = 0; k < smooth.steps; k++) {
          const rough = await run(scenario, (index) => (index === k ? fate : 'done'));
          assert.deepEqual(rough.faults, [], `at step ${k}`);
          assert.deepEqual(outcome(rough.port), outcome(smooth.port), `at step ${k}`);
        }
      });
    }
  });
}
