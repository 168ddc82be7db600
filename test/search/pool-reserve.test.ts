import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { ClusterObjects, PodObject } from '../../src/engine/cluster/objects.ts';
import { NODE_POOL } from '../../src/engine/cluster/well-known.ts';
import type { Headroom, PoolPolicy } from '../../src/engine/disruption/pool-policy.ts';
import { workloadNames } from '../../src/engine/disruption/workloads.ts';
import { clusterAfter } from '../../src/engine/moves/cluster-after.ts';
import type { Plan } from '../../src/engine/plan-document.ts';
import type { Rules } from '../../src/engine/settings.ts';
import { policy } from '../build/policy.ts';
import { runs } from '../build/runs.ts';
import { GIB } from '../build/units.ts';
import { rulesByPool } from './fleet-rules.ts';
import { anyFleet } from './fleets.ts';
import { LITTLE_WORK, planOf, searched } from './searched.ts';

const SHAPE = { cpu: 500, memory: GIB };

const headroom: fc.Arbitrary<Headroom> = fc.oneof(
  fc.record({
    resource: fc.constant('cpu'),
    amount: fc.integer({ min: 0, max: 12_000 }),
    isPercent: fc.constant(false),
  }),
  fc.record({
    resource: fc.constantFrom('cpu', 'memory'),
    amount: fc.integer({ min: 0, max: 90 }),
    isPercent: fc.constant(true),
  }),
  fc.record({
    resource: fc.constant('pods'),
    amount: fc.integer({ min: 0, max: 20 }),
    isPercent: fc.boolean(),
    shape: fc.constant(SHAPE),
  }),
);

const reserve: fc.Arbitrary<PoolPolicy> = fc
  .record({
    headroom: fc.option(fc.array(headroom, { minLength: 1, maxLength: 2 }), { nil: undefined }),
    minNodes: fc.option(fc.integer({ min: 0, max: 6 }), { nil: undefined }),
    maxShareOnOneNode: fc.option(fc.constantFrom(0.01, 0.25, 0.5, 0.8, 1), { nil: undefined }),
  })
  .map((own) => policy(own));

const anyReserve: fc.Arbitrary<Rules> = fc
  .tuple(reserve, reserve, reserve)
  .map(([alpha, beta, gamma]) => rulesByPool({ alpha, beta, gamma }, { maxReplacements: 2 }));

/** DaemonSets make free capacity a matter of what is still to come; the law is about arithmetic. */
const fleet: fc.Arbitrary<ClusterObjects> = anyFleet.map((objects) => ({
  ...objects,
  daemonSets: [],
  pods: objects.pods.filter(({ owners }) => !owners.some(({ kind }) => kind === 'DaemonSet')),
}));

/** Counted from the objects, without the engine. */
function poolIn({ nodes, pods }: ClusterObjects, name: string) {
  const own = nodes.filter((n) => n.labels[NODE_POOL] === name);
  const open = own.filter((n) => n.ready === 'True' && !n.taints.some(({ key }) => key.endsWith('/unschedulable')));
  const rooms = open.map(({ name: node, allocatable }) => {
    const running = pods.filter((p) => p.nodeName === node && p.phase !== 'Succeeded' && p.phase !== 'Failed');
    const left = (resource: string) =>
      (allocatable[resource] ?? 0) - running.reduce((sum, p) => sum + (p.requests[resource] ?? 0), 0);
    return { cpu: left('cpu'), memory: left('memory'), pods: (allocatable.pods ?? 0) - running.length, allocatable };
  });
  const sum = (of: (room: (typeof rooms)[number]) => number) =>
    rooms.reduce((all, room) => all + Math.max(0, of(room)), 0);
  return {
    nodes: own.length,
    running: pods.filter((p) => own.some((n) => n.name === p.nodeName)).length,
    free: {
      cpu: sum((r) => r.cpu),
      memory: sum((r) => r.memory),
      pods: sum((r) => Math.min(r.pods, Math.floor(r.cpu / SHAPE.cpu), Math.floor(r.memory / SHAPE.memory))),
    },
    all: { cpu: sum((r) => r.allocatable.cpu ?? 0), memory: sum((r) => r.allocatable.memory ?? 0) },
  };
}

function assertReserve(before: ClusterObjects, after: ClusterObjects, rules: Rules): void {
  for (const pool of before.nodePools) {
    const { headroom: needs = [], minNodes = 0 } = rules.policyOf(pool);
    const [was, is] = [poolIn(before, pool.name), poolIn(after, pool.name)];
    assert.ok(is.nodes >= Math.min(minNodes, was.nodes), `${pool.name}: ${is.nodes} nodes of ${minNodes}`);
    for (const { resource, amount, isPercent } of needs) {
      const share = (at: typeof was) => (resource === 'pods' ? was.running : at.all[resource]);
      const required = isPercent ? (amount / 100) * share(is) : amount;
      const sameShare = (was.free[resource] / (share(was) || 1)) * share(is);
      const allowed = isPercent ? Math.min(was.free[resource], sameShare) : was.free[resource];
      const text = `${pool.name} ${resource}: ${is.free[resource]} free, ${required} wanted, ${allowed} before`;
      assert.ok(is.free[resource] >= Math.min(required, allowed) - 1e-6, text);
    }
  }
}

function assertSpread(before: ClusterObjects, after: ClusterObjects, rules: Rules): void {
  const nameOf = workloadNames(before.workloads);
  const count = (pods: readonly PodObject[]) => Map.groupBy(pods, nameOf);
  const all = count(before.pods);
  const wasOn = new Map(before.pods.map((p) => [p.uid, p.nodeName]));
  for (const { name, labels } of after.nodes) {
    const pool = before.nodePools.find((p) => p.name === labels[NODE_POOL]);
    const share = pool && rules.policyOf(pool).maxShareOnOneNode;
    if (share === undefined) continue;
    for (const [workload, pods] of count(after.pods.filter((p) => p.nodeName === name))) {
      if (pods.every((p) => wasOn.get(p.uid) === name)) continue;
      const { length: replicas } = all.get(workload) ?? [];
      assert.ok(replicas < 2 || pods.length <= Math.max(1, Math.floor(share * replicas)), `${workload} on ${name}`);
    }
  }
}

for (const search of ['merged', 'karpenter'] as const satisfies readonly Plan['search'][])
  test(`no plan leaves a pool with less than its headroom, fewer nodes, or a workload on one node: ${search}`, () => {
    let moves = 0;
    fc.assert(
      fc.property(fleet, anyReserve, (objects, rules) => {
        const found = searched(objects, rules, LITTLE_WORK, search);
        const plan = found.moves.map((t) => t.move);
        moves += plan.length;
        const after = clusterAfter(found.problem.simulation.cluster, plan);
        assertReserve(objects, after, rules);
        assertSpread(objects, after, rules);
      }),
      runs(120),
    );
    assert.ok(moves > 0);
  });

test('a node that headroom keeps is kept by more headroom too', () => {
  let kept = 0;
  const amounts = fc.tuple(fc.integer({ min: 0, max: 8000 }), fc.integer({ min: 0, max: 8000 }));
  fc.assert(
    fc.property(fleet, amounts, fc.boolean(), (objects, [some, more], isPercent) => {
      const unit = isPercent ? 80 : 1;
      const refused = (amount: number) => {
        const own = policy({ headroom: [{ resource: 'cpu', amount: amount / unit, isPercent }] });
        const rules = rulesByPool({ alpha: own, beta: own, gamma: own });
        const { nodes } = planOf(objects, rules, { work: 0 });
        return nodes.filter((n) => n.refusals.some((r) => r.code === 'headroom')).map((n) => n.name);
      };
      const [less, greater] = [refused(Math.min(some, more)), refused(Math.max(some, more))];
      kept += less.length;
      assert.deepEqual(
        less.filter((name) => !greater.includes(name)),
        [],
      );
    }),
    runs(60),
  );
  assert.ok(kept > 0);
});
