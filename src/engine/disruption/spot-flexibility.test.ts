import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { DEFAULT_SETTINGS } from '../settings.ts';
import { requiredSpotTypes } from './spot-flexibility.ts';

const SHRINKING = { ...DEFAULT_SETTINGS, spotToSpotShrink: true };

test('15, whatever the threshold, unless asked to shrink', () => {
  assert.equal(requiredSpotTypes(DEFAULT_SETTINGS, 9, 10), 15);
});

for (const [requiredCents, priceCents, types] of [
  [0, 10, 15],
  [2, 10, 12],
  [5, 10, 8],
  [6, 10, 6],
  // 15 × (1 − 20/30) is a hair above 5 in floats.
  [20, 30, 5],
  [9, 10, 2],
  [10, 10, 1],
  [99, 10, 1],
  [1, 0, 15],
]) {
  test(`${requiredCents} of ${priceCents} cents required: ${types} types`, () => {
    assert.equal(requiredSpotTypes(SHRINKING, requiredCents, priceCents), types);
  });
}

test('a higher threshold never asks for more types, and always for one', () => {
  const amount = fc.double({ min: 0, max: 1000, noNaN: true });
  fc.assert(
    fc.property(amount, amount, amount, fc.integer({ min: 1, max: 50 }), (low, extra, price, spotToSpotTypes) => {
      const types = (cents: number) => requiredSpotTypes({ spotToSpotTypes, spotToSpotShrink: true }, cents, price);
      assert.ok(types(low) >= types(low + extra) && types(low + extra) >= 1 && types(low) <= spotToSpotTypes);
    }),
  );
});
