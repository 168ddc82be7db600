import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { cluster } from '../../../test/build/cluster.ts';
import { spread } from '../../../test/build/constraints.ts';
import { instanceType, offering, ZONES } from '../../../test/build/instance-type.ts';
import { machine } from '../../../test/build/machine.ts';
import { nodePool } from '../../../test/build/node-pool.ts';
import { pod } from '../../../test/build/pod.ts';
import { rules } from '../../../test/build/policy.ts';
import { anyCluster } from '../../../test/build/random/cluster.ts';
import { runs } from '../../../test/build/runs.ts';
import { GIB } from '../../../test/build/units.ts';
import { anyRules } from '../../../test/search/fleet-rules.ts';
import { anyFleet } from '../../../test/search/fleets.ts';
import { problemOf } from '../../../test/search/searched.ts';
import type { ClusterObjects } from '../cluster/objects.ts';
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

describe('what is known without placing pods', () => {
  test('a node with a pod that fits nowhere cannot be deleted', () => {
    const [trials, [large]] = trialsOf(LARGE, [3000, 500], [6000]);
    assert.equal(trials.needMore([large], 0), true);
    assert.equal(trials.needMore([large], 1), false);
  });

  test('one place is room for one pod, not for two', () => {
    const [one, [small]] = trialsOf(LARGE, [1500], [6000]);
    assert.equal(one.needMore([small], 0), false);
    const [two, [twice]] = trialsOf(LARGE, [1500, 1500], [6000]);
    assert.equal(two.needMore([twice], 0), true);
  });

  test('two nodes with more in them than the largest new one holds need two', () => {
    const [trials, both] = trialsOf(LARGE, [6000], [6000]);
    assert.equal(trials.needMore(both, 1), true);
    assert.equal(trials.needMore(both, 2), false);
  });

  test('a node is not exchanged for one that is as dear', () => {
    const [trials, [full]] = trialsOf(LARGE, [3000], [7000]);
    assert.equal(trials.needMore([full], 1), false);
    assert.equal(trials.moveFor([full], 1), undefined);
    const [cheaper, [halfEmpty]] = trialsOf(LARGE, [1900], [7000]);
    assert.equal(cheaper.moveFor([halfEmpty], 1)?.kind, 'replace');
  });

  test('two small ones may be cheaper than one that holds all', () => {
    const [trials, [full]] = trialsOf(LARGE, [1900, 1900], [7000]);
    assert.equal(trials.moveFor([full], 1), undefined);
    assert.equal(trials.moveFor([full], 2)?.replacements.length, 2);
  });

  test('room for very many is not counted, and is enough for more', () => {
    const [trials, [crowded]] = trialsOf(LARGE, new Array(70).fill(10), [10]);
    assert.equal(trials.needMore([crowded], 0), false);
  });

  test('it is charged like the work that it saves', () => {
    const [trials, [large]] = trialsOf(LARGE, [3000, 500], [6000]);
    trials.needMore([large], 0);
    const known = trials.work;
    trials.attempt([large], 0);
    assert.equal(trials.work, 2 * known);
  });
});

/** Some nodes take nothing in, some are gone, others are asked about. */
const anyState = fc.record({
  excluded: fc.array(fc.nat(), { maxLength: 8 }),
  kept: fc.array(fc.nat(), { maxLength: 4 }),
  reopened: fc.boolean(),
  groups: fc.array(fc.array(fc.nat(), { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 12 }),
  maxReplacements: fc.nat({ max: 2 }),
});

describe('what is known without placing pods comes true when they are placed', () => {
  const clusters: readonly (readonly [string, fc.Arbitrary<ClusterObjects>, number])[] = [
    ['in fleets with much to do', anyFleet, 300],
    ['in small clusters with every oddity', anyCluster, 300],
  ];
  for (const [where, arbitrary, usual] of clusters) {
    test(where, () => {
      fc.assert(
        fc.property(
          arbitrary,
          anyRules,
          anyState,
          (objects, own, { excluded, kept, reopened, groups, maxReplacements }) => {
            const problem = problemOf(objects, own);
            const { candidates, simulation } = problem;
            if (candidates.length === 0) return;
            const trials = new Trials(problem);
            const at = (i: number) => candidates[i % candidates.length];
            const isThere = (c: Candidate) => !simulation.existing.isGone(c.row);
            const ask = () => {
              for (const group of groups) {
                const nodes = [...new Set(group.map(at))].filter(isThere);
                if (nodes.length === 0) continue;
                const quick = trials.moveFor(nodes, maxReplacements);
                const trial = trials.attempt(nodes, maxReplacements);
                assert.deepEqual(quick, 'move' in trial ? trial.move : undefined);
                if (trials.needMore(nodes, maxReplacements)) {
                  assert.ok('refusal' in trial && trial.refusal !== 'not-approved');
                  assert.match(trial.refusal.code, /^(too-many-replacements|pods-unplaceable)$/);
                }
              }
            };
            for (const i of excluded) simulation.existing.exclude(at(i).row, true);
            ask();
            for (const i of kept) if (isThere(at(i))) trials.keep([at(i)], maxReplacements);
            ask();
            if (reopened) {
              simulation.undoTo(0);
              for (const i of excluded) simulation.existing.exclude(at(i).row, false);
              ask();
            }
          },
        ),
        runs(usual),
      );
    });
  }
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
