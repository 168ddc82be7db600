import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type ClusterSketch, cluster, compiled, rowOf } from '../../../test/build/cluster.ts';
import { machine } from '../../../test/build/machine.ts';
import { nodePool } from '../../../test/build/node-pool.ts';
import { daemonPod, daemonSet, pod } from '../../../test/build/pod.ts';
import { rules } from '../../../test/build/policy.ts';
import { GIB } from '../../../test/build/units.ts';
import { assess, refusalsByMethods } from '../gates/assessment.ts';
import { STOCK_RULES } from '../settings.ts';
import { isEmpty } from './candidates.ts';
import type { PoolPolicy } from './pool-policy.ts';

const NODE = machine('n', { allocatable: { cpu: 4000, memory: 16 * GIB, pods: 20 } });
/** 5 % of the cpu and 15 % of the memory: 10 %. */
const TENTH = pod('tenth', { on: 'n', cpu: 200, memory: 2.4 * GIB });
const BEST_EFFORT = pod('best-effort', { on: 'n', cpu: 0, memory: 0 });

const WHEN_EMPTY = {
  policy: 'WhenEmpty',
  singleNode: { enabled: false },
  multiNode: { enabled: false, maxParallel: 100 },
} as const;

function emptyBelow(emptyThreshold: number, block: Partial<PoolPolicy> = {}) {
  return rules({ ...block, emptiness: { enabled: true, emptyThreshold } });
}

function ask(sketch: ClusterSketch, by = rules()) {
  const c = compiled(cluster({ machines: [NODE], ...sketch }), by.settings.compat);
  const assessed = assess(c, rowOf(c, 'n'), by);
  assert.ok('candidate' in assessed, JSON.stringify(assessed));
  const { candidate } = assessed;
  const allowed = Object.entries(candidate.methods).flatMap(([method, may]) => (may ? [method] : []));
  return {
    methods: allowed.join(' '),
    nearly: candidate.methods.emptiness && !isEmpty(candidate),
    empty: isEmpty(candidate),
    refusals: refusalsByMethods(c, candidate, by).map((r) => r.code),
  };
}

describe('which methods may take a node up', () => {
  test('an empty one: emptiness alone', () => assert.equal(ask({}).methods, 'emptiness'));

  test('one with pods: the other two, as far as the block leaves them on', () => {
    assert.equal(ask({ pods: [TENTH] }).methods, 'single multi');
    const off = { enabled: false };
    assert.equal(ask({ pods: [TENTH] }, rules({ singleNode: off })).methods, 'multi');
    assert.equal(ask({ pods: [TENTH] }, rules({ multiNode: { ...off, maxParallel: 100 } })).methods, 'single');
    assert.equal(ask({}, rules({ emptiness: { ...off, emptyThreshold: 0 } })).methods, '');
  });

  test('none in a static pool, and none where consolidation is off', () => {
    for (const pods of [[], [TENTH]]) {
      assert.equal(ask({ pods, nodePools: [nodePool('default', { replicas: 3 })] }).methods, '');
      assert.equal(ask({ pods }, emptyBelow(0.5, { consolidateAfterMs: undefined })).methods, '');
    }
  });
});

describe('emptyThreshold', () => {
  test('a node whose pods use at most that much is nearly empty; 10 % is not above 10 %', () => {
    assert.deepEqual(
      [0.11, 0.1, 0.09].map((share) => ask({ pods: [TENTH] }, emptyBelow(share)).methods),
      ['emptiness single multi', 'emptiness single multi', 'single multi'],
    );
    assert.equal(ask({ pods: [TENTH] }, emptyBelow(0.1)).nearly, true);
    assert.equal(ask({}, emptyBelow(0.1)).nearly, false);
  });

  test('under WhenEmpty such a node passes, a fuller one does not', () => {
    assert.deepEqual(ask({ pods: [TENTH] }, emptyBelow(0.1, WHEN_EMPTY)).methods, 'emptiness');
    assert.deepEqual(ask({ pods: [TENTH] }, emptyBelow(0.1, WHEN_EMPTY)).refusals, []);
    assert.deepEqual(ask({ pods: [TENTH] }, emptyBelow(0.09, WHEN_EMPTY)).refusals, ['policy-when-empty']);
  });

  test('the emptiness method must be on', () => {
    const by = rules({ ...WHEN_EMPTY, policy: 'WhenCheaper', emptiness: { enabled: false, emptyThreshold: 0.5 } });
    assert.deepEqual(ask({ pods: [TENTH] }, by), {
      methods: '',
      nearly: false,
      empty: false,
      refusals: ['methods-disabled'],
    });
  });

  test('DaemonSets do not count: they do not move', () => {
    const agents = daemonSet('agent', { cpu: 2000, memory: 8 * GIB });
    const pods = [TENTH, daemonPod(agents, 'n')];
    assert.equal(ask({ pods, daemonSets: [agents] }, emptyBelow(0.1)).nearly, true);
  });

  test('0 % is off, also for pods that request nothing', () => {
    assert.equal(ask({ pods: [BEST_EFFORT] }, emptyBelow(0)).nearly, false);
    assert.deepEqual(ask({ pods: [BEST_EFFORT] }, emptyBelow(0, WHEN_EMPTY)).refusals, ['policy-when-empty']);
    assert.equal(ask({ pods: [BEST_EFFORT] }, emptyBelow(0.01)).nearly, true);
  });

  test('stock knows nothing of it', () => {
    const disruption = { consolidation: { emptiness: { emptyThreshold: '50%' } } };
    const nodePools = [nodePool('default', { disruption })];
    assert.equal(ask({ pods: [TENTH], nodePools }, STOCK_RULES).methods, 'single multi');
  });
});
