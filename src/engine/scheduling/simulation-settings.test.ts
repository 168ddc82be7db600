import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type ClusterSketch, cluster, compiled, rowOf } from '../../../test/build/cluster.ts';
import { spread } from '../../../test/build/constraints.ts';
import { instanceType, offeringsIn } from '../../../test/build/instance-type.ts';
import { machine } from '../../../test/build/machine.ts';
import { pod } from '../../../test/build/pod.ts';
import { ZONE } from '../cluster/well-known.ts';
import { Simulation, type SimulationSettings } from './simulation.ts';

/** What is launched when `old` goes: the zones that each new node may be in, and the pods on it. */
function launched(sketch: ClusterSketch, settings: Partial<SimulationSettings>): readonly [string, string][] {
  const own = compiled(cluster(sketch));
  return new Simulation(own).removing(
    [rowOf(own, 'old')],
    ({ claims }) =>
      claims.map(({ requirements, pods }) => [
        [...(own.space.require(requirements, ZONE)?.values ?? [])].join(' '),
        pods.map((p) => own.pods[p].name).join(' '),
      ]),
    { maxClaims: Infinity, ...settings },
  );
}

describe('a pod that would rather stay', () => {
  const web = { labels: { app: 'web' }, topologySpread: [spread('web', ZONE)] };
  const inB = {
    machines: [machine('old', { zone: 'zone-b' })],
    pods: [pod('p', { on: 'old', ...web })],
  };

  test('has its new node in its own zone, where all have as few pods', () => {
    assert.deepEqual(launched(inB, {}), [['zone-a', 'p']]);
    assert.deepEqual(launched(inB, { stay: true }), [['zone-b', 'p']]);
  });

  test('has it elsewhere if its spread does not allow its own', () => {
    const crowded = {
      machines: [...inB.machines, machine('full', { zone: 'zone-b' }), machine('other', { zone: 'zone-a' })],
      pods: [...inB.pods, pod('one', { on: 'full', cpu: 4000, ...web }), pod('large', { on: 'other', cpu: 4000 })],
    };
    assert.deepEqual(launched(crowded, { stay: true }), [['zone-a', 'p']]);
  });

  test('has it elsewhere if nothing is for sale there', () => {
    const instanceTypes = [instanceType('m', { offerings: offeringsIn(['zone-a', 'zone-c'], 0.2) })];
    const soldOut = offeringsIn(['zone-b'], 0.2).map((o) => ({ ...o, available: false }));
    instanceTypes.push(instanceType('n', { offerings: soldOut }));
    assert.deepEqual(launched({ ...inB, instanceTypes }, { stay: true }), [['zone-a', 'p']]);
  });
});

describe('hints for new nodes', () => {
  const names = ['p', 'q', 'r'];
  const sketch = { machines: [machine('old')], pods: names.map((name) => pod(name, { on: 'old', cpu: 100 })) };
  const hinted = (...numbers: number[]) =>
    launched(sketch, { hints: new Map(numbers.map((n, i) => [i, n])) }).map(([, pods]) => pods);

  test('keep pods apart that have different numbers, and put those with the same together', () => {
    assert.deepEqual(hinted(), ['p q r']);
    assert.deepEqual(hinted(-1, -2, -1).sort(), ['p r', 'q']);
    assert.deepEqual(hinted(-2, -2, -1).sort(), ['p q', 'r']);
  });

  test('are given up where the node cannot take the pod', () => {
    const large = { ...sketch, pods: names.map((name) => pod(name, { on: 'old', cpu: 6000 })) };
    const places = launched(large, { hints: new Map([0, 1, 2].map((i) => [i, -1])) });
    assert.deepEqual(places.flatMap(([, pods]) => pods.split(' ')).sort(), names);
    assert.ok(places.length > 1);
  });
});
