import assert from 'node:assert/strict';
import { test } from 'node:test';
import { karpenterMetrics } from '../../test/build/karpenter-metrics.ts';
import { areFallbackPrices, type KarpenterPrices, readKarpenterMetrics } from './karpenter-metrics.ts';

const AT_MS = Date.UTC(2026, 7, 22);

function pricesOf(text: string): KarpenterPrices {
  const reading = readKarpenterMetrics(text, AT_MS);
  assert.ok('prices' in reading);
  return reading.prices;
}

test('price and availability by type, zone and capacity type', () => {
  const { offerings, costByPool, atMs } = pricesOf(
    karpenterMetrics({
      offerings: {
        'm5.large': { 'eu-west-1a on-demand': 0.107, 'eu-west-1a spot': { price: 0.0412, available: false } },
      },
      costByPool: { general: 2.9641 },
    }),
  );
  assert.deepEqual(offerings.get('m5.large'), [
    { zone: 'eu-west-1a', capacityType: 'on-demand', price: 0.107, available: true },
    { zone: 'eu-west-1a', capacityType: 'spot', price: 0.0412, available: false },
  ]);
  assert.equal(costByPool.get('general'), 2.9641);
  assert.equal(atMs, AT_MS);
});

test('a row without a price that is not available is no offering', () => {
  const none = { price: 0, available: false } as const;
  const { offerings } = pricesOf(
    karpenterMetrics({
      offerings: {
        'm5.large': { 'eu-west-1a on-demand': 0.107, 'eu-west-1a reserved': none, 'eu-west-1a spot': none },
        'c5.large': { 'eu-west-1a reserved': none },
      },
    }),
  );
  assert.deepEqual(
    offerings.get('m5.large')?.map(({ capacityType }) => capacityType),
    ['on-demand'],
  );
  assert.equal(offerings.has('c5.large'), false);
});

test('a text that was cut has offerings without a price: they are not free, and none of the prices is used', () => {
  const rows = { 'a on-demand': 0.1, 'a spot': 0.04, 'b on-demand': 0.1, 'b spot': 0.05 };
  const text = karpenterMetrics({ offerings: { x: rows, y: rows } });
  const lastPrice = text.lastIndexOf('karpenter_cloudprovider');
  assert.deepEqual(readKarpenterMetrics(text.slice(0, lastPrice), AT_MS), {
    missing: 'incomplete',
    costByPool: new Map(),
  });
});

test('an offering whose price is not written yet is left out', () => {
  const zones = Array.from({ length: 200 }, (_, i) => [`z${i} spot`, 0.04] as const);
  const text = karpenterMetrics({ offerings: { x: Object.fromEntries(zones) } });
  const { offerings } = pricesOf(text.slice(0, text.lastIndexOf('karpenter_cloudprovider')));
  assert.equal(offerings.get('x')?.length, 199);
});

test('a last line without an end may be cut within its number: it does not count', () => {
  const zones = Array.from({ length: 200 }, (_, i) => [`z${i} spot`, 0.0412] as const);
  const text = karpenterMetrics({ offerings: { x: Object.fromEntries(zones) } });
  const end = text.lastIndexOf('0.0412') + '0.0'.length;
  const { offerings } = pricesOf(text.slice(0, end));
  assert.deepEqual(new Set(offerings.get('x')?.map(({ price }) => price)), new Set([0.0412]));
  assert.equal(offerings.get('x')?.length, 199);
});

test('a price that is no amount is none, and prices without availability are no catalog', () => {
  const rows = (price: number | string) =>
    karpenterMetrics({ offerings: { x: { 'a spot': 0.04, 'b spot': 7 } } }).replace(' 7\n', ` ${price}\n`);
  for (const price of [-7, 'NaN', '+Inf', '-Inf', ''])
    assert.deepEqual(readKarpenterMetrics(rows(price), AT_MS), { missing: 'incomplete', costByPool: new Map() });
  const onlyPrices = rows(7)
    .split('\n')
    .filter((line) => !line.includes('_offering_available{'));
  assert.equal('missing' in readKarpenterMetrics(onlyPrices.join('\n'), AT_MS), true);
});

test('labels in any order, escapes, exponents, spaces, timestamps and CRs', () => {
  const line = (labels: string, value: string) =>
    [
      `karpenter_cloudprovider_instance_type_offering_available{${labels}} 1`,
      `karpenter_cloudprovider_instance_type_offering_price_estimate{${labels}} ${value}`,
    ].join('\n');
  const { offerings, sizes } = pricesOf(
    [
      line('zone="z",instance_type="a\\"b\\\\c",capacity_type="spot",', '4.28e-08 1755870000000'),
      line('zone="z", instance_type="plain", capacity_type="spot"', '1e-2\r'),
      line('zone="z",instance_type="torn', ''),
      'karpenter_cloudprovider_instance_type_cpu_cores{instance_type="plain"} 4',
      'karpenter_cloudprovider_instance_type_memory_bytes{instance_type="plain"} 1.7179869184e+10',
      '',
    ].join('\n'),
  );
  assert.equal(offerings.get('a"b\\c')?.[0].price, 4.28e-8);
  assert.equal(offerings.get('plain')?.[0].price, 0.01);
  assert.equal(offerings.size, 2);
  assert.deepEqual(sizes.get('plain'), { cpus: 4, memory: 2 ** 34 });
});

test('a replica that does not lead, and a provider without prices', () => {
  assert.deepEqual(readKarpenterMetrics(karpenterMetrics({}), AT_MS), { missing: 'absent', costByPool: new Map() });
  const follower = karpenterMetrics({ offerings: { 'm5.large': { 'a spot': 1 } }, leads: false });
  assert.equal('missing' in readKarpenterMetrics(follower, AT_MS), true);
  const others = readKarpenterMetrics(karpenterMetrics({ costByPool: { p: 1.5 } }), AT_MS);
  assert.deepEqual(others, { missing: 'absent', costByPool: new Map([['p', 1.5]]) });
});

test('spot as dear as on-demand in every row is what Karpenter shows before it knows prices', () => {
  const rows = (spot: number) => ({ 'a on-demand': 0.1, 'a spot': 0.1, 'b on-demand': 0.1, 'b spot': spot });
  assert.equal(areFallbackPrices(pricesOf(karpenterMetrics({ offerings: { x: rows(0.1) } }))), true);
  assert.equal(areFallbackPrices(pricesOf(karpenterMetrics({ offerings: { x: rows(0.09) } }))), false);
  assert.equal(areFallbackPrices(pricesOf(karpenterMetrics({ offerings: { x: { 'a on-demand': 0.1 } } }))), false);
});
