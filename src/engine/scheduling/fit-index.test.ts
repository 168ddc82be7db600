import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { members } from '../cluster/bitset.ts';
import { FitIndex, neverNegative } from './fit-index.ts';

const amount = fc.oneof(fc.integer({ min: -2, max: 5 }), fc.integer({ min: 0, max: 1e6 }));

test('the index names exactly the types that have at least the amount', () => {
  fc.assert(
    fc.property(fc.array(amount, { maxLength: 70 }), amount, (list, wanted) => {
      const expected = [...list.keys()].filter((i) => list[i] >= wanted);
      assert.deepEqual(members(new FitIndex(Float64Array.from(list)).typesWith(wanted)), expected);
    }),
  );
});

test('a type is sound unless it is short of something from the start', () => {
  assert.deepEqual(members(neverNegative([{ cpu: 1 }, { cpu: 1, memory: -1 }, {}, { cpu: 0 }])), [0, 2, 3]);
});
