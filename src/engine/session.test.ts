import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { anyCluster } from '../../test/build/random/cluster.ts';
import type { ClusterObjects, PodObject } from './cluster/objects.ts';
import type { Consolidation } from './policies/consolidate.ts';
import { Session } from './session.ts';

const SETTINGS = { compat: true, shieldDestinations: true };

function summary(verdicts: ReadonlyMap<string, Consolidation>): Record<string, string> {
  const words = (v: Consolidation) =>
    'refusal' in v
      ? v.refusal.code
      : `${v.move.kind} ${v.move.savings.toFixed(9)} ${v.move.replacement?.types.join() ?? ''} ${v.move.placements.length}`;
  return Object.fromEntries([...verdicts].map(([node, v]) => [node, words(v)]).sort());
}

/** Pods that go, restart in place, move to another node or appear, as chosen by the numbers. */
function changed(objects: ClusterObjects, picks: readonly { pod: number; node: number; what: number }[]): PodObject[] {
  const pods = [...objects.pods];
  picks.forEach(({ pod, node, what }, i) => {
    if (pods.length === 0 || objects.nodes.length === 0) return;
    const at = pod % pods.length;
    const old = pods[at];
    const nodeName = objects.nodes[node % objects.nodes.length].name;
    if (what === 0) pods.splice(at, 1);
    else if (what === 1) pods[at] = { ...old, uid: `${old.uid}-${i}`, createdMs: old.createdMs + 1000 };
    else if (what === 2) pods[at] = { ...old, nodeName: old.nodeName === '' ? '' : nodeName };
    else pods.push({ ...old, name: `new-${i}`, uid: `new-${i}`, nodeName: old.nodeName === '' ? '' : nodeName });
  });
  return pods;
}

test('a session that was told of changes answers as one that starts with them', () => {
  const pick = fc.record({ pod: fc.nat(), node: fc.nat(), what: fc.nat({ max: 3 }) });
  fc.assert(
    fc.property(
      anyCluster,
      fc.array(fc.array(pick, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 4 }),
      (start, rounds) => {
        const session = new Session(start, SETTINGS);
        session.pass();
        let objects = start;
        for (const picks of rounds) {
          const pods = changed(objects, picks);
          const before = new Map(objects.pods.map((p) => [`${p.namespace}/${p.name}`, p]));
          const after = new Map(pods.map((p) => [`${p.namespace}/${p.name}`, p]));
          session.change([
            ...[...before].filter(([key, p]) => after.get(key) !== p).map(([, p]) => ({ before: p })),
            ...[...after].filter(([key, p]) => before.get(key) !== p).map(([, p]) => ({ after: p })),
          ]);
          objects = { ...objects, pods };
          assert.deepEqual(summary(session.pass()), summary(new Session(objects, SETTINGS).pass()));
        }
      },
    ),
    { numRuns: Number(process.env.RUNS ?? 200) },
  );
});

test('a pass without changes evaluates nothing again', () => {
  fc.assert(
    fc.property(anyCluster, (objects) => {
      const session = new Session(objects, SETTINGS);
      const first = summary(session.pass());
      assert.deepEqual(summary(session.pass()), first);
      assert.equal(session.evaluated, 0);
    }),
    { numRuns: 50 },
  );
});
