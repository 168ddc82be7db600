import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { hasBit, members, summarize } from '../cluster/bitset.ts';
import { FreeCapacityIndex } from './free-capacity-index.ts';

const amount = fc.oneof(fc.integer({ min: 0, max: 8 }), fc.integer({ min: -100, max: 16_000 }));
/** Few nodes, and more than there are rungs. */
const nodes = fc.oneof(
  fc.array(amount, { maxLength: 80 }),
  fc.array(amount, { minLength: 200, maxLength: 400, size: 'max' }),
);

function checkSuperset(index: FreeCapacityIndex, free: readonly number[], wanted: number): void {
  const found = index.atLeast(wanted);
  free.forEach((has, row) => {
    if (has >= wanted) assert.ok(hasBit(found, row), `row ${row} has ${has} of ${wanted}`);
  });
  assert.deepEqual(members(index.summaryOf(wanted)), members(summarize(found)));
}

const NOTHING_ASKED = new Float64Array(0);

describe('the index of free capacity', () => {
  test('loses no node that has enough', () => {
    fc.assert(
      fc.property(nodes, nodes, amount, (free, requested, wanted) =>
        checkSuperset(new FreeCapacityIndex(Float64Array.from(free), Float64Array.from(requested)), free, wanted),
      ),
    );
  });

  test('loses none after nodes changed for good, either way', () => {
    const changes = fc.array(fc.tuple(fc.nat(), amount), { maxLength: 30 });
    fc.assert(
      fc.property(nodes, nodes, changes, amount, (before, requested, list, wanted) => {
        const free = [...before];
        const index = new FreeCapacityIndex(Float64Array.from(free), Float64Array.from(requested));
        if (free.length > 0) {
          for (const [i, [at, now]] of list.entries()) {
            free[at % free.length] = now;
            index.update(at % free.length, now);
            // Before and after it was asked for the first time.
            if (i >= list.length / 2) checkSuperset(index, free, wanted);
          }
        }
        checkSuperset(index, free, wanted);
      }),
    );
  });

  test('uses the free capacity before the simulation, not what is left during it', () => {
    const column = Float64Array.of(1, 2, 3);
    const index = new FreeCapacityIndex(column, NOTHING_ASKED);
    column[2] = 0;
    assert.deepEqual(members(index.atLeast(3)), [2]);
  });

  test('is exact while no node has more than the rungs tell apart', () => {
    fc.assert(
      fc.property(fc.array(amount, { maxLength: 100 }), fc.nat(), (free, pick) => {
        if (free.length === 0) return;
        const wanted = free[pick % free.length];
        const expected = [...free.keys()].filter((row) => free[row] >= wanted);
        assert.deepEqual(
          members(new FreeCapacityIndex(Float64Array.from(free), NOTHING_ASKED).atLeast(wanted)),
          expected,
        );
      }),
    );
  });

  test('finds no node for more than any has', () => {
    assert.deepEqual(members(new FreeCapacityIndex(Float64Array.of(1, 2, 3), NOTHING_ASKED).atLeast(4)), []);
  });
});
