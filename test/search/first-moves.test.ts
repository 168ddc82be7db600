import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { ClusterObjects } from '../../src/engine/cluster/objects.ts';
import { evaluate, type SearchFindings, searchMoves } from '../../src/engine/pass/evaluation.ts';
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

function pass(objects: ClusterObjects, by: Rules, held: HeldMoves): SearchFindings {
  return resultOf(searchMoves(evaluate(compile(objects, by.settings), by), 'merged', WORK, 1, { held }));
}

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
  /** As if no move with this node passed the check. */
  const without = (name: string): HeldMoves =>
    function* (_problem, moves) {
      return moves.filter(({ candidates }) => candidates.every((c) => c.name !== name));
    };

  test('are those of the first wave in which one holds', () => {
    const waves = pass(objects, rules(), without('')).order.map(({ nodes }) => nodes);
    assert.equal(waves.length, 1, 'the budget allows one node in a wave');
    assert.deepEqual(namesIn(pass(objects, rules(), without('a'))), ['b']);
    assert.deepEqual(namesIn(pass(objects, rules(), without('b'))), ['a']);
  });
});
