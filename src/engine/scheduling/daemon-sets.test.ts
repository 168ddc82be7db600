import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { cluster, compiled, rowOf } from '../../../test/build/cluster.ts';
import { hostPort, is, nodeWith, taint, toleration } from '../../../test/build/constraints.ts';
import { instanceType, MEDIUM } from '../../../test/build/instance-type.ts';
import { type MachineSketch, machine } from '../../../test/build/machine.ts';
import { nodePool } from '../../../test/build/node-pool.ts';
import { daemonPod, daemonSet, type PodSketch, pod } from '../../../test/build/pod.ts';
import { NOW_MS } from '../../../test/build/units.ts';
import { members } from '../cluster/bitset.ts';
import type { DaemonSetObject, NodePoolObject, PodObject } from '../cluster/objects.ts';
import { CPU, PODS } from '../cluster/request-table.ts';
import { ZONE } from '../cluster/well-known.ts';
import { resultOf } from '../steps.ts';
import { daemonPods } from './daemon-sets.ts';
import { KnownPods } from './pod-facts.ts';

const agent = (sketch: PodSketch = {}) => daemonSet('agent', { cpu: 1000, ...sketch });
const twoTerms = [nodeWith(is(ZONE, 'In', 'zone-b')), nodeWith(is(ZONE, 'In', 'zone-a'))];

/** Millicores left on a medium node, which has 4000. */
function free(set: DaemonSetObject, pods: readonly PodObject[] = [], on: MachineSketch = {}, compat = false): number {
  const c = compiled(cluster({ machines: [machine('node', on)], daemonSets: [set], pods }), compat);
  return c.free[CPU][rowOf(c, 'node')];
}

describe('on a node that exists, a DaemonSet', () => {
  test('keeps the room that its pod will ask for', () => assert.equal(free(agent()), 3000));

  test('keeps no more once its pod runs', () => assert.equal(free(agent(), [daemonPod(agent(), 'node')]), 3000));

  test('keeps what its running pods do not use yet', () => {
    const other = pod('other', { on: 'node', cpu: 400, ownedBy: 'DaemonSet', owner: 'other' });
    assert.equal(free(agent(), [other]), 4000 - 400 - 600);
  });

  test('keeps nothing where its selector, affinity or tolerations do not lead it', () => {
    assert.equal(free(agent({ nodeSelector: { [ZONE]: 'zone-b' } })), 4000);
    assert.equal(free(agent({ requiredNodeTerms: [nodeWith(is(ZONE, 'NotIn', 'zone-a'))] })), 4000);
    assert.equal(free(agent(), [], { taints: [taint('dedicated')] }), 4000);
    assert.equal(free(agent({ tolerations: [toleration('dedicated')] }), [], { taints: [taint('dedicated')] }), 3000);
  });

  test('does not mind PreferNoSchedule', () => {
    assert.equal(free(agent(), [], { taints: [taint('flaky', 'PreferNoSchedule')] }), 3000);
  });

  test('counts by any of its terms; with compat, by the first that is left', () => {
    assert.equal(free(agent({ requiredNodeTerms: twoTerms })), 3000);
    assert.equal(free(agent({ requiredNodeTerms: twoTerms }), [], {}, true), 4000);
  });
});

describe('on new nodes, DaemonSets', () => {
  const arm = instanceType('arm', { arch: 'arm64' });
  const groupsOf = (sets: readonly DaemonSetObject[], pool: Partial<NodePoolObject> = {}, compat = false) => {
    const objects = cluster({ daemonSets: sets, instanceTypes: [MEDIUM, arm], nodePools: [nodePool('default', pool)] });
    const c = compiled(objects, compat);
    return c.templates[0].daemons.map((g) => ({
      types: members(g.types).map((t) => c.types.list[t].name),
      cpu: g.overhead[CPU],
      pods: g.overhead[PODS],
      ports: [80, 90].filter((port) => g.ports.clash([hostPort(port)])),
    }));
  };
  const both = ['medium', 'arm'];

  test('add up', () => {
    const sets = [agent({ hostPorts: [hostPort(80)] }), daemonSet('second', { cpu: 200, hostPorts: [hostPort(90)] })];
    assert.deepEqual(groupsOf(sets), [{ types: both, cpu: 1200, pods: 2, ports: [80, 90] }]);
  });

  test('tell apart the types that they run on', () => {
    const onArm = daemonSet('on-arm', { cpu: 200, nodeSelector: { 'kubernetes.io/arch': 'arm64' } });
    assert.deepEqual(groupsOf([agent(), onArm]), [
      { types: ['medium'], cpu: 1000, pods: 1, ports: [] },
      { types: ['arm'], cpu: 1200, pods: 2, ports: [] },
    ]);
  });

  test('stay off pools whose labels or taints do not let them in, startup taints aside', () => {
    const none = [{ types: both, cpu: 0, pods: 0, ports: [] }];
    const one = [{ types: both, cpu: 1000, pods: 1, ports: [] }];
    assert.deepEqual(groupsOf([agent()], { taints: [taint('dedicated')] }), none);
    assert.deepEqual(groupsOf([agent({ nodeSelector: { tier: 'gold' } })]), none);
    assert.deepEqual(groupsOf([agent({ nodeSelector: { tier: 'gold' } })], { templateLabels: { tier: 'gold' } }), one);
    assert.deepEqual(groupsOf([agent()], { startupTaints: [taint('starting')] }), one);
    assert.deepEqual(groupsOf([agent()], { taints: [taint('flaky', 'PreferNoSchedule')] }), one);
  });

  test('run on nodes that are initialized by then', () => {
    const late = agent({ nodeSelector: { 'karpenter.sh/initialized': 'true', 'karpenter.sh/registered': 'true' } });
    assert.deepEqual(groupsOf([late]), [{ types: both, cpu: 1000, pods: 1, ports: [] }]);
  });

  test('lose, with compat, a term for good on the first type that it does not fit', () => {
    const arch = (name: string) => nodeWith(is('kubernetes.io/arch', 'In', name));
    const either = agent({ requiredNodeTerms: [arch('amd64'), arch('arm64')] });
    const swapped = agent({ requiredNodeTerms: [arch('arm64'), arch('amd64')] });
    assert.deepEqual(
      groupsOf([either], {}, true).map((g) => g.cpu),
      [1000],
    );
    assert.deepEqual(
      groupsOf([swapped], {}, true).map((g) => g.cpu),
      [1000, 0],
    );
    assert.deepEqual(
      groupsOf([swapped], {}, false).map((g) => g.cpu),
      [1000],
    );
  });
});

describe('what a DaemonSet asks for', () => {
  const asked = (sets: readonly DaemonSetObject[], pods: readonly PodObject[]) =>
    daemonPods(sets, pods, resultOf(new KnownPods().of(pods, { disruptionCost: true })).facts);
  const grown = (name: string, cpu: number, ageMs: number): PodObject => ({
    ...daemonPod(agent(), 'node', { createdMs: NOW_MS - ageMs }),
    name,
    requests: { cpu },
  });

  test('is what its newest pod asks for, whatever the template says', () => {
    const pods = [grown('old', 100, 2000), grown('new', 300, 1000), grown('older', 200, 3000)];
    assert.deepEqual(asked([agent()], pods)[0].requests, { cpu: 300 });
  });

  test('is what the template says while no pod runs', () => {
    assert.equal(asked([agent()], [])[0].requests.cpu, 1000);
  });

  test('goes where the template leads, even if the pod is pinned to its node', () => {
    const pinned = {
      ...grown('pinned', 300, 0),
      constraints: agent({ requiredNodeTerms: [nodeWith(is('host', 'In', 'n'))] }).constraints,
    };
    const [pod] = asked([agent({ requiredNodeTerms: twoTerms })], [pinned]);
    assert.deepEqual(pod.constraints.requiredNodeTerms, twoTerms);
  });

  test('is nothing if it needs ResourceClaims', () => {
    assert.deepEqual(asked([agent({ resourceClaims: true })], []), []);
  });
});
