import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { cluster, compiled } from '../../../test/build/cluster.ts';
import { is, taint, toleration } from '../../../test/build/constraints.ts';
import { LARGE, MEDIUM, SMALL } from '../../../test/build/instance-type.ts';
import { machine } from '../../../test/build/machine.ts';
import { nodePool } from '../../../test/build/node-pool.ts';
import { pod } from '../../../test/build/pod.ts';
import { runs } from '../../../test/build/runs.ts';
import { anyFleet } from '../../../test/search/fleets.ts';
import { highsSolver } from '../../bound/highs-solver.ts';
import type { ClusterObjects, Labels } from '../cluster/objects.ts';
import { CAPACITY_TYPE, NODE_POOL, SPOT } from '../cluster/well-known.ts';
import { evaluate, searchMoves } from '../pass/evaluation.ts';
import { STOCK_RULES } from '../settings.ts';
import { resultOf } from '../steps.ts';
import { lowerBound } from './lower-bound.ts';
import { planScope } from './plan-scope.ts';

const solver = await highsSolver();
const RULES = { ...STOCK_RULES, settings: { ...STOCK_RULES.settings, compat: false } };
const BATCH = taint('batch');
const ON_SPOT = [is(CAPACITY_TYPE, 'In', SPOT)];

/** Two spot nodes for batch pods only, at $0.16, with a pod each; beside them an on-demand node for another pod. */
function withBatch({ cpu = 1500, spotToSpot = false, tolerated = false, requirements = ON_SPOT }) {
  const batch = { type: LARGE, pool: 'batch', capacityType: SPOT, taints: [BATCH], labels: { workload: 'batch' } };
  const tolerations = [toleration(BATCH.key)];
  const own = { cpu, memory: 0, nodeSelector: { workload: 'batch' }, tolerations };
  const templateLabels = { workload: 'batch' };
  return cluster({
    machines: [machine('a', batch), machine('b', batch), machine('c')],
    pods: [
      pod('on-a', { on: 'a', ...own }),
      pod('on-b', { on: 'b', ...own }),
      pod('on-c', { on: 'c', cpu: 500, memory: 0, tolerations: tolerated ? tolerations : [] }),
    ],
    nodePools: [nodePool('default'), nodePool('batch', { requirements, taints: [BATCH], templateLabels })],
    instanceTypes: [SMALL, MEDIUM, LARGE],
    options: { spotToSpot },
  });
}

for (const { name, objects, options, dollars } of [
  { name: 'they may share one of today', objects: withBatch({}), dollars: 0.16 + 0.04 },
  { name: 'neither fits beside the other', objects: withBatch({ cpu: 5000 }), dollars: 2 * 0.16 + 0.04 },
  { name: 'spot for spot is allowed', objects: withBatch({ spotToSpot: true }), dollars: 3 * 0.04 },
  { name: 'moves of independent parts', objects: withBatch({}), options: { bundled: true }, dollars: 3 * 0.04 },
  { name: 'on-demand nodes may be launched first', objects: withBatch({ requirements: [] }), dollars: 3 * 0.04 },
  { name: 'other pods may join them', objects: withBatch({ tolerated: true }), dollars: (3.5 / 2) * 0.04 },
]) {
  test(`spot nodes that only spot nodes could replace: ${name}`, () => {
    const c = compiled(objects);
    const bound = lowerBound(c, [...c.rows.keys()], solver, options);
    assert.ok(Math.abs(bound - dollars) < 1e-6, `${bound} is not ${dollars}`);
  });
}

/** Some of the pools launch only spot nodes, and have no others, or (`mixed`) some of an earlier time. */
function withSpotPools(fleet: ClusterObjects, pools: ReadonlySet<string>, mixed: boolean): ClusterObjects {
  const labels = (own: Labels) => (pools.has(own[NODE_POOL] ?? '') && !mixed ? { ...own, [CAPACITY_TYPE]: SPOT } : own);
  return {
    ...fleet,
    nodePools: fleet.nodePools.map((p) => (pools.has(p.name) ? { ...p, requirements: ON_SPOT } : p)),
    nodes: fleet.nodes.map((node) => ({ ...node, labels: labels(node.labels) })),
    nodeClaims: fleet.nodeClaims.map((claim) => ({ ...claim, labels: labels(claim.labels) })),
    options: { ...fleet.options, spotToSpot: false },
  };
}

test('no plan removes or launches what is out of its scope', () => {
  let closed = 0;
  fc.assert(
    fc.property(
      anyFleet,
      fc.subarray(['alpha', 'beta', 'gamma'], { minLength: 1 }),
      fc.boolean(),
      (fleet, pools, mixed) => {
        const c = compiled(withSpotPools(fleet, new Set(pools), mixed));
        const evaluation = evaluate(c, RULES, { maxReplacements: 3 });
        const removable = evaluation.problem.candidates.map(({ row }) => row);
        const scope = planScope(c, removable, false);
        const open = new Set(scope.launches.filter(({ price }) => price < Infinity).map(({ template }) => template));
        if (scope.launches.some(({ price }) => price === Infinity)) closed++;
        const { moves } = resultOf(searchMoves(evaluation, 'merged', 3000));
        for (const { move } of moves) {
          for (const { row } of move.candidates) assert.ok(scope.removable.includes(row), `row ${row}`);
          for (const { template } of move.replacements) assert.ok(open.has(template), `template ${template}`);
        }
      },
    ),
    runs(60),
  );
  assert.notEqual(closed, 0);
});
