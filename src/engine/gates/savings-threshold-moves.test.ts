import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { cluster, compiled, rowOf } from '../../../test/build/cluster.ts';
import { is } from '../../../test/build/constraints.ts';
import { instanceType, offering } from '../../../test/build/instance-type.ts';
import { machine } from '../../../test/build/machine.ts';
import { nodePool } from '../../../test/build/node-pool.ts';
import { daemonPod, daemonSet, pod } from '../../../test/build/pod.ts';
import { policy, rules } from '../../../test/build/policy.ts';
import type { ClusterObjects, InstanceType, PodObject } from '../cluster/objects.ts';
import { CAPACITY_TYPE, ON_DEMAND, SPOT } from '../cluster/well-known.ts';
import type { Candidate } from '../disruption/candidates.ts';
import { assess } from '../gates/assessment.ts';
import { consolidate } from '../moves/consolidate.ts';
import type { Consolidation } from '../moves/move.ts';
import { refusalText } from '../refusal-text.ts';
import { Simulation } from '../scheduling/simulation.ts';
import { DEFAULT_SETTINGS, type Rules } from '../settings.ts';

/** The savings-threshold document's examples as clusters, from objects to verdict. */
const ON_DEMAND_ONLY = [is(CAPACITY_TYPE, 'In', ON_DEMAND)];

function ask(objects: ClusterObjects, nodes: readonly string[], by: Rules): Consolidation {
  const c = compiled(objects);
  const candidates = nodes.map((name): Candidate => {
    const assessed = assess(c, rowOf(c, name), by);
    assert.ok('candidate' in assessed, JSON.stringify(assessed));
    return assessed.candidate;
  });
  return consolidate(new Simulation(c), candidates);
}

function pods(on: string, count: number, cpu = 100): PodObject[] {
  return Array.from({ length: count }, (_, i) => pod(`${on}-${i}`, { on, cpu, memory: 1 }));
}

function outcome(result: Consolidation): string {
  return 'move' in result ? result.move.kind : refusalText(result.refusal);
}

describe('issue aws#7146: m6a.large at $0.086 with 5 pods, threshold 1', () => {
  const old = instanceType('m6a.large', { price: 0.086 });

  function replacing(by: readonly InstanceType[], threshold = 1, extra: Partial<ClusterObjects> = {}): Consolidation {
    const objects = cluster({
      machines: [machine('n', { type: old })],
      pods: pods('n', 5),
      instanceTypes: [old, ...by],
      nodePools: [nodePool('default', { requirements: ON_DEMAND_ONLY })],
    });
    return ask({ ...objects, ...extra }, ['n'], rules({ savingsThresholdCents: threshold }));
  }

  const flex = instanceType('m7i-flex.large', { price: 0.08 });
  const m5 = instanceType('m5.large', { price: 0.038 });
  const hypothetical = instanceType('hypothetical', { price: 0.026 });
  const blocked = (savings: string) =>
    `consolidation blocked: savings ${savings} cents/hr below required 6.0 cents/hr (disruption_cost=6.0, threshold=1)`;

  test('m7i-flex.large at $0.080 saves 0.6 < 6.0: no', () => assert.equal(outcome(replacing([flex])), blocked('0.6')));
  test('m5.large at $0.038 saves 4.8 < 6.0: no', () => assert.equal(outcome(replacing([m5])), blocked('4.8')));
  test('$0.026 saves 6.0 >= 6.0: yes', () => assert.equal(outcome(replacing([hypothetical])), 'replace'));
  test('without a threshold, any saving will do', () => assert.equal(outcome(replacing([flex], 0)), 'replace'));

  test('types that do not save enough are left out of the replacement', () => {
    const result = replacing([flex, m5, hypothetical]);
    assert.ok('move' in result);
    assert.equal(result.move.replacements[0].types.length, 1);
    const all = replacing([flex, m5, hypothetical], 0);
    assert.ok('move' in all);
    assert.equal(all.move.replacements[0].types.length, 3);
  });

  test('a DaemonSet pod counts in the cost, and is not moved', () => {
    const agents = daemonSet('agent', { cpu: 1, memory: 1 });
    const withAgent = { daemonSets: [agents], pods: [...pods('n', 5), daemonPod(agents, 'n')] };
    assert.equal(
      outcome(replacing([hypothetical], 1, withAgent)),
      'consolidation blocked: savings 6.0 cents/hr below required 7.0 cents/hr (disruption_cost=7.0, threshold=1)',
    );
    const result = replacing([hypothetical], 0.8, withAgent);
    assert.ok('move' in result);
    assert.equal(result.move.placements.length, 5);
  });
});

describe('two nodes at $0.50: 2 pods of a pool with threshold 5, 10 pods of one with threshold 1', () => {
  const half = instanceType('half', { cpu: 2000, price: 0.5 });

  /** Both for one that is large enough for all their pods. */
  function together(price: number, batchThreshold = 1): string {
    const thresholds = new Map([
      ['pool-critical', policy({ savingsThresholdCents: 5 })],
      ['pool-batch', policy({ savingsThresholdCents: batchThreshold })],
    ]);
    const objects = cluster({
      machines: [machine('a', { type: half, pool: 'pool-critical' }), machine('b', { type: half, pool: 'pool-batch' })],
      pods: [...pods('a', 2, 900), ...pods('b', 10, 180)],
      instanceTypes: [half, instanceType('large', { cpu: 8000, price })],
      nodePools: [...thresholds.keys()].map((name) => nodePool(name, { requirements: ON_DEMAND_ONLY })),
    });
    return outcome(
      ask(objects, ['a', 'b'], {
        settings: DEFAULT_SETTINGS,
        policyOf: ({ name }) => thresholds.get(name) ?? policy(),
      }),
    );
  }

  test('5 × 3 + 1 × 11 = 26 cents are required; $0.90 saves 10: no', () => {
    assert.match(together(0.9), /savings 10\.0 cents\/hr below required 26\.0 cents\/hr \(disruption_cost=14\.0/);
  });
  test('with threshold 0 for pool-batch 15 are required: still no', () => {
    assert.match(together(0.9, 0), /savings 10\.0 cents\/hr below required 15\.0 cents\/hr/);
  });
  test('the boundaries are 26 and 15 cents', () => {
    assert.deepEqual([together(0.74), together(0.85, 0)], ['replace', 'replace']);
    assert.match(together(0.75), /savings 25\.0 .* required 26\.0/);
    assert.match(together(0.86, 0), /savings 14\.0 .* required 15\.0/);
  });
});

describe('spot to spot', () => {
  /** A spot node at 10 cents with one pod, and this many types that are cheaper by this many cents. */
  function spot(cheaper: readonly (readonly [count: number, byCents: number])[], threshold: number): string {
    const only = (name: string, price: number) => instanceType(name, { offerings: [offering('zone-a', SPOT, price)] });
    const old = only('old', 0.1);
    const types = cheaper.flatMap(([count, byCents]) =>
      Array.from({ length: count }, (_, i) => only(`by-${byCents}-${i}`, 0.1 - byCents / 100)),
    );
    const objects = cluster({
      machines: [machine('n', { type: old, capacityType: SPOT })],
      pods: pods('n', 1),
      instanceTypes: [old, ...types],
      nodePools: [nodePool('default', { requirements: [is(CAPACITY_TYPE, 'In', SPOT)] })],
      options: { spotToSpot: true },
    });
    return outcome(ask(objects, ['n'], rules({ savingsThresholdCents: threshold })));
  }

  test('15 cheaper types are enough without a threshold', () => assert.equal(spot([[15, 1]], 0), 'replace'));

  test('the 15 are counted after the threshold: 14 of 20 save the 2 cents that are required', () => {
    assert.equal(
      spot(
        [
          [14, 5],
          [6, 1],
        ],
        1,
      ),
      'spot to spot needs 15 cheaper instance types, 14 are left',
    );
    assert.equal(
      spot(
        [
          [15, 5],
          [5, 1],
        ],
        1,
      ),
      'replace',
    );
  });
});
