import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { cluster } from '../../../test/build/cluster.ts';
import { instanceType, MEDIUM, offering } from '../../../test/build/instance-type.ts';
import { machine } from '../../../test/build/machine.ts';
import { nodePool } from '../../../test/build/node-pool.ts';
import { pendingPod, pod } from '../../../test/build/pod.ts';
import { rules } from '../../../test/build/policy.ts';
import { anyCluster } from '../../../test/build/random/cluster.ts';
import { runs } from '../../../test/build/runs.ts';
import { GIB, MINUTE_MS, NOW_MS } from '../../../test/build/units.ts';
import type { ClusterObjects } from '../cluster/objects.ts';
import { ON_DEMAND, SPOT, ZONE } from '../cluster/well-known.ts';
import { plan } from '../plan.ts';
import { type Rules, STOCK_RULES } from '../settings.ts';
import { MOVE_GATES, NODE_GATES } from './gate-names.ts';
import { explainNode, type NodeExplanation } from './node-explanation.ts';
import type { NotPlanned } from './not-planned.ts';
import { mayBeCandidate } from './trial.ts';
import { notPlannedWords } from './words.ts';

function explained(
  objects: ClusterObjects,
  name: string,
  own: Rules = rules(),
  search: 'karpenter' | 'merged' = 'karpenter',
): NodeExplanation {
  const made = plan(objects, { search, rules: own, loadMs: 0 }, () => 0);
  const found = explainNode({ objects, rules: own }, made, name);
  assert.ok(found !== undefined);
  return found;
}

function verdicts(e: NodeExplanation): Record<string, string> {
  return Object.fromEntries(e.gates.map((g) => [g.gate, g.verdict]));
}

test('gates after a refusing gate run too, and the removal is simulated as if all had passed', () => {
  const objects = cluster({
    nodePools: [nodePool('default', { requirements: [{ key: ZONE, operator: 'In', values: ['zone-b'] }] })],
    machines: [machine('a', { lastPodEventMs: NOW_MS - MINUTE_MS }), machine('b', { zone: 'zone-b' })],
    pods: [
      pod('guarded', { on: 'a', cpu: 1000, doNotDisrupt: 'true' }),
      pod('tied', { on: 'a', cpu: 1000, nodeSelector: { [ZONE]: 'zone-a' } }),
      // No node can hold it.
      pendingPod('giant', { cpu: 100_000 }),
    ],
  });
  const e = explained(objects, 'a', rules({ consolidateAfterMs: 5 * MINUTE_MS }, { utilizationThreshold: 0.1 }));
  assert.equal(e.verdict, 'stays');
  const by = verdicts(e);
  assert.equal(by.managed, 'pass');
  assert.equal(by['pods-evictable'], 'fail');
  assert.equal(by['consolidate-after'], 'fail');
  assert.equal(by.utilization, 'fail');
  assert.equal(by.placeable, 'fail');
  assert.equal(by.cheaper, 'not-reached');
  assert.equal(by['grace-period'], 'off');
  assert.deepEqual(e.removal?.placements, [{ pod: 'default/guarded', to: 'b' }]);
  assert.equal(e.removal?.stranded.length, 1);
  const [stranded] = e.removal?.stranded ?? [];
  assert.deepEqual(
    stranded.nodes.map((n) => n.example),
    ['b'],
  );
  assert.deepEqual(stranded.pods, ['default/tied']);
  assert.deepEqual(
    stranded.nodePools.map((p) => p.obstacle.code),
    ['label'],
  );
  assert.deepEqual(
    e.assumed.map((c) => c.code),
    ['pod-annotation-gone', 'wait', 'utilization-threshold'],
  );
});

test('a node that goes says in which move; one that it fills says so', () => {
  const objects = cluster({
    nodePools: [
      nodePool('default', {
        requirements: [{ key: 'node.kubernetes.io/instance-type', operator: 'In', values: ['medium'] }],
      }),
    ],
    machines: [machine('light'), machine('other')],
    pods: [
      pod('p', { on: 'light', cpu: 500 }),
      pod('q', { on: 'other', cpu: 1000 }),
      pod('r', { on: 'other', cpu: 1000 }),
    ],
    options: { spotToSpot: false },
  });
  const own = rules({ budgets: [{ nodes: '1' }] });
  const one = { ...objects, nodePools: [{ ...objects.nodePools[0], budgets: [{ nodes: '1' }] }] };
  const goes = explained(one, 'light', own);
  assert.equal(goes.verdict, 'goes');
  assert.equal(goes.move?.number, 1);
  assert.deepEqual(goes.unlocks, []);
  const waits = explained(one, 'other', own);
  assert.equal(waits.verdict, 'waits');
  assert.deepEqual(waits.turn?.takesIn, [{ move: 1, pods: 1 }]);
  assert.deepEqual(waits.turn?.rivals, [{ move: 1, gone: 1, filled: 0 }]);
  assert.deepEqual(waits.turn?.awaitedBy, []);
});

test('a node that minNodes keeps beside the nodes of the plan, and that is said', () => {
  const objects = cluster({
    machines: [machine('a'), machine('b'), machine('full')],
    pods: [pod('p', { on: 'full', cpu: 3900 })],
  });
  const own = rules({ minNodes: 2 });
  const [waits] = ['a', 'b']
    .map((name) => explained(objects, name, own, 'merged'))
    .filter((e) => e.verdict === 'waits');
  assert.match(
    notPlannedWords(waits.turn as NotPlanned),
    /^without it and the nodes of the plan, NodePool "default" would have 1 node, its minNodes is 2; alone it would save/,
  );
});

test('an empty node that a pending pod would go to is left to it, and that is said', () => {
  const objects = cluster({
    machines: [machine('empty'), machine('full')],
    pods: [pod('p', { on: 'full', cpu: 3000 }), pendingPod('new', { cpu: 3000 })],
  });
  const waits = explained(objects, 'empty', rules(), 'merged');
  assert.equal(waits.verdict, 'waits');
  assert.deepEqual(waits.turn?.awaitedBy, ['default/new']);
  assert.match(
    notPlannedWords(waits.turn as NotPlanned),
    /^pod default\/new, pending now, would go there; alone it would save/,
  );
});

test('a pending pod that needs a new node once its place is removed is named', () => {
  const objects = cluster({
    machines: [machine('a'), machine('b')],
    pods: [pod('p', { on: 'a', cpu: 200 }), pod('q', { on: 'b', cpu: 3000 }), pendingPod('waits', { cpu: 1500 })],
  });
  const { removal } = explained(objects, 'a');
  assert.equal(removal?.newNodes, 1);
  assert.deepEqual(removal?.placements, [{ pod: 'default/p', to: 'b' }]);
  assert.deepEqual(
    removal?.onNewNodes.map(({ pods, closest }) => [pods, closest?.node]),
    [[['default/waits'], 'b']],
  );
});

test('a pending pod is said to go where the plan leaves room for it: to the cheapest node, not to the first', () => {
  const dear = instanceType('dear', { price: 5 });
  const objects = cluster({
    instanceTypes: [MEDIUM, dear],
    machines: [machine('a-dear', { type: dear }), machine('b-cheap'), machine('full')],
    pods: [pod('p', { on: 'full', cpu: 3000 }), pendingPod('new', { cpu: 1000 })],
  });
  const cheap = explained(objects, 'b-cheap', rules(), 'merged');
  assert.deepEqual(cheap.turn?.awaitedBy, ['default/new']);
  assert.equal(explained(objects, 'a-dear', rules(), 'merged').verdict, 'goes');
});

test('nodes that nothing can be done about are explained too', () => {
  const objects = cluster({
    machines: [machine('foreign', { state: 'unmanaged' }), machine('going', { deleting: true })],
  });
  const foreign = explained(objects, 'foreign');
  assert.equal(verdicts(foreign).managed, 'fail');
  assert.deepEqual([foreign.removal, foreign.unlocks], [undefined, []]);
  // It was never asked how busy it is: no "✓ utilization 80.3 % ≤ 75 %".
  const busy = cluster({
    machines: [machine('foreign', { state: 'unmanaged' })],
    pods: [pod('p', { on: 'foreign', cpu: 3600, memory: 14 * GIB })],
  });
  const gate = explained(busy, 'foreign').gates.find((g) => g.gate === 'utilization');
  assert.deepEqual([gate?.verdict, gate?.fact], ['not-reached', undefined]);
  assert.equal(verdicts(explained(objects, 'going'))['not-deleting'], 'fail');
  assert.equal(
    explainNode(
      { objects, rules: rules() },
      plan(objects, { search: 'karpenter', rules: rules(), loadMs: 0 }, () => 0),
      'none',
    ),
    undefined,
  );
});

test('on any cluster: every gate appears once, in order, and agrees with the plan', () => {
  fc.assert(
    fc.property(
      anyCluster,
      fc.constantFrom(rules(), rules({ savingsThresholdCents: 5 }), STOCK_RULES),
      (objects, own) => {
        const made = plan(objects, { search: 'karpenter', rules: own, loadMs: 0 }, () => 0);
        for (const node of made.nodes) {
          const e = explainNode({ objects, rules: own }, made, node.name);
          assert.ok(e !== undefined);
          assert.deepEqual(
            e.gates.map((g) => g.gate),
            [...NODE_GATES, ...MOVE_GATES],
          );
          const refused = new Set<string>(e.gates.flatMap((g) => g.refusals.map((r) => r.code)));
          if (node.candidate) assert.equal(refused.size > 0 && !refused.has('budget'), node.alone.decision === 'none');
          else for (const { code } of node.refusals) assert.ok(refused.has(code) || code === 'unpriced', code);
          for (const g of e.gates) {
            assert.equal(g.verdict === 'fail', g.refusals.length > 0);
            if (g.verdict === 'fail') assert.ok(g.message.length > 0);
          }
          const goes = made.moves.some((m) => m.nodes.includes(node.name));
          assert.equal(e.verdict === 'goes', goes);
          if (e.verdict === 'stays') assert.ok(refused.size > 0);
        }
      },
    ),
    runs(60),
  );
});

test('how often spot nodes are interrupted: of this type, and of the one that replaces it, where it is known', () => {
  const spot = (name: string, price: number, spotInterruptionsPerHour?: number) => ({
    ...instanceType(name, { offerings: [offering('zone-a', SPOT, price), offering('zone-a', ON_DEMAND, 5 * price)] }),
    ...(spotInterruptionsPerHour === undefined ? {} : { spotInterruptionsPerHour }),
  });
  const monthly = (share: number) => -Math.log1p(-share) / 720;
  const explainedWith = (...types: readonly ReturnType<typeof spot>[]) => {
    const machines = [machine('a', { type: types[0], capacityType: SPOT })];
    const pods = [pod('p', { on: 'a', cpu: 100 })];
    const objects = cluster({ instanceTypes: types, machines, pods, options: { spotToSpot: true } });
    const { spotInterruptions: found } = explained(objects, 'a', rules({}, { spotToSpotTypes: 1 }));
    return found.map(({ instanceType: type, monthlyShare }) => [type, Number(monthlyShare.toFixed(6))]);
  };
  assert.deepEqual(explainedWith(spot('dear', 1, monthly(0.2)), spot('cheap', 0.1, monthly(0.025))), [
    ['dear', 0.2],
    ['cheap', 0.025],
  ]);
  assert.deepEqual(explainedWith(spot('dear', 1), spot('cheap', 0.1)), []);
});

test('a node is known to be no candidate without a search', () => {
  fc.assert(
    fc.property(anyCluster, (objects) => {
      const own = rules({}, { utilizationThreshold: 0.6 });
      const made = plan(objects, { search: 'merged', rules: own, loadMs: 0, work: 1 }, () => 0);
      for (const { name, candidate } of made.nodes) {
        // A node without a NodeClaim or Node of its own is no row of its name.
        if (!objects.nodes.some((n) => n.name === name)) continue;
        assert.equal(mayBeCandidate({ objects, rules: own }, name), candidate, name);
      }
    }),
    runs(200),
  );
});

test('without a price: the gates for money are not reached, the others are', () => {
  const nowhere = machine('a', { zone: 'mars' });
  const objects = cluster({
    machines: [nowhere, machine('b')],
    pods: [pod('p', { on: 'a', cpu: 100 })],
  });
  const e = explained(objects, 'a');
  const by = verdicts(e);
  assert.deepEqual([by['instance-known'], by.placeable, by['savings-threshold']], ['fail', 'pass', 'not-reached']);
  const made = plan(objects, { search: 'merged', rules: rules(), loadMs: 0 }, () => 0);
  const codes = made.nodes.find(({ name }) => name === 'a')?.refusals.map(({ code }) => code);
  assert.deepEqual(codes, ['unpriced']);
});

test('a plan says of how many nodes it does not know the price', () => {
  const objects = cluster({
    machines: [machine('a', { zone: 'mars' }), machine('b')],
    pods: [pod('p', { on: 'b', doNotDisrupt: 'true' })],
  });
  const [empty] = plan(objects, { search: 'merged', rules: rules(), loadMs: 0 }, () => 0).moves;
  assert.deepEqual([empty.nodes, empty.savingsCentsPerHour, empty.unpricedNodes], [['a'], 0, 1]);
});
