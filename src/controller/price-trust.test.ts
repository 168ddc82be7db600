import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cluster } from '../../test/build/cluster.ts';
import { is } from '../../test/build/constraints.ts';
import { instanceType, offering } from '../../test/build/instance-type.ts';
import { nodePool } from '../../test/build/node-pool.ts';
import { HOUR_MS, NOW_MS } from '../../test/build/units.ts';
import type { NodePoolObject } from '../engine/cluster/objects.ts';
import type { PriceOrigin, PriceSource } from '../engine/cluster/price-origin.ts';
import { CAPACITY_TYPE, ON_DEMAND, SPOT } from '../engine/cluster/well-known.ts';
import { Governance } from './governance.ts';

const ANY = nodePool('any', { consolidateAfterMs: undefined });
const ON_DEMAND_ONLY = nodePool('on-demand', {
  consolidateAfterMs: undefined,
  requirements: [is(CAPACITY_TYPE, 'In', ON_DEMAND)],
});

/** Why the pool is only observed, where its on-demand and spot prices come from these sources. */
function doubt(
  pool: NodePoolObject,
  [onDemand, spot]: readonly (PriceSource | undefined)[],
  { prices, allowBundledSpot }: { prices?: PriceOrigin; allowBundledSpot?: boolean } = {},
): string | undefined {
  const offerings = [
    { ...offering('a', ON_DEMAND, 1), ...(onDemand === undefined ? {} : { priceSource: onDemand }) },
    { ...offering('a', SPOT, 0.4), ...(spot === undefined ? {} : { priceSource: spot }) },
  ];
  const objects = { ...cluster({ nodePools: [pool], instanceTypes: [instanceType('t', { offerings })] }), prices };
  const governance = new Governance({ interlock: true, compat: false, allowBundledSpot });
  const { blockReason } = governance.poolGovernance({ objects, commands: [] }).get(pool.name) ?? {};
  return blockReason?.code === 'prices' ? blockReason.doubt : blockReason?.code;
}

test('catalogs and overlays that the operator names are acted on, and so are bundled on-demand prices', () => {
  assert.equal(doubt(ANY, [undefined, undefined], { prices: { name: 'catalog x', atMs: 0 } }), undefined);
  assert.equal(doubt(ANY, ['overlay', 'overlay'], { prices: { name: 'karpenter', atMs: 0 } }), undefined);
  assert.equal(doubt(ON_DEMAND_ONLY, ['bundled', 'bundled']), undefined);
});

test('bundled spot prices need to be allowed', () => {
  assert.equal(doubt(ANY, ['bundled', 'bundled']), 'bundled-spot');
  assert.equal(doubt(ANY, ['bundled', 'bundled'], { allowBundledSpot: true }), undefined);
  assert.equal(doubt(ANY, ['bundled', 'overlay']), undefined);
});

test('prices of Karpenter expire after a day', () => {
  const since = (hours: number) => ({ prices: { name: 'karpenter', atMs: NOW_MS - hours * HOUR_MS } });
  assert.equal(doubt(ANY, ['karpenter', 'karpenter'], since(23)), undefined);
  assert.equal(doubt(ANY, ['karpenter', 'karpenter'], since(25)), 'expired');
});

test('assumed prices are never acted on', () => {
  assert.equal(doubt(ANY, ['assumed', 'assumed'], { allowBundledSpot: true }), 'assumed');
  assert.equal(doubt(ON_DEMAND_ONLY, [undefined, 'assumed']), undefined);
});
