import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { PLAINLY } from '../../test/build/cluster.ts';
import { FakeCluster } from '../../test/build/fake-cluster.ts';
import { LARGE } from '../../test/build/instance-type.ts';
import { machine } from '../../test/build/machine.ts';
import { nodePool } from '../../test/build/node-pool.ts';
import { pod } from '../../test/build/pod.ts';
import { HOUR_MS, MINUTE_MS, NOW_MS } from '../../test/build/units.ts';
import { compile } from '../engine/scheduling/compile.ts';
import { EvictionPrices } from './eviction-prices.ts';
import { OFF, type PoolGovernance } from './governance.ts';

const POOLS = ['a', 'b'].map((name) => nodePool(name, { disruption: { consolidateAfter: '0s' } }));

/** Pods of pool a cost 25 and 5 cents an hour, those of pool b 10. */
const cluster = () =>
  new FakeCluster({
    nodePools: POOLS,
    machines: [
      machine('one', { type: LARGE, pool: 'a' }),
      machine('two', { pool: 'a' }),
      machine('three', { pool: 'b' }),
    ],
    pods: [
      pod('p', { on: 'one', cpu: 5000 }),
      pod('q', { on: 'two', cpu: 1000 }),
      pod('r', { on: 'three', cpu: 2000 }),
      pod('agent', { on: 'three', cpu: 1900, ownedBy: 'DaemonSet' }),
    ],
  });

function observed(priceMs: number): EvictionPrices {
  const prices = new EvictionPrices(priceMs);
  const view = cluster().view();
  assert.ok(view !== undefined);
  prices.observed(compile(view.objects, PLAINLY), []);
  return prices;
}

const node = (nodePool: string, pods: number) => ({ node: 'n', nodeClaim: 'n', nodePool, centsPerHour: 1, pods });

describe('the price of an eviction', () => {
  test('is what the average pod of the pool costs in that time; unused capacity and DaemonSets are not part of it', () => {
    const prices = observed(12 * MINUTE_MS);
    assert.equal(prices.centsPerUnit({ nodes: [node('a', 3)] }), 3);
    assert.equal(prices.centsPerUnit({ nodes: [node('b', 1)] }), 2);
  });

  test('of nodes of several pools: by their pods', () => {
    assert.equal(observed(12 * MINUTE_MS).centsPerUnit({ nodes: [node('a', 1), node('b', 3)] }), 2.25);
  });

  test('is nothing without a setting, in a pool without pods and before the first pass', () => {
    assert.equal(observed(0).centsPerUnit({ nodes: [node('a', 3)] }), 0);
    assert.equal(observed(12 * MINUTE_MS).centsPerUnit({ nodes: [node('c', 3)] }), 0);
    assert.equal(new EvictionPrices(HOUR_MS).centsPerUnit({ nodes: [node('a', 3)] }), 0);
  });
});

describe('what a move has to save for each unit', () => {
  /** By the age in minutes of the nodes of pool a, each launched by itself; `own`: threshold of the pool. */
  function threshold(ages: readonly number[], own = 0): number {
    const prices = new EvictionPrices(12 * MINUTE_MS);
    const port = cluster();
    ages.forEach((age, i) => {
      port.changeClaim(['claim-one', 'claim-two'][i], () => ({ createdMs: NOW_MS - age * MINUTE_MS }));
    });
    port.changeClaim('claim-three', () => ({ createdMs: NOW_MS - 10 * HOUR_MS }));
    const view = port.view();
    assert.ok(view !== undefined);
    prices.observed(compile(view.objects, PLAINLY), []);
    const governance = { pool: 'a', policy: { ...OFF, savingsThresholdCents: own } } as PoolGovernance;
    return prices.applied(new Map([['a', governance]]), NOW_MS).get('a')?.policy.savingsThresholdCents ?? 0;
  }
  const isAbout = (actual: number, expected: number) => assert.ok(Math.abs(actual / expected - 1) < 0.05, `${actual}`);

  test('pays for its price before the pool is expected to grow', () => {
    // 3 cents over (4 h assumed + 10 h observed) / (1 + 2 bursts), and over 9 hours of quiet.
    isAbout(threshold([10, 100]), 3 / (14 / 3));
    isAbout(threshold([540, 580]), 3 / 9);
  });

  test('a higher threshold of the pool stays', () => {
    assert.equal(threshold([10, 100], 4), 4);
    isAbout(threshold([10, 100], 0.1), 3 / (14 / 3));
  });

  test('the policy of a pool is the same object as long as the threshold is the same: verdicts stand', () => {
    const prices = observed(12 * MINUTE_MS);
    const policy = { ...OFF, savingsThresholdCents: 0 };
    const governance = new Map(['a', 'b'].map((pool): [string, PoolGovernance] => [pool, { pool, policy }]));
    const policies = (nowMs: number) => [...prices.applied(governance, nowMs).values()].map((own) => own.policy);
    const first = policies(NOW_MS);
    assert.notEqual(first[0], first[1]);
    assert.deepEqual(
      policies(NOW_MS + 1000).map((own, i) => own === first[i]),
      [true, true],
    );
    assert.notEqual(policies(NOW_MS + 20 * HOUR_MS)[0], first[0]);
  });
});
