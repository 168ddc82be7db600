import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cluster } from '../../../../test/build/cluster.ts';
import { instanceType, offering, ZONES } from '../../../../test/build/instance-type.ts';
import { machine } from '../../../../test/build/machine.ts';
import { nodePool } from '../../../../test/build/node-pool.ts';
import { pod } from '../../../../test/build/pod.ts';
import { rules } from '../../../../test/build/policy.ts';
import { GIB } from '../../../../test/build/units.ts';
import { problemOf } from '../../../../test/search/searched.ts';
import { ON_DEMAND } from '../../cluster/well-known.ts';
import { NO_BENEFIT } from '../net-benefit.ts';
import { Trials } from '../trials.ts';
import { bestGroup } from './exchange.ts';

const type = (name: string, cpu: number, gib: number, price: number) =>
  instanceType(name, { cpu, memory: gib * GIB, offerings: [offering(ZONES[0], ON_DEMAND, price)] });
const OLD = type('old', 2000, 8, 0.1);
const CHEAP = type('cheap', 2000, 2, 0.06);
const TWICE = type('twice', 4000, 16, 0.15);

test('where a budget lets two nodes go at once, the second partner is tried in the place of the first', () => {
  const objects = cluster({
    instanceTypes: [OLD, CHEAP, TWICE],
    nodePools: [nodePool('default', { budgets: [{ nodes: '2' }] })],
    machines: [machine('seed', { type: OLD }), machine('first', { type: CHEAP }), machine('second', { type: OLD })],
    pods: [
      pod('a', { on: 'seed', cpu: 2000, memory: 4 * GIB }),
      pod('b', { on: 'first', cpu: 2000, memory: GIB }),
      pod('c', { on: 'second', cpu: 2000, memory: 4 * GIB }),
    ],
  });
  const problem = problemOf(objects, rules());
  const [seed, first, second] = ['seed', 'first', 'second'].map((name) =>
    problem.candidates.find((c) => c.name === name),
  );
  assert.ok(seed !== undefined && first !== undefined && second !== undefined);
  const group = bestGroup(new Trials(problem), seed, [first, second], () => NO_BENEFIT);
  assert.deepEqual(
    group?.candidates.map((c) => c.name),
    ['seed', 'second'],
  );
});
