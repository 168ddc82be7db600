import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ON_DEMAND } from '../../src/engine/cluster/well-known.ts';
import { evaluate, searchMoves } from '../../src/engine/pass/evaluation.ts';
import { compile } from '../../src/engine/scheduling/compile.ts';
import { resultOf } from '../../src/engine/steps.ts';
import { type ClusterSketch, cluster } from '../build/cluster.ts';
import { instanceType, MEDIUM, offering, ZONES } from '../build/instance-type.ts';
import { machine } from '../build/machine.ts';
import { pendingPod, pod } from '../build/pod.ts';
import { rules } from '../build/policy.ts';
import { GIB } from '../build/units.ts';
import { problemsOfSequence } from '../reference/sequence.ts';
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

  test('keep the room that they take on a node that stays, also from a move that stock finds', () => {
    const [large, small] = [
      instanceType('large', { cpu: 8000, memory: 16 * GIB, price: 0.32 }),
      instanceType('small', { cpu: 2000, memory: 4 * GIB, price: 0.08 }),
    ];
    const objects = cluster({
      instanceTypes: [large, small],
      nodePools: [onDemandPool('default')],
      machines: [machine('full', { type: small }), machine('n', { type: large })],
      pods: [
        pod('stays', { on: 'full', cpu: 100, memory: GIB, doNotDisrupt: 'true' }),
        pod('p', { on: 'n', cpu: 100, memory: 3 * GIB }),
        pod('q', { on: 'n', cpu: 100, memory: 3 * GIB }),
        pendingPod('waits', { cpu: 100, memory: GIB / 4 }),
      ],
    });
    const own = rules({}, { maxReplacements: 1, utilizationThreshold: 1 });
    const evaluation = evaluate(compile(objects, own.settings), own);
    const { problem } = evaluation;
    const findings = resultOf(searchMoves(evaluation, 'merged', 300));
    assert.deepEqual(problemsOfSequence(problem, findings.plan), problemsOfSequence(problem, []));
  });
});
