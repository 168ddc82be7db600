import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { capacityBuffer } from '../../../test/build/capacity-buffer.ts';
import { type ClusterSketch, cluster } from '../../../test/build/cluster.ts';
import { instanceType } from '../../../test/build/instance-type.ts';
import { machine } from '../../../test/build/machine.ts';
import { nodePool } from '../../../test/build/node-pool.ts';
import { pod } from '../../../test/build/pod.ts';
import { rules } from '../../../test/build/policy.ts';
import { GIB } from '../../../test/build/units.ts';
import { plan } from '../plan.ts';
import { refusalText } from '../refusal-text.ts';
import { type Rules, STOCK_RULES } from '../settings.ts';

const FOUR = instanceType('four', { cpu: 4000, memory: 64 * GIB, price: 0.2 });

type Search = 'karpenter' | 'merged';

/** Nodes of 4 cpu, and nothing may be launched. */
function planOf(sketch: ClusterSketch, by: Rules = rules(), search: Search = 'merged') {
  const nodePools = [nodePool('default', { limits: { cpu: 0 } })];
  return plan(cluster({ instanceTypes: [FOUR], nodePools, ...sketch }), { rules: by, search, loadMs: 0 }, () => 0);
}

function machines(...names: readonly string[]) {
  return names.map((name) => machine(name, { type: FOUR }));
}

function removed(...args: Parameters<typeof planOf>): string[] {
  return planOf(...args)
    .moves.flatMap((m) => m.nodes)
    .sort();
}

const MODES: readonly (readonly [string, Rules, Search])[] = [
  ['merged', rules(), 'merged'],
  ['karpenter', rules(), 'karpenter'],
  ['compat', STOCK_RULES, 'karpenter'],
];

for (const [name, by, search] of MODES) {
  describe(`empty nodes and CapacityBuffers, ${name}`, () => {
    const staying = { ...pod('p', { on: 'b', cpu: 3500 }), doNotDisrupt: 'true' };
    const sketch = { machines: machines('a', 'b'), pods: [staying] };

    test('an empty node that holds the room of a buffer stays', () => {
      assert.deepEqual(removed(sketch, by, search), ['a']);
      const { moves, nodes } = planOf({ ...sketch, ...capacityBuffer({ replicas: 2 }) }, by, search);
      assert.deepEqual(moves, []);
      const refusal = { code: 'capacity-buffer', buffers: ['default/spare'], pods: 2 } as const;
      const [{ message, ...first }] = nodes.find((n) => n.name === 'a')?.refusals ?? [];
      assert.deepEqual(first, refusal);
      assert.equal(message, refusalText(refusal));
    });

    test('one that is not needed for it goes', () => {
      const after = { machines: machines('b', 'c'), pods: [staying] };
      assert.deepEqual(removed({ ...after, ...capacityBuffer({ cpu: 100 }) }, by, search), ['c']);
      const three = { ...sketch, machines: machines('a', 'b', 'c') };
      assert.deepEqual(removed({ ...three, ...capacityBuffer({ replicas: 4 }) }, by, search), ['c']);
    });

    test('pods that wait come before the buffer', () => {
      const waiting = { ...pod('w', { cpu: 4000 }), unschedulable: true };
      const three = { machines: machines('a', 'b', 'c'), pods: [...sketch.pods, waiting] };
      const { nodes } = planOf({ ...three, ...capacityBuffer() }, by, search);
      const held = nodes.filter((n) => n.refusals[0]?.code === 'capacity-buffer').map((n) => n.name);
      assert.deepEqual(held, ['c']);
    });
  });
}

describe('nodes with pods, and CapacityBuffers', () => {
  const pods = ['a', 'b'].map((node) => pod(`p-${node}`, { on: node, cpu: 1000 }));
  const sketch = { machines: machines('a', 'b'), pods };

  test('go while the buffer has room elsewhere', () => {
    for (const [, by, search] of MODES)
      assert.equal(removed({ ...sketch, ...capacityBuffer({ replicas: 2 }) }, by, search).length, 1);
  });

  test('stay when the buffer would lose room, which Karpenter does not mind', () => {
    const full = { ...sketch, ...capacityBuffer({ replicas: 3 }) };
    assert.deepEqual(removed(full), []);
    const { moves, nodes } = planOf(full, rules(), 'karpenter');
    assert.deepEqual(moves, []);
    for (const { alone, refusals } of nodes) {
      assert.equal(alone?.decision, 'none');
      assert.deepEqual(
        refusals.map((r) => r.code),
        ['capacity-buffer-room'],
      );
    }
    assert.equal(removed(full, STOCK_RULES, 'karpenter').length, 1);
  });

  test('a buffer that lacks room as it is keeps no node', () => {
    assert.equal(removed({ ...sketch, ...capacityBuffer({ cpu: 5000 }) }, rules(), 'karpenter').length, 1);
  });
});
