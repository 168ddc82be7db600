import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { cluster, compiled } from '../../../test/build/cluster.ts';
import { instanceType } from '../../../test/build/instance-type.ts';
import { machine } from '../../../test/build/machine.ts';
import { nodePool } from '../../../test/build/node-pool.ts';
import { pendingPod, pod } from '../../../test/build/pod.ts';
import { rules } from '../../../test/build/policy.ts';
import { GIB } from '../../../test/build/units.ts';
import { plan } from '../plan.ts';
import { type Rules, STOCK_RULES } from '../settings.ts';
import { withNominatedOnNodes } from './nominated-pods.ts';

const FOUR = instanceType('four', { cpu: 4000, memory: 64 * GIB, price: 0.2 });
const MACHINES = ['a', 'b'].map((name) => machine(name, { type: FOUR }));
const nominated = (node: string, cpu: number) => ({ ...pendingPod('urgent', { cpu }), nominatedNodeName: node });

/** Nodes of 4 cpu, and nothing may be launched. */
function movesOf(pods: Parameters<typeof withNominatedOnNodes>[0], by: Rules = rules()) {
  const nodePools = [nodePool('default', { limits: { cpu: 0 } })];
  const objects = cluster({ instanceTypes: [FOUR], nodePools, machines: MACHINES, pods });
  const { moves } = plan(objects, { rules: by, search: 'karpenter', loadMs: 0 }, () => 0);
  return moves.map(({ nodes, placements }) => [
    nodes.join(),
    placements.map(({ pod, to }) => `${pod} to ${to}`).join(),
  ]);
}

describe('a pod for which kube-scheduler evicts others', () => {
  const running = { ...pod('p', { on: 'b', cpu: 3000 }), doNotDisrupt: 'true' };

  test('keeps its node, which is empty until it is bound', () => {
    assert.deepEqual(movesOf([running]), [['a', '']]);
    assert.deepEqual(movesOf([running, nominated('a', 2000)]), []);
  });

  test('moves if it has a place elsewhere', () => {
    assert.deepEqual(movesOf([running, nominated('a', 500)]), [['a', 'default/urgent to b']]);
  });

  test('keeps its capacity', () => {
    const small = pod('small', { on: 'a', cpu: 500 });
    assert.deepEqual(movesOf([running, small]), [['a', 'default/small to b']]);
    assert.deepEqual(
      movesOf([{ ...running, requests: pod('x', { cpu: 1000 }).requests }, small, nominated('b', 3000)]),
      [],
    );
  });

  test('counts nowhere in Karpenter', () => {
    assert.deepEqual(movesOf([running, nominated('a', 2000)], STOCK_RULES), [['a', '']]);
  });

  test('is compiled once while it does not change', () => {
    const pods = [running, nominated('a', 500)];
    assert.equal(withNominatedOnNodes(pods)[1], withNominatedOnNodes([...pods])[1]);
    assert.equal(withNominatedOnNodes([running])[0], running);
    assert.equal(compiled(cluster({ machines: MACHINES, pods })).podsOfRow.flat().length, 2);
  });
});
