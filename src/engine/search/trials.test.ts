import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cluster } from '../../../test/build/cluster.ts';
import { spread } from '../../../test/build/constraints.ts';
import { instanceType, offering, ZONES } from '../../../test/build/instance-type.ts';
import { machine } from '../../../test/build/machine.ts';
import { nodePool } from '../../../test/build/node-pool.ts';
import { pod } from '../../../test/build/pod.ts';
import { rules } from '../../../test/build/policy.ts';
import { GIB } from '../../../test/build/units.ts';
import { problemOf } from '../../../test/search/searched.ts';
import { CAPACITY_TYPE, ON_DEMAND, SPOT, ZONE } from '../cluster/well-known.ts';
import type { Candidate } from '../disruption/candidates.ts';
import { labelValues } from '../moves/replacement.ts';
import { Trials } from './trials.ts';

const type = (name: string, cpu: number, price: number) =>
  instanceType(name, { cpu, memory: 640 * GIB, pods: 200, offerings: [offering(ZONES[0], ON_DEMAND, price)] });
const SMALL = type('small', 2000, 0.1);
const LARGE = type('large', 8000, 0.4);

/** Nodes of one type, each with pods of these sizes. */
function trialsOf(on: typeof SMALL, ...sizes: readonly (readonly number[])[]): [Trials, readonly Candidate[]] {
  const problem = problemOf(
    cluster({
      instanceTypes: [SMALL, LARGE],
      nodePools: [nodePool('default', { budgets: [{ nodes: '100%' }] })],
      machines: sizes.map((_, i) => machine(`n${i}`, { type: on })),
      pods: sizes.flatMap((own, i) => own.map((cpu, k) => pod(`p${i}-${k}`, { on: `n${i}`, cpu, memory: GIB }))),
    }),
    rules(),
  );
  return [new Trials(problem), problem.candidates];
}

test('a node is not exchanged for one that costs as much', () => {
  const [trials, [full]] = trialsOf(LARGE, [3000], [7000]);
  assert.equal(trials.moveFor([full], 1), undefined);
  const [cheaper, [halfEmpty]] = trialsOf(LARGE, [1900], [7000]);
  assert.equal(cheaper.moveFor([halfEmpty], 1)?.kind, 'replace');
});

test('two small ones may be cheaper than one that holds all', () => {
  const [trials, [full]] = trialsOf(LARGE, [1900, 1900], [7000]);
  assert.equal(trials.moveFor([full], 1), undefined);
  assert.equal(trials.moveFor([full], 2)?.replacements.length, 2);
});

test('pods that need an on-demand node get one of their own, if that is cheaper', () => {
  const both = (name: string, cpu: number, price: number) =>
    instanceType(name, {
      cpu,
      memory: 640 * GIB,
      pods: 200,
      offerings: [offering(ZONES[0], ON_DEMAND, price), offering(ZONES[0], SPOT, price / 4)],
    });
  const large = both('large', 8000, 0.4);
  const pods = ['a', 'b'].flatMap((on) => [
    pod(`${on}-pinned`, { on, cpu: 500, memory: GIB, nodeSelector: { [CAPACITY_TYPE]: ON_DEMAND } }),
    pod(`${on}-other`, { on, cpu: 3000, memory: GIB }),
  ]);
  const problem = problemOf(
    cluster({
      instanceTypes: [both('small', 2000, 0.1), large],
      nodePools: [nodePool('default', { budgets: [{ nodes: '100%' }] })],
      machines: [machine('a', { type: large }), machine('b', { type: large })],
      pods,
    }),
    rules(),
  );
  const { replacements = [] } = new Trials(problem).moveFor(problem.candidates, 2) ?? {};
  const launched = replacements.map((r) => labelValues(problem.simulation.cluster, r, CAPACITY_TYPE).join());
  assert.deepEqual(launched.sort(), [ON_DEMAND, SPOT]);
});

test('a move is made again with its new node where Karpenter would put it, if that is cheaper than where its pods run', () => {
  const types = [0.4, 0.8].map((price, i) =>
    instanceType(`type-${i}`, {
      cpu: i === 0 ? 2000 : 8000,
      memory: 64 * GIB,
      offerings: [offering(ZONES[0], ON_DEMAND, price / 2), offering(ZONES[1], ON_DEMAND, price)],
    }),
  );
  const web = {
    memory: GIB,
    labels: { app: 'web' },
    topologySpread: [spread('web', ZONE, { maxSkew: 2 })],
  };
  const problem = problemOf(
    cluster({
      instanceTypes: types,
      nodePools: [nodePool('default', { budgets: [{ nodes: '100%' }] })],
      machines: [
        machine('goes', { type: types[1], zone: ZONES[1] }),
        machine('stays', { type: types[0], zone: ZONES[1], doNotDisrupt: 'true' }),
      ],
      pods: [pod('a', { on: 'goes', cpu: 1500, ...web }), pod('b', { on: 'stays', cpu: 2000, ...web })],
    }),
    rules(),
  );
  const trials = new Trials(problem);
  const found = trials.moveFor(problem.candidates, 1);
  assert.ok(found !== undefined);
  assert.ok(Math.abs(found.savings - 0.4) < 1e-9, `${found.savings}`);
  const again = trials.again({ ...found, savings: 0 });
  assert.ok(Math.abs((again?.savings ?? 0) - 0.6) < 1e-9, `${again?.savings}`);
});
