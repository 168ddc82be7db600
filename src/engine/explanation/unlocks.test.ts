import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { cluster } from '../../../test/build/cluster.ts';
import { is, nodeWith, podsOf, spread, weighing } from '../../../test/build/constraints.ts';
import { instanceType, offering } from '../../../test/build/instance-type.ts';
import { machine } from '../../../test/build/machine.ts';
import { nodePool } from '../../../test/build/node-pool.ts';
import { type PodSketch, pod } from '../../../test/build/pod.ts';
import { rules } from '../../../test/build/policy.ts';
import { anyCluster } from '../../../test/build/random/cluster.ts';
import { runs } from '../../../test/build/runs.ts';
import { GIB, MINUTE_MS, NOW_MS } from '../../../test/build/units.ts';
import type { ClusterObjects, PodDisruptionBudgetObject } from '../cluster/objects.ts';
import { HOSTNAME, ZONE } from '../cluster/well-known.ts';
import { plan } from '../plan.ts';
import type { PlannedNode } from '../plan-document.ts';
import type { Rules } from '../settings.ts';
import type { Change } from './change.ts';
import { explainNode } from './node-explanation.ts';
import { changed, type Situation } from './situation.ts';
import { NodeTrials } from './trial.ts';
import { findUnlocks, type Unlock } from './unlocks.ts';

/** What a plan, made from nothing, says of the node: the judge of everything that is claimed. */
function planned({ objects, rules: own }: Situation, name: string): PlannedNode {
  const { nodes } = plan(objects, { search: 'karpenter', rules: own, loadMs: 0 }, () => 0);
  const node = nodes.find((n) => n.name === name);
  assert.ok(node !== undefined);
  return node;
}

function mayGo(situation: Situation, name: string): boolean {
  return planned(situation, name).alone.decision !== 'none';
}

function unlocksOf(situation: Situation, name: string): readonly Unlock[] {
  const trials = new NodeTrials(situation, name);
  return findUnlocks(trials, trials.run()).unlocks;
}

/** The unlock that consists of one change of this kind. */
function single<C extends Change['code']>(found: readonly Unlock[], code: C): Extract<Change, { code: C }> {
  const unlock = found.find(({ changes }) => changes.length === 1 && changes[0].code === code);
  assert.ok(unlock !== undefined, `${code} is among ${JSON.stringify(found.map((u) => u.changes.map((c) => c.code)))}`);
  return unlock.changes[0] as Extract<Change, { code: C }>;
}

/** Node "a" costs 20 cents and holds one pod, which fits on "b": deleting it saves 20 cents for a cost of 2. */
function pair(more: Partial<Parameters<typeof cluster>[0]> = {}): ClusterObjects {
  return cluster({
    machines: [machine('a', { lastPodEventMs: NOW_MS - MINUTE_MS }), machine('b')],
    pods: [pod('p', { on: 'a', cpu: 2000, memory: 8 * GIB }), pod('q', { on: 'b', cpu: 1000 })],
    ...more,
  });
}

describe('what is said to unlock a node unlocks it, and a hair less does not', () => {
  test('savings threshold', () => {
    const objects = pair();
    const at = (savingsThresholdCents: number): Situation => ({ objects, rules: rules({ savingsThresholdCents }) });
    const { atMostCents } = single(unlocksOf(at(15), 'a'), 'savings-threshold');
    assert.equal(atMostCents, 10);
    assert.ok(mayGo(at(atMostCents), 'a'));
    assert.ok(!mayGo(at(atMostCents + 1e-6), 'a'));
  });

  test('more savings', () => {
    // A type that no pool launches: its price belongs to this node only.
    const costing = (cents: number): Situation => {
      const relic = instanceType('relic', { price: cents / 100 });
      const base = pair({ machines: [machine('a', { type: relic }), machine('b')] });
      return {
        objects: { ...base, instanceTypes: [...base.instanceTypes, relic] },
        rules: rules({ savingsThresholdCents: 15 }),
      };
    };
    const { cents } = single(unlocksOf(costing(20), 'a'), 'more-savings');
    assert.ok(Math.abs(cents - 10) < 1e-9);
    assert.ok(mayGo(costing(20 + cents), 'a'));
    assert.ok(!mayGo(costing(20 + cents - 1e-3), 'a'));
  });

  test('savings that count less for the lifetime of the destination', () => {
    // Spot costs 4 cents; of what is saved, about half counts, and 18 cents are required.
    const at = (cents: number, savingsThresholdCents = 9): Situation => {
      const relic = instanceType('relic', { price: cents / 100 });
      const base = cluster({ machines: [machine('a', { type: relic })], pods: [pod('p', { on: 'a', cpu: 1500 })] });
      return {
        objects: { ...base, instanceTypes: [...base.instanceTypes, relic] },
        rules: rules({ savingsThresholdCents }, { destinationLifetime: true, spotInterruptionsPerHour: 0.07 }),
      };
    };
    const { cents } = single(unlocksOf(at(24), 'a'), 'more-savings');
    assert.ok(mayGo(at(24 + cents), 'a'));
    assert.ok(!mayGo(at(24 + cents - 1e-3), 'a'));
    const { atMostCents } = single(unlocksOf(at(24), 'a'), 'savings-threshold');
    assert.ok(mayGo(at(24, atMostCents), 'a'));
    assert.ok(!mayGo(at(24, atMostCents + 1e-3), 'a'));
    const { objects, rules: by } = at(24, atMostCents);
    const made = plan(objects, { search: 'merged', rules: by, loadMs: 0 }, () => 0);
    const gate = explainNode({ objects, rules: by }, made, 'a')?.gates.find((g) => g.gate === 'savings-threshold');
    assert.match(
      gate?.message ?? '',
      /^saves 20 ¢\/h, discounted to 9\.69 ¢\/h for the lifetime of the destination, ≥ 9\.69 ¢/,
    );
  });

  test('minimum percent of a replacement', () => {
    const objects = cluster({ machines: [machine('a')], pods: [pod('p', { on: 'a', cpu: 1500 })] });
    const at = (minSavingsPercent: number): Situation => ({ objects, rules: rules({ minSavingsPercent }) });
    const { atMost } = single(unlocksOf(at(95), 'a'), 'savings-percent');
    assert.ok(mayGo(at(atMost), 'a'));
    assert.ok(!mayGo(at(atMost + 1e-6), 'a'));
  });

  test('more savings for a minimum percent', () => {
    const costing = (cents: number): Situation => {
      const relic = instanceType('relic', { price: cents / 100 });
      const base = cluster({ machines: [machine('a', { type: relic })], pods: [pod('p', { on: 'a', cpu: 1500 })] });
      return {
        objects: { ...base, instanceTypes: [...base.instanceTypes, relic] },
        rules: rules({ minSavingsPercent: 90 }),
      };
    };
    const { cents } = single(unlocksOf(costing(20), 'a'), 'more-savings');
    assert.ok(mayGo(costing(20 + cents), 'a'));
    assert.ok(!mayGo(costing(20 + cents - 1e-3), 'a'));
  });

  test('fewer types for spot to spot', () => {
    const objects = cluster({
      machines: [machine('a', { capacityType: 'spot' })],
      pods: [pod('p', { on: 'a', cpu: 1500 })],
      options: { spotToSpot: true },
    });
    const at = (spotToSpotTypes: number): Situation => ({ objects, rules: rules({}, { spotToSpotTypes }) });
    const { atMost } = single(unlocksOf(at(15), 'a'), 'spot-to-spot-types');
    assert.equal(atMost, 1);
    assert.ok(mayGo(at(atMost), 'a'));
    assert.ok(!mayGo(at(atMost + 1), 'a'));
  });

  describe('what a pod only prefers, if a new node that honours it eats the savings (k#667, aws#6426)', () => {
    // One price everywhere: no replacement is cheaper.
    const offerings = ['zone-a', 'zone-b'].map((zone) => offering(zone, 'on-demand', 0.2));
    const medium = instanceType('medium', { offerings });
    const cases: readonly (readonly [PodSketch, Extract<Change, { code: 'preference-free' }>['kind'], string])[] = [
      [{ topologySpread: [spread('web', HOSTNAME, { whenUnsatisfiable: 'ScheduleAnyway' })] }, 'spread', HOSTNAME],
      [{ preferredAntiAffinity: [weighing(100, podsOf('web', HOSTNAME))] }, 'anti-affinity', HOSTNAME],
      [{ preferredNodeTerms: [weighing(1, nodeWith(is(ZONE, 'In', 'zone-a')))] }, 'node-affinity', ZONE],
    ];
    for (const [wish, kind, key] of cases) {
      test(kind, () => {
        const web = { cpu: 500, labels: { app: 'web' }, ...wish };
        const objects = cluster({
          machines: [machine('a', { type: medium }), machine('b', { type: medium, zone: 'zone-b' })],
          pods: [pod('p', { on: 'a', ...web }), pod('q', { on: 'b', ...web })],
          instanceTypes: [medium],
        });
        const at: Situation = { objects, rules: rules({}) };
        assert.ok(!mayGo(at, 'a'));
        const found = unlocksOf(at, 'a');
        const change = single(found, 'preference-free');
        assert.deepEqual(change, { code: 'preference-free', pods: ['default/p'], kind, key });
        assert.ok(mayGo(changed(at, [change]), 'a'));
        assert.ok(mayGo(changed(at, [single(found, 'preferences-ignored')]), 'a'));
      });
    }
  });

  test('of two waits the longer', () => {
    // Up for two hours, three are asked for; the last pod came a minute ago, five are asked for.
    const settings = { minNodeLifetimeMs: 180 * MINUTE_MS, minNodeLifetimeForAll: true };
    const own = rules({ consolidateAfterMs: 5 * MINUTE_MS }, settings);
    const { ms, until } = single(unlocksOf({ objects: pair(), rules: own }, 'a'), 'wait');
    assert.deepEqual([ms, until], [60 * MINUTE_MS, 'minimum-lifetime']);
  });

  test('utilization threshold', () => {
    const objects = pair();
    const at = (utilizationThreshold: number): Situation => ({ objects, rules: rules({}, { utilizationThreshold }) });
    const { atLeast } = single(unlocksOf(at(0.25), 'a'), 'utilization-threshold');
    assert.equal(atLeast, 0.5);
    assert.ok(mayGo(at(atLeast), 'a'));
    assert.ok(!mayGo(at(atLeast - 1e-6), 'a'));
  });

  test('waiting, and a shorter consolidateAfter', () => {
    const objects = pair();
    const at = (waitMs: number, consolidateAfterMs: number): Situation => ({
      objects: { ...objects, nowMs: NOW_MS + waitMs },
      rules: rules({ consolidateAfterMs }),
    });
    const found = unlocksOf(at(0, 5 * MINUTE_MS), 'a');
    const { ms } = single(found, 'wait');
    assert.equal(ms, 4 * MINUTE_MS);
    assert.ok(mayGo(at(ms, 5 * MINUTE_MS), 'a'));
    assert.ok(!mayGo(at(ms - 1, 5 * MINUTE_MS), 'a'));
    const { atMostMs } = single(found, 'consolidate-after');
    assert.ok(mayGo(at(0, atMostMs), 'a'));
    assert.ok(!mayGo(at(0, atMostMs + 1), 'a'));
  });

  test('an annotation that runs out', () => {
    const startedMs = NOW_MS - MINUTE_MS;
    const objects = pair({ pods: [pod('p', { on: 'a', doNotDisrupt: '4m', startedMs })] });
    const at = (waitMs: number): Situation => ({ objects: { ...objects, nowMs: NOW_MS + waitMs }, rules: rules() });
    const { ms } = single(unlocksOf(at(0), 'a'), 'wait');
    assert.equal(ms, 3 * MINUTE_MS);
    assert.ok(mayGo(at(ms), 'a'));
    assert.ok(!mayGo(at(ms - 1), 'a'));
  });

  test('a PodDisruptionBudget with one more', () => {
    const withAllowed = (disruptionsAllowed: number): Situation => {
      const budget: PodDisruptionBudgetObject = {
        namespace: 'default',
        name: 'all',
        selector: {},
        disruptionsAllowed,
        fullyBlocking: false,
        evictsUnhealthy: false,
      };
      return { objects: pair({ podDisruptionBudgets: [budget] }), rules: rules() };
    };
    const { budget, more } = single(unlocksOf(withAllowed(0), 'a'), 'disruption-budget');
    assert.deepEqual([budget, more], ['default/all', 1]);
    assert.ok(!mayGo(withAllowed(0), 'a'));
    assert.ok(mayGo(withAllowed(more), 'a'));
  });

  test('a zone left, a pod gone, a node with more room', () => {
    const sketch = (at: { zone?: boolean; pod?: boolean; cpu?: number }): Situation => ({
      objects: cluster({
        nodePools: [nodePool('default', { requirements: [{ key: ZONE, operator: 'In', values: ['zone-b'] }] })],
        machines: [
          machine('a'),
          machine('b', { zone: 'zone-b' }),
          machine('c', { allocatable: { cpu: 2000 + (at.cpu ?? 0), memory: 16 * GIB, pods: 16 } }),
        ],
        pods: [
          ...(at.pod === false
            ? []
            : [pod('p', { on: 'a', cpu: 1500, nodeSelector: at.zone === false ? {} : { [ZONE]: 'zone-a' } })]),
          pod('tiny', { on: 'a', cpu: 100 }),
          pod('q', { on: 'b', cpu: 1000 }),
          pod('r', { on: 'c', cpu: 1000, nodeSelector: { [ZONE]: 'zone-a' } }),
        ],
      }),
      rules: rules(),
    });
    const found = unlocksOf(sketch({}), 'a');
    const { pods, key, values } = single(found, 'label-free');
    assert.deepEqual([pods, key, values], [['default/p'], ZONE, ['zone-a']]);
    const { node, resources } = single(found, 'more-room');
    assert.equal(node, 'c');
    assert.equal(single(found, 'pod-gone').pod, 'default/p');
    assert.ok(!mayGo(sketch({}), 'a'));
    assert.ok(mayGo(sketch({ zone: false }), 'a'));
    assert.ok(mayGo(sketch({ pod: false }), 'a'));
    assert.ok(mayGo(sketch({ cpu: resources.cpu }), 'a'));
    assert.ok(!mayGo(sketch({ cpu: resources.cpu - 1 }), 'a'));
  });

  test('more replacements', () => {
    // Two pods that may not share a host, and nothing but small nodes to be had beside this large one.
    const small = instanceType('small', { cpu: 2000, memory: 8 * GIB, price: 0.1 });
    const large = instanceType('large', { cpu: 8000, memory: 32 * GIB, price: 0.9 });
    const apart = (name: string) => pod(name, { on: 'a', cpu: 1500 });
    const objects = cluster({
      instanceTypes: [small, large],
      nodePools: [
        nodePool('default', {
          requirements: [{ key: 'node.kubernetes.io/instance-type', operator: 'In', values: ['small'] }],
        }),
      ],
      machines: [machine('a', { type: large })],
      pods: [apart('p'), apart('q'), apart('r')],
    });
    const at = (maxReplacements: number): Situation => ({ objects, rules: rules({}, { maxReplacements }) });
    const { atLeast } = single(unlocksOf(at(1), 'a'), 'max-replacements');
    assert.equal(atLeast, 3);
    assert.equal(new NodeTrials(at(atLeast), 'a').run().refusals.length, 0);
    assert.notEqual(new NodeTrials(at(atLeast - 1), 'a').run().refusals.length, 0);
  });

  test('Balanced k', () => {
    const objects = pair({ machines: [machine('a', { zone: 'zone-a' }), machine('b'), machine('c')] });
    const at = (balancedK: number): Situation => ({ objects, rules: rules({ policy: 'Balanced', balancedK }) });
    const { atLeast } = single(unlocksOf(at(0.1), 'a'), 'balanced-k');
    assert.ok(mayGo(at(atLeast), 'a'));
    assert.ok(!mayGo(at(atLeast * (1 - 1e-6)), 'a'));
  });

  test('a budget that allowed one more', () => {
    const objects = pair({ nodePools: [nodePool('default', { budgets: [{ nodes: '0' }] })] });
    const own = rules({ budgets: [{ nodes: '0' }] });
    const { atLeast, disrupting } = single(unlocksOf({ objects, rules: own }, 'a'), 'budget');
    assert.deepEqual([atLeast, disrupting], [1, 0]);
  });

  test('a budget that waits for its window to close', () => {
    // From 11:00 to 13:00 nothing may go; it is 12:00.
    const budgets = [{ nodes: '0', schedule: '0 11 * * *', durationMs: 120 * MINUTE_MS }];
    const objects = pair({ nodePools: [nodePool('default', { budgets })] });
    const { ms } = single(unlocksOf({ objects, rules: rules({ budgets }) }, 'a'), 'wait');
    assert.equal(ms, 60 * MINUTE_MS);
  });
});

const anyRules: fc.Arbitrary<Rules> = fc
  .record({
    savingsThresholdCents: fc.constantFrom(0, 0, 1, 5),
    minSavingsPercent: fc.constantFrom(0, 0, 50),
    consolidateAfterMs: fc.constantFrom(0, 0, 5 * MINUTE_MS),
    utilizationThreshold: fc.constantFrom(1, 0.75, 0.3),
    policy: fc.constantFrom('WhenUnderutilizedOrCheaper' as const, 'Balanced' as const),
  })
  .map(({ utilizationThreshold, ...block }) => rules(block, { utilizationThreshold }));

/** Claims that a plan cannot confirm: budgets are not its to decide for one node, and it may know one replacement only. */
const ASIDE: ReadonlySet<Change['code']> = new Set(['more-savings', 'max-replacements', 'budget']);

/** The same change by a hair less; undefined for changes without a number, and for those that a plan cannot judge. */
function lessOf(change: Change): Change | undefined {
  switch (change.code) {
    case 'savings-threshold':
      return { ...change, atMostCents: change.atMostCents * (1 + 1e-6) + 1e-6 };
    case 'savings-percent':
      return { ...change, atMost: change.atMost + 1e-4 };
    // More than the tolerance of 1e-7 for shares; the score is compared with 1/k.
    case 'utilization-threshold':
      return { ...change, atLeast: change.atLeast - 1e-6 };
    case 'balanced-k':
      return { ...change, atLeast: change.atLeast * (1 - 1e-6 * Math.max(1, change.atLeast)) };
    case 'wait':
      return change.until === 'budget' ? undefined : { ...change, ms: change.ms - 1 };
    case 'consolidate-after':
      return { ...change, atMostMs: change.atMostMs + 1 };
    default:
      return undefined;
  }
}

test('on any cluster: the trial agrees with the plan, and so does every unlock', () => {
  let confirmed = 0;
  let sharp = 0;
  fc.assert(
    fc.property(anyCluster, anyRules, (objects, own) => {
      const situation: Situation = { objects, rules: own };
      const { nodes } = plan(objects, { search: 'karpenter', rules: own, loadMs: 0 }, () => 0);
      for (const node of nodes) {
        const trials = new NodeTrials(situation, node.name);
        const first = trials.run();
        const refused = first.refusals.some((r) => r.code !== 'budget');
        assert.equal(refused, node.alone.decision === 'none', node.name);
        for (const { changes, decision } of findUnlocks(trials, first).unlocks) {
          if (changes.some((c) => ASIDE.has(c.code))) continue;
          const then = planned(changed(situation, changes), node.name);
          assert.equal(then.alone.decision, decision, JSON.stringify(changes));
          confirmed++;
          changes.forEach((change, i) => {
            const less = lessOf(change);
            if (less === undefined) return;
            const nearly = changes.with(i, less);
            assert.ok(!mayGo(changed(situation, nearly), node.name), JSON.stringify(nearly));
            sharp++;
          });
        }
      }
    }),
    runs(40),
  );
  assert.ok(confirmed > 20 && sharp > 10, `${confirmed} unlocks were seen, ${sharp} limits`);
});
