import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cluster, compiled, rowOf } from '../../../test/build/cluster.ts';
import { machine } from '../../../test/build/machine.ts';
import { daemonPod, daemonSet, pod } from '../../../test/build/pod.ts';
import { rules } from '../../../test/build/policy.ts';
import { NOW_MS } from '../../../test/build/units.ts';
import type { PodObject } from '../cluster/objects.ts';
import type { PoolPolicy } from '../disruption/pool-policy.ts';
import { assess, refusalsByMethods } from '../gates/assessment.ts';
import { refusalText } from '../refusal-text.ts';

/** A node whose last pod went 29 s ago. */
function ask(block: Partial<PoolPolicy>, pods: readonly PodObject[] = [], idleMs = 29_000) {
  const by = rules({ consolidateAfterMs: undefined, ...block });
  const c = compiled(cluster({ machines: [machine('n', { lastPodEventMs: NOW_MS - idleMs })], pods }));
  const assessed = assess(c, rowOf(c, 'n'), by);
  assert.ok('candidate' in assessed);
  return { emptiness: assessed.candidate.methods.emptiness, refusals: refusalsByMethods(c, assessed.candidate, by) };
}

test('with consolidation off, an empty node goes after ttlSecondsAfterEmpty', () => {
  const { emptiness, refusals } = ask({ ttlSecondsAfterEmpty: 30 });
  assert.equal(emptiness, true);
  assert.deepEqual(refusals, [{ code: 'empty-ttl', waitMs: 1000 }]);
  assert.equal(refusalText(refusals[0]), 'empty: removed by ttlSecondsAfterEmpty in 1 s');
  assert.deepEqual(ask({ ttlSecondsAfterEmpty: 30 }, [], 30_000).refusals, []);
  assert.deepEqual(ask({ ttlSecondsAfterEmpty: 0 }, [], 0).refusals, []);
});

test('a DaemonSet does not keep it', () => {
  const agents = daemonSet('agent');
  assert.deepEqual(ask({ ttlSecondsAfterEmpty: 29 }, [daemonPod(agents, 'n')]).refusals, []);
});

test('a pod does, even one that emptyThreshold would overlook', () => {
  const block = { ttlSecondsAfterEmpty: 0, emptiness: { enabled: true, emptyThreshold: 1 } };
  const { emptiness, refusals } = ask(block, [pod('p', { on: 'n' })]);
  assert.equal(emptiness, false);
  assert.deepEqual(refusals, [{ code: 'consolidation-disabled', nodePool: 'default' }]);
});

test('without it, consolidation off is off', () => {
  assert.deepEqual(ask({}).refusals, [{ code: 'consolidation-disabled', nodePool: 'default' }]);
});

test('the emptiness method must be on', () => {
  const block = { ttlSecondsAfterEmpty: 0, emptiness: { enabled: false, emptyThreshold: 0 } };
  assert.deepEqual(ask(block).refusals, [{ code: 'emptiness-disabled', nodePool: 'default' }]);
});
