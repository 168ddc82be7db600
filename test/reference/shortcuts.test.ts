import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import type { PodObject } from '../../src/engine/cluster/objects.ts';
import { HOSTNAME, ZONE } from '../../src/engine/cluster/well-known.ts';
import { consolidate } from '../../src/engine/moves/consolidate.ts';
import { compile } from '../../src/engine/scheduling/compile.ts';
import { Simulation } from '../../src/engine/scheduling/simulation.ts';
import { cluster, compiled, PLAINLY } from '../build/cluster.ts';
import { is, nodeWith, podsOf, spread } from '../build/constraints.ts';
import { MEDIUM } from '../build/instance-type.ts';
import { type Machine, machine } from '../build/machine.ts';
import { nodePool } from '../build/node-pool.ts';
import { pod } from '../build/pod.ts';
import { anyCluster } from '../build/random/cluster.ts';
import { runs } from '../build/runs.ts';
import { answer, candidatesOf } from './answers.ts';
import { someOf } from './removable.ts';

describe('fast equals slow', () => {
  for (const compat of [false, true]) {
    test(`stopping early changes no answer, compat ${compat}`, () => {
      fc.assert(
        fc.property(anyCluster, fc.nat(), (objects, choice) => {
          const cluster = compile(objects, { ...PLAINLY, compat, shieldDestinations: compat });
          const simulation = new Simulation(cluster);
          const candidates = candidatesOf(cluster);
          const several = someOf([...candidates.keys()], choice).map((i) => candidates[i]);
          for (const set of [...candidates.map((c) => [c]), several]) {
            const fast = answer(cluster, consolidate(simulation, set));
            const slow = answer(cluster, consolidate(simulation, set, { thorough: true }));
            assert.deepEqual(fast, slow);
          }
        }),
        runs(200),
      );
    });
  }
});

describe('what was asked before', () => {
  for (const compat of [false, true]) {
    test(`changes no answer, compat ${compat}`, () => {
      fc.assert(
        fc.property(anyCluster, fc.array(fc.nat(), { minLength: 1, maxLength: 8 }), (objects, choices) => {
          const cluster = compile(objects, { ...PLAINLY, compat, shieldDestinations: compat });
          const used = new Simulation(cluster);
          const candidates = candidatesOf(cluster);
          for (const choice of choices) {
            const set = someOf([...candidates.keys()], choice).map((i) => candidates[i]);
            const fresh = new Simulation(compile(objects, cluster.settings));
            assert.deepEqual(answer(cluster, consolidate(used, set)), answer(fresh.cluster, consolidate(fresh, set)));
          }
        }),
        runs(200),
      );
    });
  }
});

describe('a pod that fails at first is not given up while', () => {
  const web = { labels: { app: 'web' } };
  const spreading = { ...web, topologySpread: [spread('web', ZONE)] };
  const cases: readonly (readonly [law: string, verdict: string, machines: Machine[], pods: PodObject[]])[] = [
    [
      'a friend may come to a host',
      'delete',
      [machine('old'), machine('a')],
      [
        pod('needy', { on: 'old', cpu: 1000, requiredAffinity: [podsOf('web', HOSTNAME)] }),
        pod('friend', { on: 'old', ...web }),
      ],
    ],
    [
      'a friend may come to a zone',
      'delete',
      [machine('old'), machine('a')],
      [
        pod('needy', { on: 'old', cpu: 1000, requiredAffinity: [podsOf('web', ZONE)] }),
        pod('friend', { on: 'old', ...web }),
      ],
    ],
    [
      'the emptiest zone may fill up',
      'delete',
      [
        machine('old'),
        machine('a'),
        machine('b', { zone: 'zone-b', allocatable: { ...MEDIUM.allocatable, cpu: 500 } }),
      ],
      [
        pod('large', { on: 'old', cpu: 1000, ...spreading }),
        pod('small', { on: 'old', cpu: 500, requiredNodeTerms: [nodeWith(is(ZONE, 'In', 'zone-b'))], ...web }),
        pod('there', { on: 'a', ...web }),
      ],
    ],
    [
      'a pod may bring the label to a new node',
      'replace',
      [machine('old')],
      [
        pod('asks', { on: 'old', cpu: 1000, nodeSelector: { tier: 'gold' } }),
        pod('brings', { on: 'old', requiredNodeTerms: [nodeWith(is('tier', 'NotIn', 'silver'))] }),
      ],
    ],
  ];
  for (const [law, verdict, machines, pods] of cases) {
    test(law, () => {
      // Only zones that have nodes: else an empty zone could always be made.
      const inZones = [is(ZONE, 'In', 'zone-a')];
      const nodePools = [
        nodePool('default', verdict === 'delete' ? { limits: { cpu: 1 }, requirements: inZones } : {}),
      ];
      const compiledCluster = compiled(cluster({ machines, pods, nodePools }));
      const old = candidatesOf(compiledCluster).filter((c) => c.name === 'old');
      assert.equal(answer(compiledCluster, consolidate(new Simulation(compiledCluster), old)).verdict, verdict);
    });
  }
});
