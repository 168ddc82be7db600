import assert from 'node:assert/strict';
import { test } from 'node:test';
import { refusalText } from '../refusal-text.ts';
import { minimumPercent } from './minimum-percent.ts';

test('20 % of the price, as the policies document has it: 19 of 100 cents are too little, 20 are not', () => {
  const refusal = minimumPercent(19, 100, 20);
  assert.deepEqual(refusal, { code: 'savings-below-percent', savingsPercent: 19, requiredPercent: 20 });
  assert.ok(refusal !== undefined);
  assert.equal(refusalText(refusal), 'saves 19.0 % of the price of what it removes, 20 % is required');
  assert.equal(minimumPercent(20, 100, 20), undefined);
});

test('noise of prices does not count', () => {
  assert.ok((0.5 - 0.4) * 100 < 10);
  assert.equal(minimumPercent((0.5 - 0.4) * 100, 50, 20), undefined);
});

test('0 % leaves the decision to the savings threshold, also where nothing is saved', () => {
  assert.equal(minimumPercent(0, 100, 0), undefined);
});

test('a deletion saves all of it; what has no price saves nothing', () => {
  assert.equal(minimumPercent(10, 10, 100), undefined);
  assert.deepEqual(minimumPercent(0, 0, 1), { code: 'savings-below-percent', savingsPercent: 0, requiredPercent: 1 });
});
