import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { HOSTNAME } from '../../src/engine/cluster/well-known.ts';
import { type ClusterSketch, cluster } from '../build/cluster.ts';
import { podsOf, spread, weighing } from '../build/constraints.ts';
import { daemonPod, daemonSet, pod } from '../build/pod.ts';
import { rules } from '../build/policy.ts';
import { GIB } from '../build/units.ts';
import { awsNode, awsTypes, onDemandPool } from './aws.ts';
import { planOf } from './searched.ts';

/** Nodes left when preferences are respected, as Karpenter does, and when they are ignored; by search. */
function nodesLeft(sketch: ClusterSketch, search: 'merged' | 'karpenter') {
  return (['Respect', 'Ignore'] as const).map((preferences) => {
    const objects = cluster({ ...sketch, options: { preferences } });
    const { moves, nodes } = planOf(objects, rules(), { search });
    const gone = moves.flatMap((m) => m.nodes).length;
    return nodes.length - gone + moves.flatMap((m) => m.replacements).length;
  });
}

describe('S22: soft constraints', () => {
  const NAMES = ['a', 'b', 'c', 'd'];
  const fleet: ClusterSketch = {
    instanceTypes: awsTypes('t3.xlarge'),
    nodePools: [onDemandPool('default')],
    machines: NAMES.map((name) => awsNode(name, 't3.xlarge')),
  };

  test('a: replicas that would rather have a host each (k#667)', () => {
    const pods = NAMES.map((on) =>
      pod(`web-${on}`, {
        on,
        cpu: 200,
        labels: { app: 'web' },
        topologySpread: [spread('web', HOSTNAME, { whenUnsatisfiable: 'ScheduleAnyway' })],
      }),
    );
    assert.deepEqual(nodesLeft({ ...fleet, pods }, 'karpenter'), [4, 1]);
    assert.deepEqual(nodesLeft({ ...fleet, pods }, 'merged'), [4, 1]);
  });

  test('b: coredns, one pod and the DaemonSets on a node of a pool with one size (aws#6426)', () => {
    const agent = daemonSet('agent', { cpu: 50, memory: GIB / 4 });
    const coredns = (on: string) =>
      pod(`coredns-${on}`, {
        on,
        cpu: 100,
        labels: { app: 'coredns' },
        preferredAntiAffinity: [weighing(100, podsOf('coredns', HOSTNAME))],
      });
    const others = pod('busy', { on: 'a', cpu: 1500, memory: 4 * GIB });
    const sketch: ClusterSketch = {
      ...fleet,
      machines: ['a', 'b'].map((name) => awsNode(name, 't3.xlarge')),
      daemonSets: [agent],
      pods: [coredns('a'), coredns('b'), others, ...['a', 'b'].map((on) => daemonPod(agent, on))],
    };
    assert.deepEqual(nodesLeft(sketch, 'karpenter'), [2, 1]);
    assert.deepEqual(nodesLeft(sketch, 'merged'), [2, 1]);
  });
});
