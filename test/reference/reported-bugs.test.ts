import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { HOSTNAME, ZONE } from '../../src/engine/cluster/well-known.ts';
import { consolidate } from '../../src/engine/moves/consolidate.ts';
import { Simulation } from '../../src/engine/scheduling/simulation.ts';
import { cluster, compiled } from '../build/cluster.ts';
import { is, nodeWith, podsOf, spread, taint, toleration } from '../build/constraints.ts';
import { machine } from '../build/machine.ts';
import { nodePool } from '../build/node-pool.ts';
import { pod } from '../build/pod.ts';
import { answer, candidatesOf } from './answers.ts';
import { problemsWithout } from './simulate.ts';

const EXHAUSTED = nodePool('default', { limits: { cpu: 1 } });

describe('found by the properties, smallest examples', () => {
  test('a node whose last pod slot was taken in one run is free again in the next', () => {
    const oneSlot = { cpu: 4000, memory: 2 ** 34, pods: 1 };
    const objects = cluster({
      nodePools: [EXHAUSTED],
      machines: [machine('first'), machine('second'), machine('tight', { allocatable: oneSlot })],
      pods: [
        // Takes the slot of `tight`; then `picky` asks about nodes of its class for the first time.
        pod('huge', { on: 'first', cpu: 4000 }),
        pod('picky', { on: 'first', cpu: 100, nodeSelector: { [ZONE]: 'zone-a' } }),
        pod('other', { on: 'second', cpu: 4000, nodeSelector: { [ZONE]: 'zone-a' } }),
      ],
    });
    const simulation = new Simulation(compiled(objects));
    const [first, second] = candidatesOf(simulation.cluster);
    consolidate(simulation, [first]);
    const { verdict, placements } = answer(simulation.cluster, consolidate(simulation, [second]));
    assert.deepEqual({ verdict, placements }, { verdict: 'delete', placements: { other: 'tight' } });
  });

  test('with compat, a pod is not given up while a node may still grow the zone that it asks for', () => {
    const objects = cluster({
      nodePools: [EXHAUSTED],
      machines: [machine('old'), machine('zoneless', { without: [ZONE] })],
      pods: [
        pod('asks', { on: 'old', cpu: 1000, nodeSelector: { [ZONE]: 'zone-b' } }),
        pod('grows', { on: 'old', cpu: 500, requiredNodeTerms: [nodeWith(is(ZONE, 'NotIn', 'zone-x'))] }),
      ],
    });
    const simulation = new Simulation(compiled(objects, true));
    const old = candidatesOf(simulation.cluster).filter((c) => c.name === 'old');
    const fast = answer(simulation.cluster, consolidate(simulation, old));
    assert.deepEqual(fast, answer(simulation.cluster, consolidate(simulation, old, { thorough: true })));
  });

  test('tolerating PreferNoSchedule does not make a pod forget its required anti-affinity', () => {
    const objects = cluster({
      nodePools: [nodePool('default', { limits: { cpu: 1 }, taints: [taint('flaky', 'PreferNoSchedule')] })],
      machines: [machine('old'), machine('new')],
      pods: [
        pod('first', { on: 'old', cpu: 1000, labels: { app: 'web' } }),
        pod('second', { on: 'old', requiredAntiAffinity: [podsOf('web', HOSTNAME)] }),
      ],
    });
    assert.deepEqual(problemsWithout(objects, 'old'), []);
  });

  test('a pod joins its kind on a new node, even if it avoids some host', () => {
    const avoids = {
      requiredNodeTerms: [nodeWith(is(HOSTNAME, 'NotIn', 'avoided'))],
      requiredAffinity: [podsOf('web', HOSTNAME)],
    };
    const objects = cluster({
      machines: [machine('old'), machine('avoided')],
      pods: ['one', 'two'].map((name) => pod(name, { on: 'old', cpu: 5000, labels: { app: 'web' }, ...avoids })),
    });
    assert.deepEqual(problemsWithout(objects, 'old'), []);
  });

  test('tolerations of one pod decide nothing for another', () => {
    const affinity = [podsOf('web', ZONE)];
    const pods = [
      pod('tolerant', {
        on: 'old',
        labels: { app: 'web' },
        requiredAffinity: affinity,
        tolerations: [toleration('dedicated')],
      }),
      pod('plain', { on: 'old', labels: { app: 'web' }, requiredAffinity: affinity }),
    ];
    assert.deepEqual(problemsWithout(cluster({ machines: [machine('old')], pods }), 'old'), []);
  });

  test('a spread counts the pods placed before its pod gave up a node-affinity term', () => {
    const terms = [nodeWith(is('tier', 'In', 'nowhere')), nodeWith(is('tier', 'DoesNotExist'))];
    const objects = cluster({
      nodePools: [EXHAUSTED],
      machines: [machine('old'), machine('a'), machine('b')],
      pods: [
        pod('first', { on: 'old', cpu: 1000, labels: { app: 'web' } }),
        pod('second', {
          on: 'old',
          labels: { app: 'web' },
          requiredNodeTerms: terms,
          topologySpread: [spread('web', HOSTNAME)],
        }),
      ],
    });
    assert.deepEqual(problemsWithout(objects, 'old'), []);
  });
});
