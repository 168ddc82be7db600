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

test('finds the optimum, and duals say what one more on the right-hand side costs', () => {
  const solution = solver.solve(BAKERY);
  assert.ok(solution.solved);
  near(solution.objective, 3 * 2 + 7 * 5);
  near(solution.values[0], 3);
  near(solution.values[1], 7);
  near(solution.duals[0], 5);
  near(solution.duals[1], -3);
});

test('a solution is where the next program starts when columns are added', () => {
  const first = solver.solve(BAKERY);
  assert.ok(first.solved);
  const columns = [...BAKERY.columns, { cost: 4, rows: [0], values: [1] }];
  const second = solver.solve({ ...BAKERY, columns, start: first.basis });
  assert.ok(second.solved);
  near(second.objective, 3 * 2 + 7 * 4);
  near(second.duals[0], 4);
});

for (const { name, lp } of [
  { name: 'no solution', lp: { columns: [], rows: [{ atLeast: 1, atMost: Infinity }] } },
  { name: 'no end', lp: { columns: [{ cost: -1, rows: [0], values: [1] }], rows: [{ atLeast: 1, atMost: Infinity }] } },
  { name: 'not a number', lp: { columns: [{ cost: Number.NaN, rows: [], values: [] }], rows: [] } },
  { name: 'a row that is not there', lp: { columns: [{ cost: 1, rows: [7], values: [1] }], rows: [] } },
]) {
  test(`says that it failed, and works on: ${name}`, () => {
    assert.equal(solver.solve(lp).solved, false);
    assert.equal(solver.solve(BAKERY).solved, true);
  });
}
