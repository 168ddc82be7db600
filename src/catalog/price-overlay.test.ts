import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { InstanceType } from '../engine/cluster/objects.ts';
import { bundledCatalog } from './bundled-catalog.ts';
import { CatalogError } from './catalog-error.ts';
import { applyPriceOverlay, decodePriceOverlay, priceChange } from './price-overlay.ts';

const aws = bundledCatalog({ cloud: 'aws', region: 'us-east-1' }).types;

function overlaid(...entries: readonly unknown[]): readonly InstanceType[] {
  const { types, unmatched } = applyPriceOverlay(aws, decodePriceOverlay('o.yaml', entries));
  assert.deepEqual(unmatched, []);
  return types;
}

function priceOf(
  types: readonly InstanceType[],
  name: string,
  capacityType: string,
  zone = 'us-east-1a',
): number | undefined {
  return types
    .find((t) => t.name === name)
    ?.offerings.find((o) =>
      o.requirements.every((r) => r.values?.[0] === (r.key === 'karpenter.sh/capacity-type' ? capacityType : zone)),
    )?.price;
}

test('changes of price, as Karpenter computes them', () => {
  assert.equal(priceChange('0.12')(2), 0.12);
  assert.equal(priceChange('+10%')(2), 2.2);
  assert.equal(priceChange('-37.5%')(2), 1.25);
  assert.equal(priceChange('-100%')(2), 0);
  assert.equal(priceChange('+0.01')(2), 2.01);
  assert.equal(priceChange('-0.5')(2), 1.5);
  assert.equal(priceChange('-3')(2), 0);
});

test('no change makes a price negative', () => {
  const change = fc
    .tuple(fc.constantFrom('+', '-', ''), fc.nat(1000), fc.constantFrom('', '%'))
    .map(([sign, n, unit]) => sign + n + (sign === '' ? '' : unit));
  fc.assert(
    fc.property(fc.double({ min: 0, max: 100, noNaN: true }), change, (price, text) => priceChange(text)(price) >= 0),
  );
});

test('a selector takes labels, capacity type and zone; the rest keeps its price', () => {
  const types = overlaid({
    selector: { 'karpenter.k8s.aws/instance-family': ['m5', 'm6a'] },
    capacityType: 'on-demand',
    zone: ['us-east-1a', 'us-east-1b'],
    price: '-50%',
  });
  assert.equal(priceOf(types, 'm6a.large', 'on-demand', 'us-east-1a'), 0.0432);
  assert.equal(priceOf(types, 'm5.large', 'on-demand', 'us-east-1b'), 0.048);
  assert.equal(priceOf(types, 'm6a.large', 'on-demand', 'us-east-1c'), 0.0864);
  assert.equal(priceOf(types, 'm6a.large', 'spot', 'us-east-1a'), 0.0415);
  assert.equal(priceOf(types, 'c5a.xlarge', 'on-demand', 'us-east-1a'), 0.154);
});

test('requirements select by number and by exclusion', () => {
  const types = overlaid({
    requirements: [
      { key: 'karpenter.k8s.aws/instance-generation', operator: 'Gt', values: ['5'] },
      { key: 'karpenter.k8s.aws/instance-category', operator: 'NotIn', values: ['c'] },
      { key: 'karpenter.k8s.aws/instance-local-nvme', operator: 'DoesNotExist' },
    ],
    price: '0',
  });
  assert.equal(priceOf(types, 'm6a.large', 'spot'), 0);
  for (const kept of ['m5.large', 'c6a.large', 'm6id.large']) assert.notEqual(priceOf(types, kept, 'spot'), 0, kept);
});

test('rules apply in order, each to what the last one left', () => {
  const m6a = { 'node.kubernetes.io/instance-type': 'm6a.large' };
  assert.equal(
    priceOf(overlaid({ selector: m6a, price: '1' }, { selector: m6a, price: '+10%' }), 'm6a.large', 'spot'),
    1.1,
  );
  assert.equal(
    priceOf(overlaid({ selector: m6a, price: '+10%' }, { selector: m6a, price: '1' }), 'm6a.large', 'spot'),
    1,
  );
});

test('a ratio to on-demand uses the list price, not the price under a savings plan', () => {
  const types = overlaid(
    { capacityType: 'on-demand', price: '-30%' },
    { capacityType: 'spot', selector: { 'karpenter.k8s.aws/instance-family': 'm6a' }, onDemandRatio: 0.25 },
  );
  assert.equal(priceOf(types, 'm6a.large', 'spot'), 0.0216);
});

test('a savings plan flips which offering of m5d.12xlarge is the cheapest', () => {
  const cheapest = (types: readonly InstanceType[]) => {
    const m5d = types.find((t) => t.name === 'm5d.12xlarge');
    const [first] = [...(m5d?.offerings ?? [])].sort((a, b) => a.price - b.price);
    return first?.requirements.find((r) => r.key === 'karpenter.sh/capacity-type')?.values?.[0];
  };
  const m5d = { 'node.kubernetes.io/instance-type': 'm5d.12xlarge' };
  const plan = {
    name: 'savings plan',
    selector: { 'karpenter.k8s.aws/instance-family': 'm5d' },
    capacityType: 'on-demand',
    price: '-45%',
  };
  const spot = (price: string) => ({ selector: m5d, capacityType: 'spot', price });
  assert.equal(cheapest(overlaid(spot('1.06'), plan)), 'spot');
  assert.equal(cheapest(overlaid(spot('1.56'))), 'spot');
  assert.equal(cheapest(overlaid(spot('1.56'), plan)), 'on-demand');
});

test('a rule that selects nothing is reported', () => {
  const rules = decodePriceOverlay('o.yaml', [
    { name: 'typo', selector: { 'karpenter.k8s.aws/instance-famly': 'm5' }, price: '1' },
  ]);
  const { types, unmatched } = applyPriceOverlay(aws, rules);
  assert.deepEqual(
    unmatched.map((r) => r.where),
    ['o.yaml: overlays[0] (typo)'],
  );
  assert.deepEqual(types, aws);
});

const BAD: readonly (readonly [unknown, string])[] = [
  [{ price: 0.12 }, 'o.yaml: overlays[0].price: 0.12: allowed: quoted text'],
  [{ price: '-' }, 'price: "-": allowed: quoted text'],
  [{ price: '10%' }, 'price: "10%": allowed: quoted text'],
  [{ price: 'NaN' }, 'price: "NaN": allowed: quoted text'],
  [{ price: '-120%' }, 'price: "-120%": allowed: no discount beyond "-100%"'],
  [{}, 'price: not set: allowed: a price'],
  [{ price: '1', onDemandRatio: 1 }, 'allowed: a price or onDemandRatio, not both'],
  [{ onDemandRatio: -1 }, 'onDemandRatio: -1: allowed: a number'],
  [{ price: '1', capacitytype: 'spot' }, 'unknown field: "capacitytype": allowed: one of name, selector'],
  [{ price: '1', selector: { a: 1 } }, 'selector.a: 1: allowed: a string or a list of strings'],
  [{ price: '1', zone: [] }, 'zone: an empty list: allowed: a string or a list of strings'],
  ['m5.large', 'overlays[0]: "m5.large": allowed: an object'],
];

for (const [entry, message] of BAD) {
  test(`refused: ${message}`, () => {
    assert.throws(
      () => decodePriceOverlay('o.yaml', [entry]),
      (error) => error instanceof CatalogError && error.message.includes(message),
    );
  });
}
