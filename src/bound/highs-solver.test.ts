import assert from 'node:assert/strict';
import { test } from 'node:test';
import { highsSolver } from './highs-solver.ts';

const solver = await highsSolver();
const near = (actual: number, expected: number) =>
  assert.ok(Math.abs(actual - expected) < 1e-9, `${actual} is not ${expected}`);

// Bake at least 10 loaves: 2 each from our own oven, which takes 3 loaves, 5 each from next door.
const BAKERY = {
  columns: [
    { cost: 2, rows: [0, 1], values: [1, 1] },
    { cost: 5, rows: [0], values: [1] },
  ],
  rows: [
    { atLeast: 10, atMost: Infinity },
    { atLeast: -Infinity, atMost: 3 },
  ],
};

test('duals say what one more on the right-hand side costs', () => {
  const [loaf, place] = solver.solve(BAKERY) ?? [];
  near(loaf, 5);
  near(place, -3);
});

for (const { name, lp } of [
  { name: 'no solution', lp: { columns: [], rows: [{ atLeast: 1, atMost: Infinity }] } },
  { name: 'no end', lp: { columns: [{ cost: -1, rows: [0], values: [1] }], rows: [{ atLeast: 1, atMost: Infinity }] } },
  { name: 'not a number', lp: { columns: [{ cost: Number.NaN, rows: [], values: [] }], rows: [] } },
  { name: 'a row that is not there', lp: { columns: [{ cost: 1, rows: [7], values: [1] }], rows: [] } },
]) {
  test(`says that it failed, and works on: ${name}`, () => {
    assert.equal(solver.solve(lp), undefined);
    assert.notEqual(solver.solve(BAKERY), undefined);
  });
}
