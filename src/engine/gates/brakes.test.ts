import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { HOUR_MS, MINUTE_MS, NOW_MS } from '../../../test/build/units.ts';
import { refusalText } from '../refusal-text.ts';
import { poolCooldown } from './pool-cooldown.ts';
import { workloadEvictions } from './workload-evictions.ts';

const SHOP = 'Deployment default/shop';
const CART = 'Deployment default/cart';

describe('evictions of one workload', () => {
  /** Evictions of the shop by their age in minutes, at most `max` per hour. */
  function ask(evicted: readonly string[], minutesAgo: readonly number[], maxWorkloadEvictions: number) {
    const evictions = minutesAgo.map((m) => ({ workload: SHOP, atMs: NOW_MS - m * MINUTE_MS }));
    const brake = { maxWorkloadEvictions, workloadEvictionWindowMs: HOUR_MS };
    return workloadEvictions({ evictions }, evicted, brake, NOW_MS);
  }

  test('are refused beyond the cap, with numbers', () => {
    const refusal = ask([SHOP, SHOP, CART], [5, 30], 3);
    assert.deepEqual(refusal, {
      code: 'workload-evictions',
      workload: SHOP,
      pods: 2,
      before: 2,
      allowed: 3,
      windowMs: HOUR_MS,
    });
    assert.ok(refusal !== undefined);
    assert.equal(refusalText(refusal), 'evicts 2 pods of Deployment default/shop after 2 within 60 min, 3 are allowed');
  });

  test('are allowed up to the cap', () => assert.equal(ask([SHOP], [5, 30], 3), undefined));

  test('are forgotten after the window', () => {
    assert.equal(ask([SHOP, SHOP], [59, 60, 61], 3), undefined);
    assert.equal(ask([SHOP, SHOP, SHOP], [59, 60, 61], 3)?.code, 'workload-evictions');
  });

  test('of another workload do not count', () => assert.equal(ask([CART, CART, CART], [1, 2, 3], 3), undefined));

  test('of one move alone may be too many', () => assert.equal(ask([SHOP, SHOP], [], 1)?.code, 'workload-evictions'));

  test('the worst workload is named, by name among equals', () => {
    const refusal = ask([CART, SHOP, CART, SHOP], [], 1);
    assert.equal(refusal?.code === 'workload-evictions' && refusal.workload, CART);
  });

  test('are not limited by 0, the default', () => assert.equal(ask([SHOP, SHOP], [1, 2, 3], 0), undefined));

  test('a move without evictions passes', () => assert.equal(ask([], [1, 2, 3], 1), undefined));
});

describe('a pool rests after a command', () => {
  const lastCommandMs = new Map([
    ['a', NOW_MS - 4 * MINUTE_MS],
    ['b', NOW_MS - MINUTE_MS],
  ]);
  const ask = (pools: readonly string[], cooldownMs: number) =>
    poolCooldown({ lastCommandMs }, pools, cooldownMs, NOW_MS);

  test('for the cooldown', () => {
    const expected = { code: 'pool-cooldown', nodePool: 'a', waitMs: MINUTE_MS } as const;
    assert.deepEqual(ask(['a'], 5 * MINUTE_MS), expected);
    assert.equal(refusalText(expected), 'NodePool "a" is in cooldown after its last command for 60 s');
    assert.equal(ask(['a'], 4 * MINUTE_MS), undefined);
  });

  test('a move of several pools waits for the one that rests longest', () => {
    assert.deepEqual(ask(['a', 'b', 'c'], 5 * MINUTE_MS), {
      code: 'pool-cooldown',
      nodePool: 'b',
      waitMs: 4 * MINUTE_MS,
    });
  });

  test('not one that had none, and not without a cooldown, the default', () => {
    assert.equal(ask(['c'], HOUR_MS), undefined);
    assert.equal(ask(['a', 'b'], 0), undefined);
  });
});
