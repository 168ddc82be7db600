import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { is } from '../../test/build/constraints.ts';
import { leftovers, watchLaws } from '../../test/build/controller-laws.ts';
import { FakeCluster } from '../../test/build/fake-cluster.ts';
import { instanceType, LARGE } from '../../test/build/instance-type.ts';
import { type Machine, machine } from '../../test/build/machine.ts';
import { nodePool } from '../../test/build/node-pool.ts';
import { pod } from '../../test/build/pod.ts';
import { controllerOn, runToRest } from '../../test/build/run-controller.ts';
import { GIB } from '../../test/build/units.ts';
import { CAPACITY_TYPE, INSTANCE_TYPE, ON_DEMAND } from '../engine/cluster/well-known.ts';

const OURS = { side: 'ours' };
const POOL = nodePool('default', { requirements: [is(CAPACITY_TYPE, 'In', ON_DEMAND)], templateLabels: OURS });
/** Of which the catalog has never heard. */
const UNHEARD_OF = instanceType('unheard-of', { cpu: 8000, memory: 32 * GIB, price: 9 });

interface OddOne {
  readonly name: string;
  readonly odd: Machine;
  readonly refusal: string;
}

const ODD_ONES: readonly OddOne[] = [
  { name: 'a NodeClaim without a node', odd: machine('odd', { state: 'launched' }), refusal: 'no-node' },
  {
    name: 'a NodeClaim whose node was deleted under it',
    odd: { claim: machine('odd').claim },
    refusal: 'no-node',
  },
  { name: 'a node without a NodeClaim', odd: machine('odd', { state: 'unmanaged' }), refusal: 'not-managed' },
  {
    name: 'a node whose NodeClaim was deleted under it',
    odd: { node: machine('odd').node },
    refusal: 'not-managed',
  },
  { name: 'an unknown instance type', odd: machine('odd', { type: UNHEARD_OF }), refusal: 'unknown-instance-type' },
  {
    name: 'no instance type at all',
    odd: machine('odd', { without: [INSTANCE_TYPE] }),
    refusal: 'unknown-instance-type',
  },
  { name: 'an unknown pool', odd: machine('odd', { pool: 'nobody-knows' }), refusal: 'unknown-node-pool' },
];

/** A node that is too large for its pod, and whatever else there is. */
function large(...others: readonly Machine[]): FakeCluster {
  return new FakeCluster({
    nodePools: [POOL],
    machines: [machine('a', { type: LARGE, labels: OURS }), ...others],
    pods: [
      pod('p', { on: 'a', cpu: 3000, nodeSelector: OURS }),
      ...others.flatMap(({ node }) => (node === undefined ? [] : [pod('q', { on: node.name, cpu: 100 })])),
    ],
  });
}

describe('what is odd is refused by name and left alone, and the rest of the cluster is consolidated', () => {
  for (const oddOne of ODD_ONES) {
    test(oddOne.name, async () => {
      const { claim, node } = oddOne.odd;
      const port = large(oddOne.odd);
      const breaches = watchLaws(port);
      const [first] = await runToRest(port);
      const [told] = [...(first.pass?.nodeRefusals ?? [])].filter(([name]) => /odd/.test(name)).map(([, r]) => r);
      assert.ok(
        told?.some(({ code }) => code === oddOne.refusal),
        JSON.stringify(told),
      );
      assert.deepEqual(
        port.commands.map(({ phase, nodes }) => [phase, nodes.map((n) => n.node)]),
        [['done', ['a']]],
      );
      assert.equal(
        port.objects.nodeClaims.some(({ name }) => name === claim?.name),
        claim !== undefined,
      );
      assert.equal(
        port.objects.nodes.some(({ name }) => name === node?.name),
        node !== undefined,
      );
      assert.deepEqual([...breaches, ...leftovers(port)], []);
    });
  }
});

describe('what disappears in the middle of a command', () => {
  const begun = async () => {
    const port = large();
    const controller = controllerOn(port);
    await controller.reconcile();
    port.advanceTo(port.nowMs + 15_000);
    await controller.reconcile();
    assert.equal(port.commands[0].phase, 'launching');
    return { port, controller, breaches: watchLaws(port) };
  };

  test('the NodePool: everything is taken back', async () => {
    const { port, controller, breaches } = await begun();
    port.objects = { ...port.objects, nodePools: [] };
    port.advanceTo(port.nowMs + 60_000);
    await controller.reconcile();
    assert.deepEqual([port.commands[0].phase, port.commands[0].reason], ['abandoned', 'not-ours']);
    assert.deepEqual([...breaches, ...leftovers(port)], []);
  });

  test('all instance types: nothing is deleted', async () => {
    const { port, controller, breaches } = await begun();
    port.objects = { ...port.objects, instanceTypes: [] };
    await controller.reconcile();
    assert.ok(!port.asked.some(({ kind }) => kind === 'delete-node-claim'));
    assert.deepEqual(breaches, []);
  });
});
