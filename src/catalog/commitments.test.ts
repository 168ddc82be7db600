import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { commitmentsOf } from '../engine/cluster/commitment.ts';
import type { InstanceType } from '../engine/cluster/objects.ts';
import { CAPACITY_TYPE, INSTANCE_TYPE } from '../engine/cluster/well-known.ts';
import { bundledCatalog } from './bundled-catalog.ts';
import { CatalogError } from './catalog-error.ts';
import { writeInstanceType } from './kwok-entry.ts';
import { decodeInstanceTypes } from './kwok-format.ts';
import { applyPriceOverlay, decodePriceOverlay } from './price-overlay.ts';
import { valuesOf } from './requirements.ts';

const NAMES: readonly string[] = ['m5.large', 'm5.xlarge', 'c5.large'];
const few = bundledCatalog({ cloud: 'aws', region: 'us-east-1' }).types.filter(({ name }) => NAMES.includes(name));

function overlaid(...entries: readonly unknown[]): readonly InstanceType[] {
  return applyPriceOverlay(few, decodePriceOverlay('o.yaml', entries)).types;
}

/** Types and capacity types that each commitment pays for. */
function covered(types: readonly InstanceType[]): Record<string, readonly string[]> {
  const found = types.flatMap(({ name, offerings }) =>
    offerings.flatMap(({ requirements, coveredBy = [] }) =>
      coveredBy.map((c) => [c.name, `${name} ${valuesOf(requirements, CAPACITY_TYPE)}`] as const),
    ),
  );
  const byName = Map.groupBy(found, ([name]) => name);
  return Object.fromEntries(
    [...byName].map(([name, list]) => [name, [...new Set(list.map(([, what]) => what))].sort()]),
  );
}

const M5 = { selector: { 'karpenter.k8s.aws/instance-family': 'm5' } };
const ONE = { selector: { [INSTANCE_TYPE]: 'm5.large' } };

describe('entries of an overlay with a size', () => {
  test('pay for on-demand nodes that they select, and change no price', () => {
    const types = overlaid(
      { name: 'plan', ...M5, dollarsPerHour: 40, price: '-27.5%' },
      { name: 'all', dollarsPerHour: 1 },
    );
    assert.deepEqual(covered(types), {
      plan: ['m5.large on-demand', 'm5.xlarge on-demand'],
      all: ['c5.large on-demand', 'm5.large on-demand', 'm5.xlarge on-demand'],
    });
    const prices = (list: readonly InstanceType[]) => list.map((t) => t.offerings.map((o) => o.price));
    assert.deepEqual(prices(types), prices(few));
  });

  test('with a discount a commitment in dollars covers more; one in nodes covers their list price', () => {
    const types = overlaid(
      { name: 'plan', ...M5, dollarsPerHour: 40, price: '-20%' },
      { name: 'ratio', ...M5, dollarsPerHour: 40, onDemandRatio: 0.8 },
      { name: 'reserved', ...ONE, nodes: 10, price: '0.06' },
      { name: 'at list price', ...ONE, nodes: 1 },
    );
    const sizes = commitmentsOf(types).map((c) => [
      c.name,
      c.dollarsPerHour,
      Number(c.coversDollarsPerHour.toFixed(6)),
    ]);
    assert.deepEqual(sizes, [
      ['at list price', 0.096, 0.096],
      ['plan', 40, 50],
      ['ratio', 40, 50],
      ['reserved', 0.6, 0.96],
    ]);
  });

  test('other entries apply before commitments, in any order of the file', () => {
    const types = overlaid(
      { name: 'reserved', ...ONE, nodes: 10 },
      { ...ONE, capacityType: 'on-demand', price: '0.10' },
    );
    assert.equal(commitmentsOf(types)[0].coversDollarsPerHour, 1);
  });

  test('nodes that the same commitments pay for share one list, also when read again', () => {
    const types = overlaid({ name: 'plan', ...M5, dollarsPerHour: 40 });
    const again = decodeInstanceTypes(
      's',
      JSON.parse(JSON.stringify(types.map((t) => writeInstanceType(t, 'snapshot')))),
    );
    const short = decodeInstanceTypes('s', JSON.parse(JSON.stringify(types.map((t) => writeInstanceType(t, 'short')))));
    for (const list of [types, again, short]) {
      const lists = new Set(
        list.flatMap((t) => t.offerings.flatMap((o) => (o.coveredBy === undefined ? [] : [o.coveredBy]))),
      );
      assert.equal(lists.size, 1);
      assert.deepEqual(commitmentsOf(list), commitmentsOf(types));
      assert.deepEqual(covered(list), covered(types));
    }
  });

  test('that match nothing are named', () => {
    const entry = { name: 'gone', selector: { [INSTANCE_TYPE]: 'm3.large' }, nodes: 2 };
    const { unmatched, types } = applyPriceOverlay(few, decodePriceOverlay('o.yaml', [entry]));
    assert.deepEqual([unmatched.map((r) => r.where), commitmentsOf(types)], [['o.yaml: overlays[0] (gone)'], []]);
  });

  for (const [entry, what] of [
    [{ ...ONE, nodes: 0 }, /nodes: 0: allowed: a whole number, 1 or more/],
    [{ ...ONE, dollarsPerHour: -1 }, /dollarsPerHour: -1: allowed: a number above 0/],
    [{ ...ONE, nodes: 1, dollarsPerHour: 1 }, /dollarsPerHour or nodes, not both/],
    [{ ...M5, nodes: 2 }, /a selector of one instance type/],
    [{ ...ONE, dollarsPerHour: 1, price: '0.06' }, /a discount such as/],
    [{ ...ONE, dollarsPerHour: 1, price: '+5%' }, /a discount such as/],
    [{ ...ONE, dollarsPerHour: 1, price: '-100%' }, /a rate above 0/],
    [{ ...ONE, dollarsPerHour: 1, price: '-5%', onDemandRatio: 0.5 }, /price/],
  ] as const) {
    test(`refused: ${JSON.stringify(entry)}`, () => {
      assert.throws(
        () => overlaid(entry),
        (error) => error instanceof CatalogError && what.test(error.message),
      );
    });
  }

  test('refused: two of one name', () => {
    const entry = { name: 'plan', ...ONE, nodes: 1 };
    assert.throws(() => overlaid(entry, entry), /a name that no other commitment has/);
  });
});
