import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cluster } from '../../../test/build/cluster.ts';
import { machine } from '../../../test/build/machine.ts';
import { nodePool } from '../../../test/build/node-pool.ts';
import { pod } from '../../../test/build/pod.ts';
import { rules } from '../../../test/build/policy.ts';
import type { ClusterObjects } from '../cluster/objects.ts';
import { plan } from '../plan.ts';
import type { Rules } from '../settings.ts';
import { explainMove, type MoveAlternative, type MoveExplanation } from './move-explanation.ts';

function explained(objects: ClusterObjects, own: Rules, number = 1): MoveExplanation | undefined {
  const made = plan(objects, { search: 'karpenter', rules: own, loadMs: 0 }, () => 0);
  return explainMove({ objects, rules: own }, made, number);
}

function one({ alternatives }: MoveExplanation, what: MoveAlternative['what'], node: string): MoveAlternative {
  const found = alternatives.find((a) => a.what === what && a.node === node);
  assert.ok(found !== undefined, `${what} ${node}`);
  return found;
}

/** Both nodes cost 20 cents; either one's pods fit on the other. "few" holds three large pods, "many" eight small ones. */
const BUSY = cluster({
  machines: [machine('few'), machine('many')],
  pods: [
    ...['a', 'b', 'c'].map((name) => pod(name, { on: 'few', cpu: 1200 })),
    ...['1', '2', '3', '4', '5', '6', '7', '8'].map((name) => pod(name, { on: 'many', cpu: 50, memory: 0 })),
  ],
  nodePools: [
    nodePool('default', {
      requirements: [
        { key: 'node.kubernetes.io/instance-type', operator: 'In', values: ['medium'] },
        { key: 'karpenter.sh/capacity-type', operator: 'In', values: ['on-demand'] },
      ],
    }),
  ],
});

test('why this node and not that one: the same savings for fewer evictions', () => {
  const e = explained(BUSY, rules({}, { utilizationThreshold: 1 }));
  assert.ok(e !== undefined);
  assert.deepEqual(e.move.nodes, ['few']);
  assert.deepEqual(
    e.nodes.map(({ node, centsPerHour, disruptionCost, worth }) => ({ node, centsPerHour, disruptionCost, worth })),
    [{ node: 'few', centsPerHour: 20, disruptionCost: 4, worth: 5 }],
  );
  const instead = one(e, 'instead', 'many');
  assert.equal(instead.decision, 'delete');
  assert.deepEqual([instead.savingsCentsPerHour, instead.disruptionCost, instead.evictions], [20, 9, 8]);
  assert.ok(instead.worth < e.nodes[0].worth);
  assert.equal(one(e, 'with', 'many').keepsOne, true);
});

/** Four nodes that are a third full, and one beside them that must stay and has room for all. */
const GROUP = cluster({
  machines: ['a', 'b', 'c', 'd', 'host'].map((name) => machine(name, name === 'host' ? { doNotDisrupt: 'true' } : {})),
  pods: ['a', 'b', 'c', 'd'].flatMap((on, i) => [pod(`${on}-pod`, { on, cpu: 1000 + i * 200 })]),
});

test('a group: each node alone, the group without each, the runner-up', () => {
  const e = explained(GROUP, rules({ savingsThresholdCents: 1 }));
  assert.ok(e !== undefined);
  assert.ok(e.move.nodes.length >= 3);
  assert.equal(e.netCentsPerHour, e.move.savingsCentsPerHour - e.move.requiredCentsPerHour);
  for (const { node } of e.nodes) {
    const without = one(e, 'without', node);
    assert.ok(without.savingsCentsPerHour < e.move.savingsCentsPerHour);
    assert.notEqual(one(e, 'alone', node).decision, 'none');
  }
  const evicted = e.nodes.flatMap((n) => n.placements.map((p) => p.pod));
  assert.deepEqual(evicted.sort(), e.move.placements.map((p) => p.pod).sort());
});

test('budgets bound the group: one more node would be refused', () => {
  const budgets = [{ nodes: '2' }];
  const objects = { ...GROUP, nodePools: [nodePool('default', { budgets })] };
  const e = explained(objects, rules({ budgets }));
  assert.ok(e !== undefined);
  assert.equal(e.move.nodes.length, 2);
  const others = e.alternatives.filter((a) => a.what === 'with');
  assert.deepEqual(
    others.map((a) => a.refusal?.code),
    ['budget', 'budget'],
  );
});

test('a move that the plan has not', () => {
  assert.equal(explained(BUSY, rules(), 2), undefined);
  assert.equal(explained(BUSY, rules(), 0), undefined);
});
