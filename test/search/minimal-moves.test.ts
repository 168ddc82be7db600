import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { CAPACITY_TYPE, NODE_POOL, ON_DEMAND, SPOT } from '../../src/engine/cluster/well-known.ts';
import { isEmpty } from '../../src/engine/disruption/candidates.ts';
import type { Move } from '../../src/engine/moves/move.ts';
import type { CompiledCluster } from '../../src/engine/scheduling/compiled-cluster.ts';
import { cluster } from '../build/cluster.ts';
import { is } from '../build/constraints.ts';
import { instanceType, offering } from '../build/instance-type.ts';
import { machine } from '../build/machine.ts';
import { nodePool } from '../build/node-pool.ts';
import { pod } from '../build/pod.ts';
import { rules } from '../build/policy.ts';
import { runs } from '../build/runs.ts';
import { anyRules } from './fleet-rules.ts';
import { anyFleet } from './fleets.ts';
import { LITTLE_WORK, planOf, searched } from './searched.ts';
import { movesOf } from './summary.ts';

/** Written without the engine's own parts: nodes reached from the first by destinations that pods share. */
function reachedFromFirst({ rowOfPod }: CompiledCluster, { candidates, placements }: Move): number {
  const own = new Set(candidates.map((c) => c.row));
  const reached = new Set([candidates[0].row]);
  for (let before = 0; before < reached.size; ) {
    before = reached.size;
    const shared = placements.filter(({ pod: p }) => reached.has(rowOfPod[p]));
    for (const { pod: p, row, launchedFor } of placements) {
      const isShared = shared.some((s) => s.row === row && s.launchedFor === launchedFor);
      if (isShared && own.has(rowOfPod[p])) reached.add(rowOfPod[p]);
    }
  }
  return reached.size;
}

describe('moves are minimal', () => {
  test('no move of a plan falls into parts that share neither destinations nor new nodes', () => {
    let several = 0;
    fc.assert(
      fc.property(anyFleet, anyRules, (objects, own) => {
        const all = searched(objects, own, LITTLE_WORK).stages.flatMap(({ problem, moves }) =>
          moves.map(({ move }) => ({ move, cluster: problem.simulation.cluster })),
        );
        for (const { move, cluster: before } of all) {
          const { kind, candidates } = move;
          const onlyJointly = candidates.some(({ methods }) => !methods.single && !methods.emptiness);
          if (candidates.every(isEmpty) || (kind === 'delete' && onlyJointly)) continue;
          several += candidates.length > 1 ? 1 : 0;
          const reached = reachedFromFirst(before, move);
          assert.equal(reached, candidates.length, `${kind} ${candidates.map((c) => c.name)}`);
        }
      }),
      runs(150),
    );
    assert.ok(several > 0, 'no move of several nodes was found');
  });

  test('an on-demand node does not carry unrelated spot nodes to new spot nodes', () => {
    const type = (name: string, price: number, capacityType: string) =>
      instanceType(name, { cpu: 4000, offerings: [offering('zone-a', capacityType, price)] });
    const spotOld = type('spot-old', 0.2, SPOT);
    const demandOld = type('demand-old', 0.9, ON_DEMAND);
    const pools = { windows: ON_DEMAND, linux: SPOT };
    const objects = cluster({
      instanceTypes: [spotOld, demandOld, type('spot-new', 0.1, SPOT), type('demand-new', 0.3, ON_DEMAND)],
      nodePools: Object.entries(pools).map(([name, capacityType]) =>
        nodePool(name, { requirements: [is(CAPACITY_TYPE, 'In', capacityType)] }),
      ),
      machines: [
        machine('w', { type: demandOld, pool: 'windows', capacityType: ON_DEMAND }),
        ...['s', 't'].map((name) => machine(name, { type: spotOld, pool: 'linux', capacityType: SPOT })),
      ],
      pods: [
        pod('on-w', { on: 'w', cpu: 3000, nodeSelector: { [NODE_POOL]: 'windows' } }),
        ...['s', 't'].map((on) => pod(`on-${on}`, { on, cpu: 3000, nodeSelector: { [NODE_POOL]: 'linux' } })),
      ],
      options: { spotToSpot: false },
    });
    for (const maxReplacements of [1, 2, 5])
      assert.deepEqual(movesOf(planOf(objects, rules(), { maxReplacements })), ['replace w by demand-new']);
  });
});
