import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cluster } from '../../../../test/build/cluster.ts';
import { instanceType, SMALL } from '../../../../test/build/instance-type.ts';
import { machine } from '../../../../test/build/machine.ts';
import { nodePool } from '../../../../test/build/node-pool.ts';
import { pod } from '../../../../test/build/pod.ts';
import { plan } from '../../plan.ts';
import { STOCK_RULES } from '../../settings.ts';

test('at most 100 nodes go at once, which are 101, as in Karpenter', () => {
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
  const [move] = plan(objects, { search: 'karpenter', rules: STOCK_RULES, loadMs: 0 }, () => 0).moves;
  assert.equal(move.method, 'multi');
  assert.equal(move.nodes.length, 101);
});
