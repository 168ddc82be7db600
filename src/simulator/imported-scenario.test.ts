import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { cluster } from '../../test/build/cluster.ts';
import { app as selecting } from '../../test/build/constraints.ts';
import { machine } from '../../test/build/machine.ts';
import { nodePool } from '../../test/build/node-pool.ts';
import { pendingPod, pod } from '../../test/build/pod.ts';
import { rules } from '../../test/build/policy.ts';
import { anyCluster } from '../../test/build/random/cluster.ts';
import { runs } from '../../test/build/runs.ts';
import { CALM } from '../../test/build/scenario.ts';
import { HOUR_MS, MINUTE_MS } from '../../test/build/units.ts';
import type { ClusterObjects } from '../engine/cluster/objects.ts';
import { CAPACITY_TYPE, NODE_POOL } from '../engine/cluster/well-known.ts';
import { plan } from '../engine/plan.ts';
import { importedScenario, type ReplicaTrend } from './imported-scenario.ts';
import { addTimes } from './resource-columns.ts';
import { SimulatedCluster, type SimulationOptions } from './simulated-cluster.ts';

const NOBODY: SimulationOptions = { seed: 1, consolidation: 'none' };

function simulated(objects: ClusterObjects, shaping: ReplicaTrend = {}, options = NOBODY): SimulatedCluster {
  return new SimulatedCluster(importedScenario('found', objects, CALM, shaping), options);
}

/** Lists in the order of names: which comes first says nothing. */
function sorted(objects: ClusterObjects): unknown {
  return Object.fromEntries(
    Object.entries(objects).map(([kind, value]) => [
      kind,
      Array.isArray(value) ? value.map((each) => JSON.stringify(each)).sort() : value,
    ]),
  );
}

function planOf(objects: ClusterObjects): unknown {
  const { totals, moves, nodes } = plan(objects, { search: 'merged', rules: rules(), loadMs: 0, work: 300 }, () => 0);
  return { totals, moves, nodes };
}

/** Pods by the beginning of their names, with the nodes that they are on. */
function placements({ world }: SimulatedCluster): Record<string, string> {
  return Object.fromEntries([...world.pods.values()].map((p) => [p.object.name, p.node?.name ?? '']));
}

describe('a simulation that begins with a real cluster', () => {
  test('shows at first what was found, so that a plan for it is the same', () => {
    fc.assert(
      fc.property(anyCluster, (objects) => {
        const seen = simulated(objects).view().objects;
        assert.deepEqual(sorted(seen), sorted(objects));
        assert.deepEqual(planOf(seen), planOf(objects));
      }),
      runs(40),
    );
  });

  test('goes on from there: what is on a node is what it has less free, under every policy', () => {
    fc.assert(
      fc.property(anyCluster, fc.constantFrom('none', 'stock'), fc.boolean(), (objects, consolidation, waves) => {
        const shaping = waves ? { wave: 0.5, growth: 0.2 } : {};
        const { world, ledger } = advanced(simulated(objects, shaping, { seed: 7, consolidation }), HOUR_MS);
        for (const node of world.nodes.values()) {
          const free = node.allocatable.slice();
          for (const { state } of node.pods) addTimes(free, state.requests, -1);
          assert.deepEqual(node.free, free);
        }
        const { hours, costDollars } = ledger.summary();
        assert.equal(hours, 1);
        assert.ok(costDollars >= 0);
      }),
      runs(20),
    );
  });

  test('the same twice', () => {
    const logOf = (objects: ClusterObjects) => {
      const lines: string[] = [];
      const options = { seed: 3, consolidation: 'stock', log: (line: string) => lines.push(line) } as const;
      advanced(simulated(objects, { wave: 0.3 }, options), 2 * HOUR_MS);
      return lines;
    };
    fc.assert(
      fc.property(anyCluster, (objects) => assert.deepEqual(logOf(objects), logOf(objects))),
      runs(5),
    );
  });

  test('bills nodes from the first moment at their prices', () => {
    const objects = cluster({ machines: [machine('a'), machine('b')] });
    const { costDollars } = advanced(simulated(objects), 2 * HOUR_MS).ledger.summary();
    const { totals } = plan(objects, { search: 'merged', rules: rules(), loadMs: 0 }, () => 0);
    assert.ok(Math.abs(costDollars - (2 * totals.centsPerHour) / 100) < 1e-9);
  });

  test('nodes that Karpenter does not manage have prices, and their groups keep them', () => {
    const labels = { 'eks.amazonaws.com/nodegroup': 'system', 'eks.amazonaws.com/capacityType': 'SPOT' };
    const without = [NODE_POOL, CAPACITY_TYPE];
    const objects = cluster({
      machines: [
        machine('a'),
        machine('s', { state: 'unmanaged', without, labels }),
        machine('o', { state: 'unmanaged', without }),
      ],
    });
    const { totals } = plan(objects, { search: 'merged', rules: rules(), loadMs: 0 }, () => 0);
    const settings = { ...CALM, spotInterruptionsPerDay: 24 * 60 };
    const found = new SimulatedCluster(importedScenario('found', objects, settings, {}), NOBODY);
    const { costDollars } = advanced(found, HOUR_MS).ledger.summary();
    assert.ok(Math.abs(costDollars - totals.centsPerHour / 100) < 1e-9, `${costDollars}, ${totals.centsPerHour} ¢/h`);
    assert.ok(found.world.nodes.has('s'));
  });

  test('a pod that is taken away comes back under its owner; one without an owner does not', () => {
    const objects = cluster({
      machines: [machine('old'), machine('new')],
      pods: [
        pod('web-1', { on: 'old', labels: { app: 'web' }, owner: 'web' }),
        pod('db-0', { on: 'old', ownedBy: 'StatefulSet', owner: 'db' }),
        { ...pod('alone', { on: 'old' }), owners: [] },
      ],
    });
    const found = simulated(objects);
    const old = found.world.nodes.get('old');
    assert.ok(old);
    found.world.deleteNode(old, 'by-hand');
    advanced(found, 10 * MINUTE_MS);
    const now = placements(found);
    assert.deepEqual(Object.keys(now).sort(), ['db-0', 'web-1-000001']);
    assert.deepEqual(new Set(Object.values(now)), new Set(['new']));
    const [web] = [...found.world.pods.values()].filter(({ object }) => object.name.startsWith('web'));
    assert.deepEqual(web.object.owners, objects.pods[0].owners);
  });

  test('a budget lets as many go at once as it did', () => {
    const names = ['a', 'b', 'c'];
    const objects = cluster({
      machines: names.map((name) => machine(name)),
      pods: names.map((name) => pod(`web-${name}`, { on: name, labels: { app: 'web' }, owner: 'web' })),
      podDisruptionBudgets: [
        {
          namespace: 'default',
          name: 'guard',
          selector: selecting('web'),
          disruptionsAllowed: 1,
          fullyBlocking: false,
          evictsUnhealthy: false,
        },
      ],
    });
    const found = simulated(objects);
    for (const name of ['a', 'b']) found.world.deleteNode(found.world.nodes.get(name)!, 'by-hand');
    const stopping = [...found.world.pods.values()].filter((p) => p.stopping !== undefined);
    assert.equal(stopping.length, 1);
    assert.equal(found.view().objects.podDisruptionBudgets[0].disruptionsAllowed, 0);
    advanced(found, 10 * MINUTE_MS);
    assert.equal(found.view().objects.podDisruptionBudgets[0].disruptionsAllowed, 1);
    assert.deepEqual([...new Set(Object.values(placements(found)))], ['c']);
  });

  test('a Job runs as long again as it has run, and then is over', () => {
    const running = { ...pod('report', { on: 'a' }), owners: [{ ...JOB, controller: true }] };
    const found = simulated(cluster({ machines: [machine('a')], pods: [running] }));
    const ranMs = found.nowMs - (running.startedMs ?? 0);
    advanced(found, ranMs - 1);
    assert.equal(found.world.pods.size, 1);
    advanced(found, 2);
    assert.equal(found.world.pods.size, 0);
  });

  test('a pod that waits gets a node', () => {
    const waiting = pendingPod('late', { owner: 'web', cpu: 3000 });
    const found = simulated(cluster({ nodePools: [nodePool('default')], machines: [], pods: [waiting] }));
    advanced(found, 5 * MINUTE_MS);
    assert.notEqual(placements(found).late, '');
  });

  test('Deployments swing around what they have, and grow', () => {
    const pods = Array.from({ length: 20 }, (_, i) => pod(`web-${i}`, { owner: 'web', on: `n${i}` }));
    const objects = cluster({ machines: pods.map((_, i) => machine(`n${i}`)), pods });
    const replicasOver = (shaping: ReplicaTrend) => {
      const found = simulated(objects, shaping);
      return Array.from({ length: 49 }, (_, hour) => {
        if (hour > 0) advanced(found, HOUR_MS);
        return found.world.apps[0].desired;
      });
    };
    const [first, ...waves] = replicasOver({ wave: 0.3 });
    assert.equal(first, 20);
    assert.ok(Math.abs(Math.max(...waves) / Math.min(...waves) - 1.3 / 0.7) < 0.15);
    assert.deepEqual(replicasOver({ growth: 0.5 }).at(-1), 40);
    assert.deepEqual([...new Set(replicasOver({}))], [20]);
  });
});

const JOB = { apiVersion: 'batch/v1', kind: 'Job', name: 'report', uid: 'uid-report' };

function advanced(found: SimulatedCluster, byMs: number): SimulatedCluster {
  found.advanceTo(found.nowMs + byMs);
  return found;
}
