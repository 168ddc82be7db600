import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { PodObject } from '../../src/engine/cluster/objects.ts';
import { CAPACITY_TYPE, SPOT } from '../../src/engine/cluster/well-known.ts';
import { explainNode } from '../../src/engine/explanation/node-explanation.ts';
import type { Rules } from '../../src/engine/settings.ts';
import { type ClusterSketch, cluster } from '../build/cluster.ts';
import { is } from '../build/constraints.ts';
import { instanceType, offering } from '../build/instance-type.ts';
import { machine } from '../build/machine.ts';
import { nodePool } from '../build/node-pool.ts';
import { daemonPod, daemonSet, type PodSketch, pendingPod, pod } from '../build/pod.ts';
import { policy, rules } from '../build/policy.ts';
import { GIB } from '../build/units.ts';
import { onDemandPool } from './aws.ts';
import { policyNamed, rulesByPool } from './fleet-rules.ts';
import { planOf } from './searched.ts';
import { movesOf } from './summary.ts';

/** Rules of the documents, from objects to plans of both searches. */
function podsOn(on: string, count: number, cpu: number, more: PodSketch = {}): PodObject[] {
  return Array.from({ length: count }, (_, i) => pod(`${on}-${i}`, { on, cpu, memory: 1, ...more }));
}

function bothSearches(sketch: ClusterSketch, by: Rules): string[][] {
  return (['merged', 'karpenter'] as const).map((search) => movesOf(planOf(cluster(sketch), by, { search })));
}

describe('exactly at the savings threshold a move is made', () => {
  const old = instanceType('old', { cpu: 2000, price: 0.086 });
  const replaced = (price: number): ClusterSketch => ({
    machines: [machine('n', { type: old })],
    pods: podsOn('n', 5, 100),
    instanceTypes: [old, instanceType('new', { cpu: 2000, price })],
    nodePools: [onDemandPool('default')],
  });

  test('a replacement that saves 6.0 of 6.0', () => {
    const by = rules({ savingsThresholdCents: 1 });
    assert.deepEqual(bothSearches(replaced(0.026), by), [['replace n by new'], ['replace n by new']]);
    assert.deepEqual(bothSearches(replaced(0.0261), by), [[], []]);
  });

  test("explain's own advice holds: at the threshold that it names the node goes", () => {
    const objects = cluster(replaced(0.08));
    const at = (savingsThresholdCents: number) => rules({ savingsThresholdCents });
    const explained = explainNode({ objects, rules: at(1) }, planOf(objects, at(1)), 'n');
    const advised = explained?.unlocks.flatMap((u) => u.changes).find((c) => c.code === 'savings-threshold');
    assert.ok(advised?.code === 'savings-threshold');
    assert.deepEqual(movesOf(planOf(objects, at(advised.atMostCents))), ['replace n by new']);
  });

  const half = instanceType('half', { cpu: 2000, price: 0.5 });
  /** Two pools, 2 pods at threshold 5 and 10 pods at the other: 15 + 11 × threshold are required. */
  const twoPools = (price: number): ClusterSketch => ({
    machines: [machine('a', { type: half, pool: 'critical' }), machine('b', { type: half, pool: 'batch' })],
    pods: [...podsOn('a', 2, 900), ...podsOn('b', 10, 180)],
    instanceTypes: [half, instanceType('large', { cpu: 8000, price })],
    nodePools: ['critical', 'batch'].map((name) => onDemandPool(name)),
  });
  const twoThresholds = (batch: number) =>
    rulesByPool({ critical: policy({ savingsThresholdCents: 5 }), batch: policy({ savingsThresholdCents: batch }) });

  test('two pools at 26 and at 15 cents', () => {
    const together = [['replace a b by large'], ['replace a b by large']];
    assert.deepEqual(bothSearches(twoPools(0.74), twoThresholds(1)), together);
    assert.deepEqual(bothSearches(twoPools(0.85), twoThresholds(0)), together);
    assert.deepEqual(bothSearches(twoPools(0.7401), twoThresholds(1)), [[], []]);
  });

  test('two nodes that stock cannot replace, because in its order a node comes first whose pod goes nowhere else', () => {
    const apart = instanceType('apart', { cpu: 2000, price: 0.9 });
    const sketch = (price: number): ClusterSketch => ({
      machines: [
        ...['a', 'b'].map((name) => machine(name, { type: half })),
        machine('first', { type: apart, labels: { only: 'here' } }),
      ],
      pods: [
        ...['a', 'b'].flatMap((on) => podsOn(on, 2, 900)),
        ...podsOn('first', 1, 1900, { nodeSelector: { only: 'here' } }),
      ],
      instanceTypes: [half, apart, instanceType('large', { cpu: 8000, price })],
      nodePools: [onDemandPool('default')],
    });
    const by = rules({ savingsThresholdCents: 1 });
    assert.deepEqual(bothSearches(sketch(0.94), by), [['replace a b by large'], []]);
    assert.deepEqual(bothSearches(sketch(0.9401), by), [[], []]);
  });

  test('a deletion', () => {
    const type = instanceType('type', { cpu: 2000, price: 0.06 });
    const sketch: ClusterSketch = {
      machines: [machine('n', { type }), machine('stays', { type, doNotDisrupt: 'true' })],
      pods: podsOn('n', 5, 100),
      instanceTypes: [type],
      nodePools: [onDemandPool('default')],
    };
    assert.deepEqual(bothSearches(sketch, rules({ savingsThresholdCents: 1 })), [['delete n'], ['delete n']]);
    assert.deepEqual(bothSearches(sketch, rules({ savingsThresholdCents: 1.001 })), [[], []]);
  });

  test('15 spot types of which each saves exactly what is required', () => {
    const spotType = (name: string, price: number) =>
      instanceType(name, { offerings: [offering('zone-a', SPOT, price)] });
    const spot = (count: number): ClusterSketch => {
      const was = spotType('was', 0.1);
      return {
        machines: [machine('n', { type: was, capacityType: SPOT })],
        pods: podsOn('n', 1, 100),
        instanceTypes: [was, ...Array.from({ length: count }, (_, i) => spotType(`s-${i}`, 0.08))],
        nodePools: [nodePool('default', { requirements: [is(CAPACITY_TYPE, 'In', SPOT)] })],
        options: { spotToSpot: true },
      };
    };
    const by = rules({ savingsThresholdCents: 1 });
    assert.deepEqual(bothSearches(spot(15), by).flat().length, 2);
    assert.deepEqual(bothSearches(spot(14), by).flat(), []);
  });
});

describe('empty nodes', () => {
  const type = instanceType('type', { price: 0.5 });
  const agents = daemonSet('agent', { cpu: 1, memory: 1 });
  const sketch: ClusterSketch = {
    machines: [machine('empty', { type })],
    daemonSets: [agents],
    pods: [daemonPod(agents, 'empty')],
    instanceTypes: [type],
    nodePools: [onDemandPool('default')],
  };
  const by = rules({ savingsThresholdCents: 50 });

  test('the threshold does not keep one, and no requirement is shown that was not applied', () => {
    const objects = cluster(sketch);
    const plan = planOf(objects, by);
    assert.deepEqual(movesOf(plan), ['delete empty']);
    assert.deepEqual([plan.moves[0].requiredCentsPerHour, plan.nodes[0].alone.requiredCentsPerHour], [0, 0]);
    assert.equal(plan.moves[0].disruptionCost, 2);
    const gate = explainNode({ objects, rules: by }, plan, 'empty')?.gates.find((g) => g.gate === 'savings-threshold');
    assert.equal(gate?.verdict, 'off');
  });
});

describe('pods of cost 0 or less are pods', () => {
  const large = instanceType('large', { cpu: 8000, memory: 32 * GIB, price: 0.4 });
  const small = instanceType('small', { cpu: 2000, memory: 8 * GIB, price: 0.1 });
  const cheapPods: ClusterSketch = {
    machines: [machine('n', { type: large })],
    pods: podsOn('n', 2, 700, { deletionCost: '-268435456' }),
    instanceTypes: [large, small],
    nodePools: [onDemandPool('default')],
  };

  test('their node is replaced, not deleted', () =>
    assert.deepEqual(bothSearches(cheapPods, rules()), [['replace n by small'], ['replace n by small']]));

  test('WhenEmpty keeps it', () => {
    const [{ refusals, alone }] = planOf(cluster(cheapPods), rulesByPool({ default: policyNamed('WhenEmpty') })).nodes;
    assert.deepEqual([refusals.map((r) => r.code), alone.decision], [['policy-when-empty'], 'none']);
  });

  test('the utilization gate counts it', () => {
    const [{ refusals }] = planOf(cluster(cheapPods), rules({}, { utilizationThreshold: 0.01 })).nodes;
    assert.deepEqual(
      refusals.map((r) => r.code),
      ['utilization'],
    );
  });

  test('explain agrees with plan', () => {
    const objects = cluster(cheapPods);
    const plan = planOf(objects, rules());
    const explained = explainNode({ objects, rules: rules() }, plan, 'n');
    assert.deepEqual(
      [explained?.verdict, explained?.removal?.newNodes, plan.nodes[0].alone.decision],
      ['goes', 1, 'replace'],
    );
  });

  test('in compatibility it is empty, as in Karpenter', () =>
    assert.deepEqual(bothSearches(cheapPods, rules({}, { compat: true })), [['delete n'], ['delete n']]));
});

test("negative costs of one pool never pay for another pool's pods", () => {
  const half = instanceType('half', { cpu: 2000, price: 0.5 });
  const sketch: ClusterSketch = {
    machines: [machine('a', { type: half, pool: 'critical' }), machine('b', { type: half, pool: 'batch' })],
    // −9 and less for each pod of the batch pool.
    pods: [...podsOn('a', 2, 900), ...podsOn('b', 10, 180, { deletionCost: '-2147483648' })],
    instanceTypes: [half, instanceType('large', { cpu: 8000, price: 0.9 })],
    nodePools: ['critical', 'batch'].map((name) => onDemandPool(name)),
  };
  const by = rulesByPool({
    critical: policy({ savingsThresholdCents: 5 }),
    batch: policy({ savingsThresholdCents: 1 }),
  });
  assert.deepEqual(bothSearches(sketch, by), [[], []]);
});

describe('multiNode.maxParallel limits its own pool only', () => {
  const type = instanceType('type', { cpu: 2000, price: 0.1 });
  const nodes = [...Array(2).keys()].map((i) => `tight-${i}`).concat([...Array(4).keys()].map((i) => `wide-${i}`));
  const sketch: ClusterSketch = {
    machines: nodes.map((name) => machine(name, { type, pool: name.split('-')[0] })),
    pods: nodes.map((on) => pod(`on-${on}`, { on, cpu: 1100, memory: 1 })),
    instanceTypes: [type, instanceType('huge', { cpu: 7000, price: 0.11 })],
    nodePools: ['tight', 'wide'].map((name) => onDemandPool(name)),
  };
  const by = (tight: number) =>
    rulesByPool({ tight: policyNamed('WhenUnderutilizedOrCheaper', { maxParallel: tight }), wide: policy() });

  test('in both searches', () => {
    const all = [[`replace ${nodes.join(' ')} by huge`], [`replace ${nodes.join(' ')} by huge`]];
    assert.deepEqual(bothSearches(sketch, by(2)), all);
    for (const moves of bothSearches(sketch, by(1))) assert.ok((moves[0].match(/tight/g) ?? []).length <= 1, moves[0]);
  });
});

describe('exactly at a limit is at the limit', () => {
  const type = instanceType('type', { cpu: 10_000, memory: 10 * GIB, price: 0.2 });
  /** Requests of 0.1 + 0.2 of the node, which floats make a little more than 0.3 of. */
  const used: ClusterSketch = {
    machines: [machine('n', { type }), machine('stays', { type, doNotDisrupt: 'true' })],
    pods: [pod('a', { on: 'n', cpu: 1000, memory: 2 * GIB }), pod('b', { on: 'n', cpu: 2000, memory: GIB })],
    instanceTypes: [type],
    nodePools: [onDemandPool('default')],
  };

  test('utilization of 30 % and a threshold of 0.3, whichever way it is computed', () => {
    for (const utilizationThreshold of [0.3, 0.1 + 0.2, 1 - 0.7, 0.7 - 0.4])
      assert.deepEqual(movesOf(planOf(cluster(used), rules({}, { utilizationThreshold }))), ['delete n']);
    assert.deepEqual(movesOf(planOf(cluster(used), rules({}, { utilizationThreshold: 0.29999 }))), []);
  });

  test('emptyThreshold', () => {
    for (const emptyThreshold of [0.3, 1 - 0.7, 0.7 - 0.4])
      assert.deepEqual(
        movesOf(planOf(cluster(used), rulesByPool({ default: policyNamed('WhenEmpty', { emptyThreshold }) }))),
        ['delete n'],
      );
  });

  test('a percentage of the price', () => {
    const cheaper = instanceType('cheaper', { cpu: 10_000, memory: 10 * GIB, price: 0.14 });
    const sketch: ClusterSketch = { ...used, machines: [machine('n', { type })], instanceTypes: [type, cheaper] };
    const at = (minSavingsPercent: number) => movesOf(planOf(cluster(sketch), rules({ minSavingsPercent })));
    assert.deepEqual(at(30), ['replace n by cheaper']);
    assert.deepEqual(at(30.01), []);
  });

  test('the Balanced score', () => {
    // Half of the cost of the pool for half of its disruption: a score of 1 at k = 1.
    const sketch: ClusterSketch = {
      ...used,
      machines: [machine('n', { type }), machine('m', { type, doNotDisrupt: 'true' })],
      pods: [...(used.pods ?? []), pod('c', { on: 'm' }), pod('d', { on: 'm' })],
    };
    const at = (balancedK: number) => movesOf(planOf(cluster(sketch), rules({ policy: 'Balanced', balancedK })));
    assert.deepEqual([at(1), at(0.999)], [['delete n'], []]);
    assert.deepEqual(at(0.1 * 3 + 0.7 - Number.EPSILON), ['delete n']);
  });
});

describe('a pending pod that the scheduler found no node for', () => {
  const large = instanceType('large', { cpu: 8000, memory: 32 * GIB, price: 0.4 });
  const small = instanceType('small', { cpu: 2000, memory: 8 * GIB, price: 0.1 });

  test('does not hide a move that stock finds', () => {
    const sketch: ClusterSketch = {
      machines: [machine('n', { type: large })],
      pods: [pod('runs', { on: 'n', cpu: 700 }), pendingPod('waits', { cpu: 700 })],
      instanceTypes: [large, small],
      nodePools: [onDemandPool('default')],
    };
    assert.deepEqual(bothSearches(sketch, rules()), [['replace n by small'], ['replace n by small']]);
  });

  test('keeps a node that only it fits on', () => {
    const sketch: ClusterSketch = {
      machines: [machine('n', { type: large }), machine('m', { type: small })],
      pods: [
        pod('runs', { on: 'n', cpu: 700 }),
        pod('other', { on: 'm', cpu: 100 }),
        pendingPod('waits', { cpu: 7000 }),
      ],
      instanceTypes: [small],
      nodePools: [onDemandPool('default')],
    };
    const moves = movesOf(
      planOf(
        cluster({
          ...sketch,
          instanceTypes: [large, small],
          nodePools: [onDemandPool('default', { limits: { cpu: 1 } })],
        }),
        rules(),
      ),
    );
    assert.ok(!moves.some((m) => m.includes(' n')), moves.join());
  });
});

describe('a move of several nodes that the threshold blocks', () => {
  const half = instanceType('half', { cpu: 2000, price: 0.5 });
  const sketch: ClusterSketch = {
    machines: [machine('a', { type: half, pool: 'critical' }), machine('b', { type: half, pool: 'batch' })],
    pods: [...podsOn('a', 2, 900), ...podsOn('b', 10, 180)],
    instanceTypes: [half, instanceType('large', { cpu: 8000, price: 0.9 })],
    nodePools: ['critical', 'batch'].map((name) => onDemandPool(name)),
  };
  const by = rulesByPool({
    critical: policy({ savingsThresholdCents: 5 }),
    batch: policy({ savingsThresholdCents: 1 }),
  });
  const text =
    'consolidation blocked: savings 10.0 cents/hr below required 26.0 cents/hr (disruption_cost=14.0, threshold=1.86) for nodes a, b together';

  for (const search of ['merged', 'karpenter'] as const) {
    test(`is a refusal of each of them in the plan of the ${search} search, with its numbers`, () => {
      const { nodes } = planOf(cluster(sketch), by, { search });
      for (const { refusals } of nodes) {
        const refusal = refusals.find((r) => r.code === 'savings-below-threshold');
        assert.equal(refusal?.message, text);
        assert.deepEqual(refusal?.nodes, ['a', 'b']);
      }
    });
  }

  test('and in explain', () => {
    const objects = cluster(sketch);
    const plan = planOf(objects, by);
    for (const name of ['a', 'b']) {
      const gate = explainNode({ objects, rules: by }, plan, name)?.gates.find((g) => g.gate === 'savings-threshold');
      assert.deepEqual([gate?.verdict, gate?.message], ['fail', text]);
    }
  });

  test("explain's advice holds: lower thresholds, of no more pools than necessary, at which they go together", () => {
    const objects = cluster(sketch);
    const at = (thresholds: Readonly<Record<string, number>>) =>
      rulesByPool({
        critical: policy({ savingsThresholdCents: thresholds.critical }),
        batch: policy({ savingsThresholdCents: thresholds.batch }),
      });
    const advised = (thresholds: Readonly<Record<string, number>>) => {
      const unlock = explainNode({ objects, rules: at(thresholds) }, planOf(objects, at(thresholds)), 'b')?.unlocks[0];
      assert.deepEqual(unlock?.nodes, ['a', 'b']);
      const lower = unlock.changes.map((c) => (c.code === 'savings-threshold' ? [c.nodePool, c.atMostCents] : []));
      return { words: unlock.message, thresholds: { ...thresholds, ...Object.fromEntries(lower) } };
    };
    const both = advised({ critical: 5, batch: 1 });
    assert.match(
      both.words,
      /≤ 0.714 for NodePool critical, and .* ≤ 0.714 for NodePool batch: then replaced together with a, saving 10/,
    );
    const one = advised({ critical: 5, batch: 0.5 });
    assert.deepEqual([one.thresholds.critical.toFixed(9), one.thresholds.batch], ['1.500000000', 0.5]);
    assert.doesNotMatch(one.words, /batch/);
    for (const { thresholds } of [both, one]) {
      assert.deepEqual(movesOf(planOf(objects, at(thresholds))), ['replace a b by large']);
      const more = { ...thresholds, critical: thresholds.critical + 0.001 };
      assert.deepEqual(movesOf(planOf(objects, at(more))), []);
    }
  });
});
