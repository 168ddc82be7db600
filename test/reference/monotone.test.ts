import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import type { ClusterObjects, PodObject } from '../../src/engine/cluster/objects.ts';
import { Simulation } from '../../src/engine/scheduling/simulation.ts';
import { compiled, PLAINLY } from '../build/cluster.ts';
import { toleration } from '../build/constraints.ts';
import { anyCluster } from '../build/random/cluster.ts';
import { runs } from '../build/runs.ts';
import { answersOf } from './answers.ts';
import { withoutKnownDifferences } from './known-differences.ts';
import { removableRows } from './removable.ts';

const SETTINGS = { ...PLAINLY, compat: true, shieldDestinations: true };

describe('more of something', () => {
  test('an instance type that no pool can launch changes nothing', () => {
    fc.assert(
      fc.property(anyCluster, fc.nat(), fc.boolean(), (objects, choice, soldOut) => {
        const model = objects.instanceTypes[choice % objects.instanceTypes.length];
        const offerings = soldOut ? model.offerings.map((o) => ({ ...o, available: false })) : [];
        const dud = { ...model, name: 'dud', offerings };
        const instanceTypes = objects.instanceTypes.toSpliced(choice % (objects.instanceTypes.length + 1), 0, dud);
        assert.deepEqual(answersOf({ ...objects, instanceTypes }, SETTINGS), answersOf(objects, SETTINGS));
      }),
      runs(100),
    );
  });

  // Of several pods this is not true: first fit may send the pod that gave up its preference where another has to go.
  test('a pod that moves alone finds a place without its preferences if it finds one with them', () => {
    fc.assert(
      fc.property(anyCluster.map(withoutKnownDifferences).map(withOnePod), (objects) => {
        const found = isPlaced(objects);
        const indifferent = { ...objects, pods: objects.pods.map(withoutPreferences) };
        for (const [node, placed] of Object.entries(isPlaced(indifferent))) assert.ok(placed || !found[node]);
      }),
      runs(400),
    );
  });

  // Of several pods this is not true either: the larger pod may now fill the node that the smaller one needs.
  test('room on a node never keeps a pod that moves alone from an existing node', () => {
    fc.assert(
      fc.property(
        anyCluster.map(withOnePod),
        fc.nat(),
        fc.constantFrom('cpu', 'memory', 'pods'),
        (objects, choice, name) => {
          const before = verdicts(objects);
          const after = verdicts(grown(objects, choice % objects.nodes.length, name));
          for (const [node, verdict] of Object.entries(after))
            assert.ok(verdict === 'delete' || before[node] !== 'delete');
        },
      ),
      runs(200),
    );
  });

  test('room on a node behind all those that took a pod changes no placement', () => {
    fc.assert(
      fc.property(anyCluster.map(withoutTopology).map(withNothingToGiveUp), fc.nat(), (objects, choice) => {
        const simulation = new Simulation(compiled(objects));
        const { rows, objects: all } = simulation.cluster;
        for (const row of removableRows(simulation.cluster)) {
          const placements = placementsOf(simulation, row);
          const last = Math.max(-1, ...placements.map((p) => p.row));
          const behind = rows.slice(last + 1).filter((r) => r.node !== undefined);
          if (placements.length === 0 || behind.length === 0 || !allOnExisting(simulation, row)) continue;
          const i = all.nodes.findIndex((n) => n === behind[choice % behind.length].node);
          const other = new Simulation(compiled(grown(objects, i, 'cpu')));
          assert.deepEqual(placementsOf(other, row), placements);
        }
      }),
      runs(200),
    );
  });
});

/** The first pod that runs and could move stays; all others are out of the way. */
function withOnePod(objects: ClusterObjects): ClusterObjects {
  const only = objects.pods.find((p) => p.nodeName !== '' && p.owners.some((o) => o.kind === 'ReplicaSet'));
  return { ...objects, pods: only === undefined ? [] : [only] };
}

function withoutTopology(objects: ClusterObjects): ClusterObjects {
  const none = {
    topologySpread: [],
    requiredAffinity: [],
    preferredAffinity: [],
    requiredAntiAffinity: [],
    preferredAntiAffinity: [],
  };
  return { ...objects, pods: objects.pods.map((p) => ({ ...p, constraints: { ...p.constraints, ...none } })) };
}

/** A pod that gives something up goes through the nodes once more. */
function withNothingToGiveUp(objects: ClusterObjects): ClusterObjects {
  const pods = objects.pods.map(withoutPreferences).map((pod) => {
    const { requiredNodeTerms, tolerations } = pod.constraints;
    const tolerant = [...tolerations, toleration('', { effect: 'PreferNoSchedule' })];
    return {
      ...pod,
      constraints: { ...pod.constraints, requiredNodeTerms: requiredNodeTerms?.slice(0, 1), tolerations: tolerant },
    };
  });
  return { ...objects, pods };
}

function withoutPreferences(pod: PodObject): PodObject {
  const { constraints: c } = pod;
  const topologySpread = c.topologySpread.filter((s) => s.whenUnsatisfiable === 'DoNotSchedule');
  return {
    ...pod,
    constraints: { ...c, topologySpread, preferredNodeTerms: [], preferredAffinity: [], preferredAntiAffinity: [] },
  };
}

function grown(objects: ClusterObjects, node: number, resource: string): ClusterObjects {
  const nodes = objects.nodes.map((n, i) =>
    i === node ? { ...n, allocatable: { ...n.allocatable, [resource]: (n.allocatable[resource] ?? 0) * 2 } } : n,
  );
  return { ...objects, nodes };
}

/** By node: everything on it finds a place when it goes. */
function isPlaced(objects: ClusterObjects): Record<string, boolean> {
  const simulation = new Simulation(compiled(objects));
  const { rows } = simulation.cluster;
  return Object.fromEntries(
    removableRows(simulation.cluster).map((row) => [rows[row].name, allPlaced(simulation, row)]),
  );
}

function allPlaced(simulation: Simulation, row: number): boolean {
  return simulation.removing([row], (outcome) => outcome.unplaced.length === 0);
}

function allOnExisting(simulation: Simulation, row: number): boolean {
  return simulation.removing([row], ({ unplaced, claims }) => unplaced.length + claims.length === 0);
}

function placementsOf(simulation: Simulation, row: number): { pod: number; row: number }[] {
  return simulation.removing([row], (outcome) => outcome.placements.map(({ pod, row: at }) => ({ pod, row: at })));
}

function verdicts(objects: ClusterObjects): Record<string, string> {
  return Object.fromEntries(Object.entries(answersOf(objects, SETTINGS)).map(([name, { verdict }]) => [name, verdict]));
}
