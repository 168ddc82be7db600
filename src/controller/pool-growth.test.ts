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

/** Minutes that savings last in the pool, by a unit of 10 minutes. */
function lasts(
  observations: readonly (readonly NodeClaimObject[])[],
  pool = 'default',
  ours: readonly string[] = [],
): number {
  const growth = new PoolGrowth(10 * MINUTE_MS);
  for (const claims of observations) growth.observed(claims, [replacing(...ours)], NOW_MS);
  return growth.lastsMs(pool, NOW_MS) / MINUTE_MS;
}

/** One that was launched every so often over a day, so that the mean decides. */
const every = (minutes: number, count: number) =>
  Array.from({ length: count }, (_, i) => claim(`n${i}`, 5 + i * minutes));

test('savings last for the mean time between launches; 200 minutes are assumed before the first', () => {
  assert.equal(lasts([every(60, 10)]), (200 + 545) / 11);
  assert.equal(lasts([every(120, 5)]), (200 + 485) / 6);
});

test('launches within a unit are one', () => {
  assert.equal(lasts([[claim('a', 90), claim('b', 85), claim('c', 80), claim('d', 60)]]), (200 + 90) / 3);
});

test('at least five units, however often a pool grows; at least the time since it last did', () => {
  assert.equal(lasts([every(12, 60)]), 50);
  assert.equal(lasts([[...every(12, 9).map((c) => ({ ...c, createdMs: c.createdMs - 200 * MINUTE_MS }))]]), 205);
});

test('replacements of ours do not count, launches of other pools neither; a node that is gone again does', () => {
  assert.equal(lasts([[claim('a', 90), claim('ours', 5)]], 'default', ['ours']), (200 + 90) / 2);
  assert.equal(lasts([[claim('a', 90), claim('b', 30, 'other')]]), (200 + 90) / 2);
  assert.equal(lasts([[claim('a', 90), claim('b', 30)], [claim('a', 90)]]), (200 + 90) / 3);
});

test('a launch counts once, and for a day', () => {
  const claims = [claim('a', 90)];
  assert.equal(lasts([claims, claims]), (200 + 90) / 2);
  assert.equal(lasts([[claim('a', 25 * 60)]]), 200 + 24 * 60);
});

test('a clock that was set back: it grew just now', () => {
  assert.equal(lasts([[claim('a', -30)]]), 100);
});
