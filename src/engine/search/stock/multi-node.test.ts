import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cluster } from '../../../../test/build/cluster.ts';
import { instanceType, SMALL } from '../../../../test/build/instance-type.ts';
import { machine } from '../../../../test/build/machine.ts';
import { nodePool } from '../../../../test/build/node-pool.ts';
import { pod } from '../../../../test/build/pod.ts';
import { rules } from '../../../../test/build/policy.ts';
import { plan } from '../../plan.ts';
import { STOCK_RULES } from '../../settings.ts';

test('at most 100 nodes go at once, which are 101 in Karpenter and with compat', () => {
  const wide = instanceType('wide', { cpu: 1_000_000, memory: 2 ** 42, pods: 1000, price: 100 });
  const small = Array.from({ length: 110 }, (_, i) => `small-${i}`);
  const objects = cluster({
    instanceTypes: [SMALL, wide],
    nodePools: [nodePool('default', { budgets: [{ nodes: '100%' }] })],
    machines: [
      machine('wide', { type: wide, doNotDisrupt: 'true' }),
      ...small.map((name) => machine(name, { type: SMALL })),
    ],
    pods: small.map((name) => pod(`pod-${name}`, { on: name, cpu: 10, memory: 1000 })),
  });
  const sizes = [STOCK_RULES, rules()].map((own) => {
    const [{ method, nodes }] = plan(objects, { search: 'karpenter', rules: own, loadMs: 0 }, () => 0).moves;
    return [method, nodes.length];
  });
  assert.deepEqual(sizes, [
    ['multi', 101],
    ['multi', 100],
  ]);
});
