import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { cluster } from '../../../test/build/cluster.ts';
import { LARGE, MEDIUM } from '../../../test/build/instance-type.ts';
import { machine } from '../../../test/build/machine.ts';
import { pendingPod, pod } from '../../../test/build/pod.ts';
import { rules } from '../../../test/build/policy.ts';
import { anyCluster } from '../../../test/build/random/cluster.ts';
import { runs } from '../../../test/build/runs.ts';
import { GIB } from '../../../test/build/units.ts';
import type { ClusterObjects } from '../../engine/cluster/objects.ts';
import { plan } from '../../engine/plan.ts';
import type { ClusterColumns } from '../api.ts';
import { packingAfter, packingNow } from './packing-columns.ts';

const FIGURES = { savingsCentsPerHour: 1, requiredCentsPerHour: 0, disruptionCost: 1 };

function planned(objects: ClusterObjects) {
  return plan(objects, { search: 'merged', rules: rules(), maxReplacements: 2, loadMs: 0, work: 2000 }, () => 0);
}

/** Pods by node, those without one under "". */
function podsIn({ nodes, pods, names }: ClusterColumns): Record<string, string[]> {
  const name = (i: number) => `${names.namespaces[pods.namespace[i]]}/${pods.name[i]}`;
  const from = (first: number, end: number) => Array.from({ length: end - first }, (_, i) => name(first + i));
  const own = nodes.name.map((node, i) => [node, from(nodes.firstPod[i], nodes.firstPod[i + 1])] as const);
  return Object.fromEntries([...own, ['', from(nodes.firstPod.at(-1)!, pods.name.length)]]);
}

test('what is where, and what moves', () => {
  const objects = cluster({
    machines: [machine('from', { type: LARGE }), machine('to')],
    pods: [
      pod('one', { on: 'from', cpu: 250, memory: GIB / 2 }),
      pod('two', { on: 'to', cpu: 3600 }),
      pod('over', { on: 'to', phase: 'Succeeded' }),
      pendingPod('waits', { cpu: 9_000_000 }),
    ],
  });
  const made = {
    ...planned(objects),
    moves: [
      {
        ...FIGURES,
        kind: 'delete',
        method: 'merged',
        wave: 1,
        nodes: ['from'],
        replacements: [],
        placements: [{ pod: 'default/one', to: 'to' }],
      } as const,
    ],
  };
  const [now, later] = [packingNow(made, objects), packingAfter(made, objects)];
  const ofNow = (name: string) => now.nodes.name.indexOf(name);

  assert.deepEqual(podsIn(now), { from: ['default/one'], to: ['default/two'], '': ['default/waits'] });
  assert.deepEqual(podsIn(later), { to: ['default/two', 'default/one'], '': ['default/waits'] });
  assert.deepEqual(now.pods.moving, [now.nodes.firstPod[ofNow('from')]]);
  assert.deepEqual(later.pods.moving, [1]);
  assert.deepEqual([now.pods.cpu[0], now.pods.memory[0]], [250, 512]);
  assert.equal(now.nodes.cpu[ofNow('to')], MEDIUM.allocatable.cpu);
  assert.equal(now.names.decisions[now.nodes.decision[ofNow('from')]], 'delete');
  assert.deepEqual([now.nodes.move[ofNow('from')], now.nodes.reason[ofNow('from')]], [1, -1]);
  assert.equal(now.nodes.move[ofNow('to')], 0);
  assert.notEqual(now.nodes.reason[ofNow('to')], -1);
});

test('no pod is lost on the way, and every new node is there', () => {
  fc.assert(
    fc.property(anyCluster, (objects) => {
      const made = planned(objects);
      const [now, later] = [packingNow(made, objects), packingAfter(made, objects)];
      const all = (packing: ClusterColumns) => Object.values(podsIn(packing)).flat().sort();
      const gone = new Set(made.moves.flatMap(({ nodes }) => nodes));
      // Pods of DaemonSets go with their node.
      const moved = new Set(made.moves.flatMap(({ placements }) => placements.map((p) => p.pod)));
      const left = Object.entries(podsIn(now)).flatMap(([node, pods]) =>
        gone.has(node) ? pods.filter((each) => moved.has(each)) : pods,
      );
      assert.deepEqual(all(later), left.sort());
      const launched = made.moves.reduce((sum, { replacements }) => sum + replacements.length, 0);
      assert.equal(later.nodes.name.length, now.nodes.name.length - gone.size + launched);
      assert.equal(later.pods.moving.length, moved.size);
    }),
    runs(40),
  );
});
