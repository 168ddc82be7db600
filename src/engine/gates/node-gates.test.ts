import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { cluster, compiled, rowOf } from '../../../test/build/cluster.ts';
import { type MachineSketch, machine } from '../../../test/build/machine.ts';
import { nodePool } from '../../../test/build/node-pool.ts';
import { daemonPod, daemonSet, pod } from '../../../test/build/pod.ts';
import { policy } from '../../../test/build/policy.ts';
import { GIB, MINUTE_MS, NOW_MS } from '../../../test/build/units.ts';
import type { NodePoolObject, PodObject } from '../cluster/objects.ts';
import type { PoolPolicy } from '../disruption/pool-policy.ts';
import { assess, refusalsByMethods } from '../gates/assessment.ts';
import { DEFAULT_SETTINGS, type Rules } from '../settings.ts';

interface Case {
  readonly sketch?: MachineSketch;
  readonly pods?: readonly PodObject[];
  readonly pool?: Partial<NodePoolObject>;
  readonly block?: Partial<PoolPolicy>;
  readonly protectedUntilMs?: number;
}

/** Codes of everything that keeps the node, in order. */
function codes({ sketch = {}, pods = [BUSY], pool = {}, block = {}, protectedUntilMs }: Case): string[] {
  const own = policy(block);
  const by: Rules = { settings: DEFAULT_SETTINGS, policyOf: () => own, protectedUntilMs: () => protectedUntilMs };
  const c = compiled(cluster({ machines: [machine('n', sketch)], pods, nodePools: [nodePool('default', pool)] }));
  const assessed = assess(c, rowOf(c, 'n'), by);
  const refusals = 'refusals' in assessed ? assessed.refusals : refusalsByMethods(c, assessed.candidate, by);
  return refusals.map((r) => r.code);
}

/** 90 % of the node's cpu and memory. */
const BUSY = pod('busy', { on: 'n', cpu: 3600, memory: 14.4 * GIB });
const RECENT = NOW_MS - MINUTE_MS;

describe('gates', () => {
  test('of the second kind report all that refuse, utilization last', () => {
    const all = codes({
      sketch: { lastPodEventMs: RECENT, without: ['topology.kubernetes.io/zone'] },
      block: {
        policy: 'WhenEmpty',
        singleNode: { enabled: false },
        multiNode: { enabled: false, maxParallel: 100 },
        consolidateAfterMs: 5 * MINUTE_MS,
        gracePeriodMs: 10 * MINUTE_MS,
      },
      protectedUntilMs: NOW_MS + 1,
    });
    assert.deepEqual(all, ['missing-label', 'policy-when-empty', 'not-consolidatable', 'grace-period', 'utilization']);
  });

  test('of the first kind go before them: an annotated or guarded node is not asked how busy it is', () => {
    assert.deepEqual(codes({ sketch: { doNotDisrupt: 'true' } }), ['node-annotation']);
    assert.deepEqual(codes({ pods: [{ ...BUSY, doNotDisrupt: 'true' }] }), ['pod-annotation']);
    assert.deepEqual(codes({ sketch: { deleting: true, doNotDisrupt: 'true' } }), ['deleting', 'node-annotation']);
  });

  test('consolidateAfter and utilization are both said', () => {
    const block = { consolidateAfterMs: 5 * MINUTE_MS };
    assert.deepEqual(codes({ sketch: { lastPodEventMs: RECENT }, block }), ['not-consolidatable', 'utilization']);
    assert.deepEqual(codes({ sketch: { lastPodEventMs: RECENT - 5 * MINUTE_MS }, block }), ['utilization']);
  });
});

describe('empty nodes', () => {
  test('pass the utilization threshold, however much their DaemonSets request', () => {
    const agents = daemonSet('agent', { cpu: 3900, memory: 15 * GIB });
    assert.deepEqual(codes({ pods: [daemonPod(agents, 'n')] }), []);
  });

  test('do not need a price, a single-node or a multi-node method', () => {
    const without = ['topology.kubernetes.io/zone', 'karpenter.sh/capacity-type'];
    const off = { enabled: false, maxParallel: 100 };
    const block: Partial<PoolPolicy> = { policy: 'WhenEmpty', singleNode: off, multiNode: off };
    assert.deepEqual(codes({ pods: [], sketch: { without }, block }), []);
  });

  test('wait for consolidateAfter and for the grace period', () => {
    const block = { consolidateAfterMs: 5 * MINUTE_MS, gracePeriodMs: 10 * MINUTE_MS };
    const given = { pods: [], sketch: { lastPodEventMs: RECENT }, block, protectedUntilMs: NOW_MS + 1 };
    assert.deepEqual(codes(given), ['not-consolidatable', 'grace-period']);
  });

  test('stay in static pools and where consolidation is off', () => {
    assert.deepEqual(codes({ pods: [], pool: { replicas: 2 } }), ['static-node-pool']);
    assert.deepEqual(codes({ pods: [], pool: { replicas: 2 }, block: { ttlSecondsAfterEmpty: 0 } }), [
      'static-node-pool',
    ]);
    assert.deepEqual(codes({ pods: [], block: { consolidateAfterMs: undefined } }), ['consolidation-disabled']);
  });
});
