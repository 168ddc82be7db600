import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cluster, compiled } from '../../test/build/cluster.ts';
import { is, nodeWith } from '../../test/build/constraints.ts';
import { instanceType, LARGE, MEDIUM, SMALL } from '../../test/build/instance-type.ts';
import { machine } from '../../test/build/machine.ts';
import { nodePool } from '../../test/build/node-pool.ts';
import { daemonPod, daemonSet, pod } from '../../test/build/pod.ts';
import { rules } from '../../test/build/policy.ts';
import { GIB } from '../../test/build/units.ts';
import type { ClusterObjects } from '../engine/cluster/objects.ts';
import {
  CAPACITY_TYPE,
  HOSTNAME,
  INSTANCE_TYPE,
  NODE_POOL,
  ON_DEMAND,
  SPOT,
  ZONE,
} from '../engine/cluster/well-known.ts';
import { assess } from '../engine/gates/assessment.ts';
import { consolidate } from '../engine/moves/consolidate.ts';
import { Simulation } from '../engine/scheduling/simulation.ts';
import { launchRequests, launchRequirements } from './launch.ts';

function launchOf(objects: ClusterObjects) {
  const c = compiled(objects);
  const assessed = assess(c, 0, rules());
  assert.ok('candidate' in assessed);
  const result = consolidate(new Simulation(c), [assessed.candidate]);
  assert.ok('move' in result, JSON.stringify(result));
  const [replacement] = result.move.replacements;
  return { requirements: launchRequirements(c, replacement), requests: launchRequests(c, replacement) };
}

test('types by name, cheapest first; capacity types that are to be had; no stand-ins', () => {
  const { requirements } = launchOf(
    cluster({ machines: [machine('a', { type: LARGE })], pods: [pod('p', { on: 'a', cpu: 1000 })] }),
  );
  const of = (key: string) => requirements.filter((r) => r.key === key);
  assert.deepEqual(of(INSTANCE_TYPE), [is(INSTANCE_TYPE, 'In', SMALL.name, MEDIUM.name, LARGE.name)]);
  assert.deepEqual(of(CAPACITY_TYPE), [is(CAPACITY_TYPE, 'In', SPOT)]);
  assert.deepEqual(of(NODE_POOL), [is(NODE_POOL, 'In', 'default')]);
  assert.deepEqual(of(HOSTNAME), []);
});

test("what the pool and its pods ask for, in Kubernetes' words, minValues kept", () => {
  const sized = [SMALL, MEDIUM, LARGE].map((type, i) => {
    const labels = [is('size', 'In', String(2 ** i))];
    return { ...type, requirements: [...type.requirements, ...labels] };
  });
  const { requirements } = launchOf(
    cluster({
      instanceTypes: sized,
      nodePools: [
        nodePool('default', {
          requirements: [
            { ...is(INSTANCE_TYPE, 'Exists'), minValues: 1 },
            is('size', 'Gt', '1'),
            is(CAPACITY_TYPE, 'In', ON_DEMAND),
            is('tier', 'NotIn', 'gold', 'silver'),
          ],
        }),
      ],
      machines: [machine('a', { type: sized[2] })],
      pods: [pod('p', { on: 'a', cpu: 1000, requiredNodeTerms: [nodeWith(is(ZONE, 'In', 'zone-b', 'zone-a'))] })],
    }),
  );
  const of = (key: string) => requirements.filter((r) => r.key === key);
  assert.deepEqual(of(INSTANCE_TYPE), [{ ...is(INSTANCE_TYPE, 'In', MEDIUM.name), minValues: 1 }]);
  assert.deepEqual(of('size'), [is('size', 'Gt', '1')]);
  assert.deepEqual(of('tier'), [is('tier', 'NotIn', 'gold', 'silver')]);
  assert.deepEqual(of(ZONE), [is(ZONE, 'In', 'zone-a', 'zone-b')]);
});

test('room for its pods and for the DaemonSets that run on any of its types', () => {
  const agent = daemonSet('agent', { cpu: 100, memory: GIB / 4 });
  const plain = instanceType('plain', { cpu: 4000, price: 0.1, labels: { accelerator: 'no' } });
  const gpu = instanceType('gpu', { cpu: 4000, price: 0.15, labels: { accelerator: 'yes' } });
  const driver = daemonSet('driver', {
    cpu: 300,
    memory: GIB / 4,
    requiredNodeTerms: [nodeWith(is('accelerator', 'In', 'yes'))],
  });
  const { requests } = launchOf(
    cluster({
      instanceTypes: [plain, gpu, LARGE],
      daemonSets: [agent, driver],
      machines: [machine('a', { type: LARGE })],
      pods: [pod('p', { on: 'a', cpu: 1000 }), pod('q', { on: 'a', cpu: 200 }), daemonPod(agent, 'a')],
    }),
  );
  assert.deepEqual([requests.cpu, requests.memory, requests.pods], [1300, 2.25 * GIB, 3]);
});
