import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { cluster } from '../../../test/build/cluster.ts';
import { hostPort, is, podsOf } from '../../../test/build/constraints.ts';
import { type MachineSketch, machine } from '../../../test/build/machine.ts';
import { pod } from '../../../test/build/pod.ts';
import { rules } from '../../../test/build/policy.ts';
import type { ClusterObjects, PodObject } from '../cluster/objects.ts';
import { HOSTNAME } from '../cluster/well-known.ts';
import { resultOf } from '../steps.ts';
import { IncrementalCluster } from './incremental-cluster.ts';

const RULES = rules();

/** Of 4 cpus each, tried in this order; a label makes no node that is launched. */
const NODES: readonly (readonly [string, MachineSketch])[] = [
  ['a', {}],
  ['b', {}],
  ['c', { labels: { tier: 'gold' } }],
  ['n', {}],
];

/** Where pods of node n go in a pass with these pods, and in the next one without the last pod; and how many verdicts that one simulated. */
function places(pods: readonly PodObject[], peakWindowMs?: number) {
  const before = cluster({ machines: NODES.map(([name, sketch]) => machine(name, sketch)), pods });
  const after = { ...before, pods: pods.slice(0, -1), nowMs: before.nowMs + 60_000 };
  const passes = new IncrementalCluster({ peakWindowMs });
  const first = placesIn(passes, before);
  const second = placesIn(passes, after);
  if (peakWindowMs === undefined) assert.deepEqual(second, placesIn(new IncrementalCluster(), after));
  return { first, second, simulated: passes.simulated };
}

function placesIn(passes: IncrementalCluster, objects: ClusterObjects): Readonly<Record<string, string>> {
  const { rows, problem } = resultOf(passes.evaluate(objects, RULES));
  const { cluster: compiled } = problem.simulation;
  const found = rows.find(({ row }) => compiled.rows[row].name === 'n');
  const placements = found?.verdict.move?.placements ?? [];
  return Object.fromEntries(placements.map(({ pod: p, row }) => [compiled.pods[p].name, compiled.rows[row].name]));
}

describe('when a node gained capacity, a verdict', () => {
  test('is simulated again if a pod fits there that did not fit', () => {
    const pods = [pod('p', { on: 'n', cpu: 1000 }), pod('q', { on: 'a', cpu: 3500 })];
    const { first, second } = places(pods);
    assert.deepEqual([first, second], [{ p: 'b' }, { p: 'a' }]);
  });

  test('is simulated again if a pod fits beside another one of its own', () => {
    const pods = [
      pod('large', { on: 'n', cpu: 2000 }),
      pod('small', { on: 'n', cpu: 1000 }),
      pod('stays', { on: 'a', cpu: 500 }),
      pod('q', { on: 'a', cpu: 1500 }),
    ];
    const { first, second } = places(pods);
    assert.deepEqual(
      [first, second],
      [
        { large: 'a', small: 'b' },
        { large: 'a', small: 'a' },
      ],
    );
  });

  test('is simulated again if a port is free there now', () => {
    const [p, q] = ['n', 'a'].map((on) => pod(`on-${on}`, { on, cpu: 100, hostPorts: [hostPort(80)] }));
    const { first, second } = places([p, q]);
    assert.deepEqual([first, second], [{ 'on-n': 'b' }, { 'on-n': 'a' }]);
  });

  test('is simulated again if a pod prefers that node to an earlier one that took it', () => {
    const prefers = { weight: 1, term: { matchExpressions: [is('tier', 'In', 'gold')] } };
    const pods = [pod('p', { on: 'n', cpu: 1000, preferredNodeTerms: [prefers] }), pod('q', { on: 'c', cpu: 3500 })];
    const { first, second } = places(pods);
    assert.deepEqual([first, second], [{ p: 'a' }, { p: 'c' }]);
  });

  test('stands if it had room for the pods before and another reason to refuse them', () => {
    const repels = pod('repels', { on: 'a', cpu: 100, requiredAntiAffinity: [podsOf('p', HOSTNAME)] });
    const { first, second, simulated } = places([
      pod('p', { on: 'n', cpu: 1000, labels: { app: 'p' } }),
      repels,
      pod('q', { on: 'a', cpu: 1000 }),
    ]);
    assert.deepEqual([first, second], [{ p: 'b' }, { p: 'b' }]);
    assert.equal(simulated, 1, 'only the node that lost a pod');
  });

  test('stands if the capacity is kept for a peak', () => {
    const pods = [
      pod('p', { on: 'n', cpu: 1000 }),
      pod('stays', { on: 'a', cpu: 500 }),
      pod('q', { on: 'a', cpu: 3000 }),
    ];
    const { first, second, simulated } = places(pods, 900_000);
    assert.deepEqual([first, second], [{ p: 'b' }, { p: 'b' }]);
    assert.equal(simulated, 1, 'only the node that lost a pod');
  });
});
