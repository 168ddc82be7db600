import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cluster } from '../../test/build/cluster.ts';
import { machine } from '../../test/build/machine.ts';
import { nodePool } from '../../test/build/node-pool.ts';
import type { PolicyObject } from '../config/policy-object.ts';
import { calendar } from './calendar.ts';

const HOUR = 3_600_000;
const MONDAY = Date.UTC(2026, 10, 16);

const BY_TIME: PolicyObject = {
  kind: 'ConsolidationPolicy',
  apiVersion: 'decant.sh/v1alpha1',
  name: 'by-time',
  spec: {
    nodePoolSelector: {},
    consolidateAfter: 'Never',
    windows: [{ schedule: '0 22 * * *', duration: '2h', consolidateAfter: '1m', budgets: [{ nodes: '50%' }] }],
  },
};

function periods(pool: Parameters<typeof nodePool>[1], policies: readonly PolicyObject[] = []) {
  const objects = cluster({ nodePools: [nodePool('default', pool)], machines: [machine('a'), machine('b')] });
  const [{ periods: found }] = calendar(objects, policies, MONDAY, MONDAY + 24 * HOUR);
  return found.map((p) => [(p.fromMs - MONDAY) / HOUR, (p.toMs - MONDAY) / HOUR, p.empty, p.underutilized, p.isOff]);
}

test('a budget with a schedule closes the pool for its duration, for its reasons', () => {
  const budget = { nodes: '0', schedule: '0 9 * * mon-fri', durationMs: 8 * HOUR, reasons: ['Underutilized'] };
  assert.deepEqual(periods({ budgets: [{ nodes: '1' }, budget], consolidateAfterMs: 0 }), [
    [0, 9, 1, 1, false],
    [9, 17, 1, 0, false],
    [17, 24, 1, 1, false],
  ]);
});

test('a pool without nodes is closed only when its budgets close it', () => {
  const budgets = [{ nodes: '10%' }, { nodes: '0', schedule: '0 9 * * *', durationMs: 8 * HOUR }];
  const objects = cluster({ nodePools: [nodePool('default', { budgets, consolidateAfterMs: 0 })] });
  const [{ nodes, periods: found }] = calendar(objects, [], MONDAY, MONDAY + 24 * HOUR);
  assert.equal(nodes, 0);
  assert.deepEqual(
    found.map((p) => p.underutilized),
    [1, 0, 1],
  );
});

test('windows of a policy open the pool, with their budgets', () => {
  assert.deepEqual(periods({ consolidateAfterMs: undefined }, [BY_TIME]), [
    [0, 22, Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY, true],
    [22, 24, 1, 1, false],
  ]);
});

test('a pool whose policy is WhenEmpty is open for empty nodes only', () => {
  const budgets = [{ nodes: '1', reasons: ['Empty'] }];
  const disruption = { consolidationPolicy: 'WhenEmpty', consolidateAfter: '0s' };
  assert.deepEqual(periods({ budgets, disruption }), [[0, 24, 1, 0, false]]);
});
