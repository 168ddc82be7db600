import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ON_DEMAND } from '../../src/engine/cluster/well-known.ts';
import { type ClusterSketch, cluster } from '../build/cluster.ts';
import { instanceType, MEDIUM, offering, ZONES } from '../build/instance-type.ts';
import { machine } from '../build/machine.ts';
import { pendingPod, pod } from '../build/pod.ts';
import { rules } from '../build/policy.ts';
import { GIB } from '../build/units.ts';
import { onDemandPool } from './aws.ts';
import { planOf } from './searched.ts';
import { movesOf } from './summary.ts';

const COUPLE: ClusterSketch = {
  instanceTypes: [MEDIUM],
  nodePools: [onDemandPool('default')],
  machines: [machine('a'), machine('b')],
  pods: [pod('on-a', { on: 'a' }), pod('on-b', { on: 'b', cpu: 1000 })],
};

function moves(...waiting: readonly ReturnType<typeof pendingPod>[]): string[] {
  return movesOf(planOf(cluster({ ...COUPLE, pods: [...(COUPLE.pods ?? []), ...waiting] }), rules()));
}

describe('pods that wait', () => {
  test('S24: one that no node can ever take changes nothing (k#678)', () => {
    assert.deepEqual(moves(), ['delete a']);
    assert.deepEqual(moves(pendingPod('huge', { cpu: 30_490 })), ['delete a']);
  });

  test('one that fits on a node has its place there: the room is taken, and the node stays', () => {
    // It goes to the first node, a; then b is the one to go, as long as there is room for its pod beside it.
    assert.deepEqual(moves(pendingPod('waits', { cpu: 1000 })), ['delete b']);
    assert.deepEqual(moves(pendingPod('waits', { cpu: 3000 })), []);
  });

  test('leave a dear node free to go, though it is the first that has room', () => {
    const dear = instanceType('dear', { cpu: 4000, memory: 16 * GIB, offerings: [offering(ZONES[0], ON_DEMAND, 2)] });
    const waiting = cluster({
      instanceTypes: [MEDIUM, dear],
      nodePools: [onDemandPool('default')],
      machines: [machine('a', { type: dear }), machine('b'), machine('c')],
      pods: [pod('on-a', { on: 'a' }), pod('on-b', { on: 'b' }), pod('on-c', { on: 'c' }), pendingPod('waits')],
    });
    assert.ok(movesOf(planOf(waiting, rules())).includes('delete a'));
  });

  test('are not among those that a plan evicts', () => {
    const objects = cluster({ ...COUPLE, pods: [...(COUPLE.pods ?? []), pendingPod('waits', { cpu: 1000 })] });
    const plan = planOf(objects, rules());
    assert.equal(plan.totals.evictions, 1);
    assert.deepEqual(
      plan.moves.flatMap((m) => m.placements),
      [{ pod: 'default/on-b', to: 'a' }],
    );
  });
});
