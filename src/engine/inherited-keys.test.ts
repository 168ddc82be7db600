import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { cluster } from '../../test/build/cluster.ts';
import { app, spread } from '../../test/build/constraints.ts';
import { machine } from '../../test/build/machine.ts';
import { pod } from '../../test/build/pod.ts';
import { anyCluster } from '../../test/build/random/cluster.ts';
import { removing } from '../../test/reference/simulate.ts';
import type { ClusterObjects } from './cluster/objects.ts';

/** Names that every plain object inherits. The first is no label key, but some files may have it. */
const INHERITED = [
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  'valueOf',
  'isPrototypeOf',
  '__defineGetter__',
];
/** Keys that users choose, in the random clusters. */
const CHOSEN = [
  'example.com/tier',
  'example.com/generation',
  'example.com/nobody-has-this',
  'example.com/gpu',
  'app',
  'version',
  'team',
];

const renamings = fc
  .shuffledSubarray(INHERITED, { minLength: INHERITED.length })
  .map((names) => new Map(CHOSEN.map((key, i) => [key, names[i]])));

function renamed<T>(value: T, names: ReadonlyMap<string, string>): T {
  let text = JSON.stringify(value);
  for (const [from, to] of names) text = text.replaceAll(`"${from}"`, `"${to}"`);
  return JSON.parse(text);
}

/** Where each pod goes when a node is removed, for every node. */
function outcomes(objects: ClusterObjects): unknown {
  return objects.nodes.map(({ name }) => {
    const { onExisting, newNodes, onLaunched, unplaced } = removing(objects, [name]);
    return {
      onExisting: onExisting.map(({ pod: p, node }) => [p.name, node]),
      onLaunched: onLaunched.map(({ pod: p }) => p.name),
      newNodes: newNodes.length,
      unplaced: unplaced.map((p) => p.name),
    };
  });
}

test('pods go to the same places whatever labels and resources are called', () => {
  fc.assert(
    fc.property(anyCluster, renamings, (objects, names) => {
      const plain = JSON.parse(JSON.stringify(objects));
      assert.deepEqual(outcomes(renamed(plain, names)), outcomes(plain));
    }),
    { numRuns: 100 },
  );
});

for (const topologyKey of INHERITED) {
  test(`no node has the topology domain ${topologyKey} unless it is labelled so`, () => {
    const place = (constraints: Parameters<typeof pod>[1]) =>
      removing(
        cluster({
          machines: [machine('old'), machine('other')],
          pods: [pod('p', { on: 'old', labels: { app: 'web' }, ...constraints })],
        }),
        ['old'],
      );
    const spreading = place({ topologySpread: [spread('web', topologyKey)] });
    assert.deepEqual([spreading.onExisting.length, spreading.newNodes.length], [0, 0]);
    const together = place({ requiredAffinity: [{ topologyKey, labelSelector: app('web') }] });
    assert.deepEqual([together.onExisting.length, together.newNodes.length], [0, 0]);
  });
}
