import assert from 'node:assert/strict';
import { test } from 'node:test';
import { machine } from '../../test/build/machine.ts';
import { MINUTE_MS, NOW_MS } from '../../test/build/units.ts';
import type { NodeClaimObject } from '../engine/cluster/objects.ts';
import type { Command } from './command.ts';
import { PoolGrowth } from './pool-growth.ts';

function claim(name: string, minutesAgo: number, pool = 'default'): NodeClaimObject {
  const { claim } = machine(name, { pool });
  assert.ok(claim !== undefined);
  return { ...claim, createdMs: NOW_MS - minutesAgo * MINUTE_MS };
}

function replacing(...names: readonly string[]): Command {
  return {
    id: '1',
    phase: 'done',
    decidedMs: NOW_MS,
    phaseMs: NOW_MS,
    nodes: [],
    replacements: names.map((node) => ({
      nodeClaim: `claim-${node}`,
      nodePool: 'default',
      requirements: [],
      requests: {},
      centsPerHour: 1,
    })),
    workloads: {},
    predicted: { savingsCentsPerHour: 1, requiredCentsPerHour: 0, disruptionCost: 1, evictions: 1 },
  };
}

test('a pool is quiet since its youngest node that no command of ours launched', () => {
  const growth = new PoolGrowth();
  growth.observed([claim('a', 90), claim('b', 40), claim('ours', 5)], [replacing('ours')]);
  assert.equal(growth.quietMs(['default'], NOW_MS), 40 * MINUTE_MS);
});

test('a node that is gone again has been launched all the same', () => {
  const growth = new PoolGrowth();
  growth.observed([claim('a', 90), claim('b', 10)], []);
  growth.observed([claim('a', 90)], []);
  assert.equal(growth.quietMs(['default'], NOW_MS), 10 * MINUTE_MS);
});

test('of several pools the one that grew last counts; an unknown one does not count', () => {
  const growth = new PoolGrowth();
  growth.observed([claim('a', 90), claim('b', 10, 'other')], []);
  assert.equal(growth.quietMs(['default', 'other'], NOW_MS), 10 * MINUTE_MS);
  assert.equal(growth.quietMs(['default', 'new'], NOW_MS), undefined);
  assert.equal(growth.quietMs([], NOW_MS), undefined);
});

test('a clock that was set back: it grew just now', () => {
  const growth = new PoolGrowth();
  growth.observed([claim('a', -30)], []);
  assert.equal(growth.quietMs(['default'], NOW_MS), 0);
});
