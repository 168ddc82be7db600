import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { InstanceType, PodObject } from '../../src/engine/cluster/objects.ts';
import { explainNode } from '../../src/engine/explanation/node-explanation.ts';
import type { Rules } from '../../src/engine/settings.ts';
import { type ClusterSketch, cluster } from '../build/cluster.ts';
import { instanceType } from '../build/instance-type.ts';
import { machine } from '../build/machine.ts';
import { daemonPod, daemonSet, type PodSketch, pod } from '../build/pod.ts';
import { GIB } from '../build/units.ts';
import { onDemandPool } from './aws.ts';
import { policyNamed, rulesByPool } from './fleet-rules.ts';
import { planOf } from './searched.ts';
import { movesOf } from './summary.ts';

/** What the documents say of policies, from objects to plans. */
function podsOn(on: string, count: number, cpu: number, more: PodSketch = {}): PodObject[] {
  return Array.from({ length: count }, (_, i) => pod(`${on}-${i}`, { on, cpu, memory: 1, ...more }));
}

describe('WhenUnderutilized has no single-node replacement in disguise', () => {
  const large = instanceType('large', { cpu: 8000, memory: 32 * GIB, price: 0.4 });
  const small = instanceType('small', { cpu: 2000, memory: 8 * GIB, price: 0.1 });
  const sketch: ClusterSketch = {
    machines: ['a', 'b', 'c'].map((name) => machine(name, { type: large })),
    pods: ['a', 'b', 'c'].map((on) => pod(`on-${on}`, { on, cpu: 1900, memory: 1 })),
    instanceTypes: [large, small],
    nodePools: [onDemandPool('default')],
  };

  test('not where two new nodes share the pods of two old ones, so that none is replaced alone', () => {
    const packed: ClusterSketch = {
      ...sketch,
      machines: ['a', 'b'].map((name) => machine(name, { type: large })),
      // Largest first: a-0 with b-1, and b-0 with a-1.
      pods: [
        pod('a-0', { on: 'a', cpu: 1500, memory: 1 }),
        pod('a-1', { on: 'a', cpu: 400, memory: 1 }),
        pod('b-0', { on: 'b', cpu: 1400, memory: 1 }),
        pod('b-1', { on: 'b', cpu: 500, memory: 1 }),
      ],
    };
    const moves = (...allowed: Parameters<typeof policyNamed>) =>
      movesOf(planOf(cluster(packed), rulesByPool({ default: policyNamed(...allowed) }), { maxReplacements: 2 }));
    assert.deepEqual(moves('WhenUnderutilized'), []);
    assert.deepEqual(moves('WhenUnderutilizedOrCheaper'), ['replace a by small', 'replace b by small']);
  });

  test('at any --max-replacements', () => {
    const limited: ClusterSketch = {
      ...sketch,
      machines: ['a', 'b', 'c'].map((name) =>
        machine(name, { type: instanceType('tight', { cpu: 2000, price: 0.4 }) }),
      ),
    };
    for (const maxReplacements of [1, 2, 3, 5]) {
      const plan = planOf(cluster(limited), rulesByPool({ default: policyNamed('WhenUnderutilized') }), {
        maxReplacements,
      });
      for (const move of plan.moves) assert.ok(move.replacements.length < move.nodes.length, movesOf(plan).join('; '));
    }
  });

  test('a node that a threshold would keep as well is refused for the policy, in plan and explanation', () => {
    const objects = cluster({ ...sketch, machines: [machine('a', { type: large })], pods: podsOn('a', 1, 1900) });
    const by = (name: 'WhenUnderutilized' | 'WhenCheaper') =>
      rulesByPool({ default: policyNamed(name, {}, { savingsThresholdCents: 50 }) });
    const codes = (own: Rules) => planOf(objects, own).nodes.flatMap((n) => n.refusals.map((r) => r.code));
    assert.deepEqual(codes(by('WhenCheaper')), ['savings-below-threshold']);
    assert.deepEqual(codes(by('WhenUnderutilized')), ['single-node-disabled']);
    const own = by('WhenUnderutilized');
    const explained = explainNode({ objects, rules: own }, planOf(objects, own), 'a');
    const failed = explained?.gates.filter((g) => g.verdict === 'fail').map((g) => g.gate);
    // With another policy, the threshold would be next.
    assert.deepEqual(failed, ['policy', 'savings-threshold']);
  });

  test('JSON `alone` does not say replace where the policy forbids it', () => {
    const { nodes } = planOf(
      cluster({ ...sketch, machines: [machine('a', { type: large })], pods: podsOn('a', 1, 1900) }),
      rulesByPool({ default: policyNamed('WhenUnderutilized') }),
    );
    assert.deepEqual(
      nodes.map((n) => [n.alone.decision, n.refusals.map((r) => r.code)]),
      [['none', ['single-node-disabled']]],
    );
  });
});

test('a nearly empty node whose pods need a new node is deleted or stays, in plan and explanation', () => {
  const small = instanceType('small', { cpu: 2000, memory: 8 * GIB, price: 0.1 });
  const large = instanceType('large', { cpu: 8000, memory: 32 * GIB, price: 0.4 });
  const objects = cluster({
    machines: [machine('n', { type: large })],
    pods: podsOn('n', 1, 1000),
    instanceTypes: [small, large],
    nodePools: [onDemandPool('default')],
  });
  const by = rulesByPool({ default: policyNamed('WhenEmpty', { emptyThreshold: 0.2 }) });
  const plan = planOf(objects, by);
  const explained = explainNode({ objects, rules: by }, plan, 'n');
  const message = 'its pods need 1 new node, and nearly empty nodes are deleted, not replaced';
  assert.deepEqual(
    plan.nodes[0].refusals.map((r) => r.message),
    [message],
  );
  assert.deepEqual(
    explained?.gates.flatMap((g) => (g.verdict === 'fail' ? [[g.gate, g.message]] : [])),
    [['replacement-count', message]],
  );
  assert.deepEqual(
    explained?.unlocks.map(({ decision, changes }) => [decision, changes.map(({ code }) => code)]),
    [
      ['replace', ['methods-enabled']],
      ['delete', ['pod-gone']],
    ],
  );
});

test('nearly empty nodes are measured without DaemonSets by the utilization gate, too', () => {
  const type: InstanceType = instanceType('type', { cpu: 1000, memory: 10 * GIB, price: 0.2 });
  const agents = daemonSet('agent', { cpu: 900, memory: 7 * GIB });
  const sketch: ClusterSketch = {
    machines: [machine('n', { type }), machine('stays', { type, doNotDisrupt: 'true' })],
    daemonSets: [agents],
    pods: [daemonPod(agents, 'n'), pod('light', { on: 'n', cpu: 50, memory: GIB / 2 })],
    instanceTypes: [type],
    nodePools: [onDemandPool('default')],
  };
  const at = (emptyThreshold: number) =>
    movesOf(
      planOf(
        cluster(sketch),
        rulesByPool({ default: policyNamed('WhenEmpty', { emptyThreshold }) }, { utilizationThreshold: 0.75 }),
      ),
    );
  assert.deepEqual([at(0.1), at(0)], [['delete n'], []]);
});
