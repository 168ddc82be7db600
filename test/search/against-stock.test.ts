import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { netCents } from '../../src/engine/search/net-benefit.ts';
import { runs } from '../build/runs.ts';
import { anyRules } from './fleet-rules.ts';
import { anyFleet } from './fleets.ts';
import { LITTLE_WORK, searched } from './searched.ts';

/** Where pods wait for a place the merged search keeps the node that they would go to; stock may remove it. */
const settled = anyFleet.map((objects) => ({
  ...objects,
  pods: objects.pods.filter((p) => p.nodeName !== ''),
  nodes: objects.nodes.map((n) => ({ ...n, terminating: false })),
  nodeClaims: objects.nodeClaims.map((c) => ({ ...c, terminating: false })),
}));

test('a plan is worth at least what stock would do in a pass, and often more', () => {
  let more = 0;
  fc.assert(
    fc.property(settled, anyRules, (objects, rules) => {
      const [ours, stocks] = (['merged', 'karpenter'] as const).map((kind) =>
        searched(objects, rules, LITTLE_WORK, kind)
          .stages.flatMap(({ moves }) => moves)
          .reduce((sum, { move }) => sum + netCents(move), 0),
      );
      assert.ok(ours >= stocks - 1e-6, `${ours} against ${stocks}`);
      if (ours > stocks + 1e-6) more++;
    }),
    runs(100),
  );
  assert.ok(more >= 20);
});
