import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cluster, compiled, rowOf } from '../../../test/build/cluster.ts';
import { machine } from '../../../test/build/machine.ts';
import { type PodSketch, pod } from '../../../test/build/pod.ts';
import { rules } from '../../../test/build/policy.ts';
import { HOUR_MS, NOW_MS } from '../../../test/build/units.ts';
import { assess } from '../gates/assessment.ts';
import { lostWorkCents } from './lost-work.ts';

/** Of one pod on a node, and what an hour of the whole node costs, in cents. */
function lost(sketch: PodSketch): { readonly cents: number; readonly nodeCents: number } {
  const node = machine('old');
  const { allocatable } = node.node ?? {};
  const half = (allocatable?.cpu ?? 0) / 2;
  const c = compiled(cluster({ machines: [node], pods: [pod('p', { on: 'old', cpu: half, memory: 1, ...sketch })] }));
  const assessed = assess(c, rowOf(c, 'old'), rules());
  assert.ok('candidate' in assessed);
  return { cents: lostWorkCents(c, [assessed.candidate]), nodeCents: assessed.candidate.price * 100 };
}

test('a pod of a Job loses its hours at a third of its share of the node', () => {
  const { cents, nodeCents } = lost({ ownedBy: 'Job', startedMs: NOW_MS - 6 * HOUR_MS });
  assert.ok(Math.abs(cents - (6 * nodeCents) / 2 / 3) < 1e-9, `${cents} of ${nodeCents}`);
});

test('the resource of which it takes most counts, never more than the node has', () => {
  const startedMs = NOW_MS - 3 * HOUR_MS;
  const { cents, nodeCents } = lost({ ownedBy: 'Job', startedMs, cpu: 1, memory: 2 ** 50 });
  assert.ok(Math.abs(cents - nodeCents) < 1e-9, `${cents} of ${nodeCents}`);
});

test('a pod that has just started, one of the future and one of a ReplicaSet lose nothing', () => {
  assert.equal(lost({ ownedBy: 'Job', startedMs: NOW_MS }).cents, 0);
  assert.equal(lost({ ownedBy: 'Job', startedMs: NOW_MS + HOUR_MS }).cents, 0);
  assert.equal(lost({ startedMs: NOW_MS - 6 * HOUR_MS }).cents, 0);
});
