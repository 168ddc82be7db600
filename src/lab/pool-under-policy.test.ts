import assert from 'node:assert/strict';
import { test } from 'node:test';
import { namedPolicy } from '../../test/build/lab.ts';
import { nodePool } from '../../test/build/node-pool.ts';
import { poolUnderPolicy } from './pool-under-policy.ts';

const POOL = nodePool('default', {
  consolidationPolicy: 'WhenEmpty',
  consolidateAfterMs: 30_000,
  budgets: [{ nodes: '1' }],
  disruption: {
    consolidationPolicy: 'WhenEmpty',
    consolidateAfter: '30s',
    consolidation: { emptiness: { emptyThreshold: '5%' } },
    budgets: [{ nodes: '1' }],
  },
});

function under(disruption: Parameters<typeof namedPolicy>[1] & object) {
  return poolUnderPolicy(POOL, namedPolicy('p', disruption));
}

test('a policy that says nothing leaves the pool as it is', () => {
  assert.deepEqual(under({}), { pool: POOL });
});

test('what the policy says goes over what the pool says, deeply, and lists as a whole', () => {
  const reading = under({
    disruption: {
      consolidationPolicy: 'Balanced',
      consolidateAfter: 'Never',
      consolidation: { singleNode: { enabled: false } },
      budgets: [{ nodes: '50%', schedule: '@daily', duration: '8h' }],
    },
  });
  assert.ok('pool' in reading);
  const { consolidationPolicy, consolidateAfterMs, budgets, disruption } = reading.pool;
  assert.deepEqual(
    [consolidationPolicy, consolidateAfterMs, budgets],
    ['Balanced', undefined, [{ nodes: '50%', schedule: '@daily', durationMs: 8 * 3_600_000 }]],
  );
  assert.deepEqual(disruption, {
    consolidationPolicy: 'Balanced',
    consolidateAfter: 'Never',
    consolidation: { emptiness: { emptyThreshold: '5%' }, singleNode: { enabled: false } },
    budgets: [{ nodes: '50%', schedule: '@daily', duration: '8h' }],
  });
});

test('a pool without consolidateAfter stays one that Karpenter leaves alone', () => {
  const pool = nodePool('default', { consolidateAfterMs: undefined, disruption: {} });
  const reading = poolUnderPolicy(pool, namedPolicy('p', { disruption: { consolidationPolicy: 'WhenEmpty' } }));
  assert.ok('pool' in reading);
  assert.deepEqual([reading.pool.consolidateAfterMs, reading.pool.consolidationPolicy], [undefined, 'WhenEmpty']);
});

test('what does not go together is a problem of both', () => {
  const reading = under({ disruption: { ttlSecondsAfterEmpty: 30 } });
  assert.ok('problems' in reading);
  assert.equal(reading.problems[0].object, 'policy p over NodePool/default');
  assert.match(reading.problems[0].allowed, /only with consolidateAfter "Never"/);
});
