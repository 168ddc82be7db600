import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { cluster, compiled } from '../../../test/build/cluster.ts';
import { is, spread } from '../../../test/build/constraints.ts';
import { instanceType, offering, ZONES } from '../../../test/build/instance-type.ts';
import { machine } from '../../../test/build/machine.ts';
import { nodePool } from '../../../test/build/node-pool.ts';
import { pod } from '../../../test/build/pod.ts';
import { runs } from '../../../test/build/runs.ts';
import { anyFleet } from '../../../test/search/fleets.ts';
import { highsSolver } from '../../bound/highs-solver.ts';
import { ON_DEMAND, ZONE } from '../cluster/well-known.ts';
import { clusterAfter } from '../moves/cluster-after.ts';
import { evaluate, searchMoves } from '../pass/evaluation.ts';
import { STOCK_RULES } from '../settings.ts';
import { resultOf } from '../steps.ts';
import { possibleLaunches } from './launches.ts';
import { lowerBound } from './lower-bound.ts';
import { Reaches } from './reach.ts';
import { ZoneLimits } from './zone-limits.ts';

const solver = await highsSolver();
const RULES = { ...STOCK_RULES, settings: { ...STOCK_RULES.settings, compat: false } };
const PRICES = [0.1, 0.2, 0.4];
const byZone = instanceType('by-zone', {
  cpu: 4000,
  pods: 20,
  offerings: ZONES.map((zone, i) => offering(zone, ON_DEMAND, PRICES[i])),
});

/** A full node in each zone: twelve pods of one core in all. */
function threeZones(more: { readonly maxSkew?: number; readonly soft?: boolean; readonly zones?: readonly string[] }) {
  const { maxSkew = 1, soft = false, zones = ZONES } = more;
  const constraint = spread('web', ZONE, { maxSkew, whenUnsatisfiable: soft ? 'ScheduleAnyway' : 'DoNotSchedule' });
  return cluster({
    machines: ZONES.map((zone) => machine(zone, { type: byZone, zone })),
    pods: ZONES.flatMap((zone) =>
      [1, 2, 3, 4].map((n) =>
        pod(`${zone}-${n}`, { on: zone, cpu: 1000, memory: 0, labels: { app: 'web' }, topologySpread: [constraint] }),
      ),
    ),
    nodePools: [nodePool('default', { requirements: [is(ZONE, 'In', ...zones)] })],
    instanceTypes: [byZone],
  });
}

for (const { name, objects, dollars } of [
  { name: 'a third in each zone', objects: threeZones({}), dollars: 0.7 },
  // (12 + 4 · 2) / 3 = 6 pods in each of the two cheapest zones.
  { name: 'as far as maxSkew allows', objects: threeZones({ maxSkew: 4 }), dollars: 1.5 * 0.1 + 1.5 * 0.2 },
  { name: 'a preference is none', objects: threeZones({ soft: true }), dollars: 0.3 },
  {
    name: 'one zone to launch in: no others to be even with',
    objects: threeZones({ zones: ['zone-a'] }),
    dollars: 0.3,
  },
]) {
  test(`a spread over zones: ${name}`, () => {
    const c = compiled(objects);
    const bound = lowerBound(c, [...c.rows.keys()], solver);
    assert.ok(Math.abs(bound - dollars) < 1e-6, `${bound} is not ${dollars}`);
  });
}

test('no plan brings more pods to a zone than its limit', () => {
  let moved = 0;
  fc.assert(
    fc.property(anyFleet, fc.constantFrom(1, 2), (fleet, maxSkew) => {
      const spreads = (name: string) => [spread(name, ZONE, { maxSkew })];
      const pods = fleet.pods.map((p) =>
        p.labels.app === undefined
          ? p
          : { ...p, constraints: { ...p.constraints, topologySpread: spreads(p.labels.app) } },
      );
      const c = compiled({ ...fleet, pods });
      const evaluation = evaluate(c, RULES, { maxReplacements: 3 });
      const { problem } = evaluation;
      const removable = problem.candidates.map(({ row }) => row);
      const limits = new ZoneLimits(c, removable, new Reaches(c, possibleLaunches(c, removable)));
      const found = resultOf(searchMoves(evaluation, 'merged', 2000));
      const stages = [{ problem, moves: found.moves }, ...found.later];
      for (const [i, stage] of stages.entries()) {
        const after = clusterAfter(
          stage.problem.simulation.cluster,
          stage.moves.map(({ move }) => move),
          (move, replacement) => `stage-${i}-${move}-${replacement}`,
        );
        const zoneOfNode = new Map(after.nodes.map((n) => [n.name, n.labels[ZONE]]));
        const nodeOfPod = new Map(after.pods.map((p) => [p.uid, p.nodeName]));
        const counts = limits.list.map(() => new Map<string, number>());
        for (const pod of removable.flatMap((row) => c.movableOfRow[row])) {
          const limit = limits.of(pod);
          const zone = zoneOfNode.get(nodeOfPod.get(c.pods[pod].uid) ?? '') ?? '';
          if (limit >= 0) counts[limit].set(zone, (counts[limit].get(zone) ?? 0) + 1);
        }
        counts.forEach((byZone, limit) => {
          for (const [zone, n] of byZone)
            assert.ok(n <= (limits.list[limit].most.get(zone) ?? Infinity), `${n} pods in ${zone}`);
        });
      }
      moved += limits.list.length === 0 ? 0 : found.moves.reduce((sum, { move }) => sum + move.placements.length, 0);
    }),
    runs(60),
  );
  assert.notEqual(moved, 0);
});
