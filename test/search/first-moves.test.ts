import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { ClusterObjects } from '../../src/engine/cluster/objects.ts';
import { clusterAfter } from '../../src/engine/moves/cluster-after.ts';
import { evaluate, type SearchFindings, searchMoves } from '../../src/engine/pass/evaluation.ts';
import { IncrementalCluster } from '../../src/engine/pass/incremental-cluster.ts';
import type { HeldMoves } from '../../src/engine/pass/staged-search.ts';
import { compile } from '../../src/engine/scheduling/compile.ts';
import type { Rules } from '../../src/engine/settings.ts';
import { resultOf } from '../../src/engine/steps.ts';
import { cluster } from '../build/cluster.ts';
import { instanceType } from '../build/instance-type.ts';
import { machine } from '../build/machine.ts';
import { pod } from '../build/pod.ts';
import { rules } from '../build/policy.ts';
import { onDemandPool } from './aws.ts';

const WORK = 20_000;

function findingsOf(objects: ClusterObjects, by: Rules, held: HeldMoves): SearchFindings {
  return resultOf(searchMoves(evaluate(compile(objects, by.settings), by), 'merged', WORK, 1, { held }));
}

/** As if no move with this node passed the check. */
const without = (name: string): HeldMoves =>
  function* (_problem, moves) {
    return moves.filter(({ candidates }) => candidates.every((c) => c.name !== name));
  };

describe('the moves that a pass makes now', () => {
  const type = instanceType('type', { cpu: 4000, price: 0.2 });
  const objects = cluster({
    machines: [
      machine('a', { type: instanceType('dear', { cpu: 4000, price: 0.4 }) }),
      machine('b', { type }),
      machine('room', { type, doNotDisrupt: 'true' }),
    ],
    pods: ['a', 'b'].map((on) => pod(`on-${on}`, { on, cpu: 1000 })),
    instanceTypes: [type, instanceType('dear', { cpu: 4000, price: 0.4 })],
    nodePools: [{ ...onDemandPool('default'), budgets: [{ nodes: '1' }] }],
  });
  const namesIn = ({ first }: SearchFindings) => first.flatMap(({ candidates }) => candidates.map((c) => c.name));
  test('are those of the first wave in which one holds', () => {
    const waves = findingsOf(objects, rules(), without('')).order.map(({ nodes }) => nodes);
    assert.equal(waves.length, 1, 'the budget allows one node in a wave');
    assert.deepEqual(namesIn(findingsOf(objects, rules(), without('a'))), ['b']);
    assert.deepEqual(namesIn(findingsOf(objects, rules(), without('b'))), ['a']);
  });
});

test('a later pass goes on with its plan beyond one wave, however little it may search', () => {
  const names = ['a', 'b', 'c', 'd'];
  const type = instanceType('type', { cpu: 8000, price: 0.2 });
  let objects = cluster({
    machines: [...names.map((name) => machine(name, { type })), machine('room', { type, doNotDisrupt: 'true' })],
    pods: names.map((on) => pod(`on-${on}`, { on, cpu: 1000 })),
    instanceTypes: [type],
    nodePools: [{ ...onDemandPool('default'), budgets: [{ nodes: '1' }] }],
  });
  const incremental = new IncrementalCluster();
  const work = (_candidates: number, isWhole: boolean) => (isWhole ? WORK : 1);
  for (const later of [3, 2, 1, 0]) {
    const evaluation = resultOf(incremental.evaluate(objects, rules()));
    const { first, order } = resultOf(incremental.search(evaluation, { search: 'merged', work, held: without('') }));
    assert.deepEqual([first.length, order.length], [1, later]);
    objects = clusterAfter(evaluation.problem.simulation.cluster, first);
  }
});

test('that nothing is left to do is said after one search from scratch', () => {
  const names = ['a', 'b', 'c'];
  const type = instanceType('type', { cpu: 8000, price: 0.2 });
  const objects = cluster({
    machines: [...names.map((name) => machine(name, { type })), machine('room', { type, doNotDisrupt: 'true' })],
    pods: names.map((on) => pod(`on-${on}`, { on, cpu: 1000 })),
    instanceTypes: [type],
    nodePools: [onDemandPool('default')],
  });
  const incremental = new IncrementalCluster();
  let asked = 0;
  const none: HeldMoves = function* () {
    asked++;
    yield;
    return [];
  };
  /** How often it was asked what holds. */
  const pass = (pods: number, held: HeldMoves) => {
    const before = asked;
    const evaluation = resultOf(incremental.evaluate({ ...objects, pods: objects.pods.slice(0, pods) }, rules()));
    const work = (_candidates: number, isWhole: boolean) => (isWhole ? WORK : 1);
    resultOf(incremental.search(evaluation, { search: 'merged', work, held }));
    return asked - before;
  };
  pass(3, without(''));
  const [twice, once] = [pass(2, none), pass(1, none)];
  assert.ok(once > 0 && twice > once, `${twice}, then ${once} times`);
});
