import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type ClusterSketch, cluster } from '../build/cluster.ts';
import { hostPort } from '../build/constraints.ts';
import { SMALL } from '../build/instance-type.ts';
import { machine } from '../build/machine.ts';
import { daemonPod, daemonSet, pod } from '../build/pod.ts';
import { podDisruptionBudget } from '../build/pod-disruption-budget.ts';
import { rules } from '../build/policy.ts';
import { GIB } from '../build/units.ts';
import { planOf } from './searched.ts';

/** Waves as lists of the nodes that go in them. */
function waves(sketch: ClusterSketch): string[][] {
  const { moves } = planOf(cluster(sketch), rules());
  return [...Map.groupBy(moves, (m) => m.wave).entries()]
    .sort(([a], [b]) => a - b)
    .map(([, own]) => own.flatMap((m) => m.nodes).sort());
}

const NODES = ['a', 'b', 'c'];
/** Three nodes with one small pod each, and one that has room for all. */
const INGRESS: ClusterSketch = {
  machines: [...NODES.map((name) => machine(name)), machine('stays', { doNotDisrupt: 'true' })],
  pods: NODES.map((on) =>
    pod(`ingress-${on}`, { on, cpu: 20, memory: (300 * GIB) / 1024, labels: { app: 'ingress' } }),
  ),
};

describe('S23: a budget for pods of one deployment on several nodes (aws#8164)', () => {
  test('of one: one node at a time', () => {
    assert.deepEqual(waves({ ...INGRESS, podDisruptionBudgets: [podDisruptionBudget('ingress', 'ingress')] }), [
      ['a'],
      ['b'],
      ['c'],
    ]);
  });

  test('of two: two at a time; of none of theirs: all at once', () => {
    const two = podDisruptionBudget('ingress', 'ingress', { disruptionsAllowed: 2 });
    assert.deepEqual(waves({ ...INGRESS, podDisruptionBudgets: [two] }), [['a', 'b'], ['c']]);
    assert.deepEqual(waves({ ...INGRESS, podDisruptionBudgets: [podDisruptionBudget('other', 'other')] }), [NODES]);
  });

  test('that lets go of pods that are not ready: those do not count', () => {
    const pods = (INGRESS.pods ?? []).map((p) => (p.nodeName === 'c' ? p : { ...p, ready: 'False' }));
    const strict = podDisruptionBudget('ingress', 'ingress');
    assert.deepEqual(waves({ ...INGRESS, pods, podDisruptionBudgets: [strict] }), [['a'], ['b'], ['c']]);
    assert.deepEqual(waves({ ...INGRESS, pods, podDisruptionBudgets: [{ ...strict, evictsUnhealthy: true }] }), [
      NODES,
    ]);
  });

  test('that one node alone needs more of than it leaves: that node goes without others of the same budget', () => {
    const second = pod('second', { on: 'a', cpu: 20, labels: { app: 'ingress' } });
    const sketch = { ...INGRESS, pods: [...(INGRESS.pods ?? []), second] };
    const got = waves({ ...sketch, podDisruptionBudgets: [podDisruptionBudget('ingress', 'ingress')] });
    assert.deepEqual(got.toSorted(), [['a'], ['b'], ['c']]);
  });

  test('pods of DaemonSets are evicted too, and count', () => {
    const agent = daemonSet('agent', { cpu: 10, labels: { app: 'agent' } });
    const sketch = {
      ...INGRESS,
      daemonSets: [agent],
      pods: [...(INGRESS.pods ?? []), ...NODES.map((on) => daemonPod(agent, on))],
    };
    assert.deepEqual(waves({ ...sketch, podDisruptionBudgets: [podDisruptionBudget('agent', 'agent')] }), [
      ['a'],
      ['b'],
      ['c'],
    ]);
  });
});

test('S23: a pod under two budgets, one whose budget allows nothing, one under none', () => {
  const objects = cluster({
    machines: [machine('node'), machine('other')],
    pods: ['a', 'b', 'c'].map((name) => pod(name, { on: 'node', labels: { app: name } })),
    podDisruptionBudgets: [
      podDisruptionBudget('a-0', 'a', { disruptionsAllowed: 0 }),
      podDisruptionBudget('a-1', 'a'),
      podDisruptionBudget('b-all', 'b', { disruptionsAllowed: 0, fullyBlocking: true }),
    ],
  });
  const { moves, nodes } = planOf(objects, rules());
  const codes = nodes.find((n) => n.name === 'node')?.refusals.map((r) => [r.code, r.pod]);
  assert.deepEqual(codes, [
    ['several-disruption-budgets', 'default/a'],
    ['pod-disruption-budget', 'default/b'],
  ]);
  assert.deepEqual(
    moves.flatMap((m) => m.nodes),
    ['other'],
  );
});

describe('several budgets at once', () => {
  test('a node waits for every one that its pods draw on', () => {
    const pods = [
      pod('web-a', { on: 'a', labels: { app: 'web' } }),
      pod('web-b', { on: 'b', labels: { app: 'web' } }),
      pod('db-b', { on: 'b', labels: { app: 'db' } }),
      pod('db-c', { on: 'c', labels: { app: 'db' } }),
    ];
    const got = waves({
      ...INGRESS,
      pods,
      podDisruptionBudgets: [podDisruptionBudget('web', 'web'), podDisruptionBudget('db', 'db')],
    });
    assert.deepEqual(got, [['a', 'c'], ['b']]);
  });

  test('exchanges draw on them too', () => {
    const pods = NODES.map((on) =>
      pod(`web-${on}`, { on, cpu: 1000, labels: { app: 'web' }, hostPorts: [hostPort(80)] }),
    );
    const sketch: ClusterSketch = {
      machines: NODES.map((name) => machine(name)),
      pods,
      instanceTypes: [SMALL, ...(cluster().instanceTypes ?? [])],
      podDisruptionBudgets: [podDisruptionBudget('web', 'web')],
    };
    assert.deepEqual(waves(sketch), [['a'], ['b'], ['c']]);
  });
});
