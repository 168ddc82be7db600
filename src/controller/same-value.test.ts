import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { runs } from '../../test/build/runs.ts';
import { sameValue } from './same-value.ts';

test('a copy is the same, and what differs for assert differs', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), (a, b) => {
      assert.ok(sameValue(a, structuredClone(a)));
      let equal = true;
      try {
        assert.deepStrictEqual(a, b);
      } catch {
        equal = false;
      }
      assert.equal(sameValue(a, b), equal);
    }),
    runs(300),
  );
});

test('a field that is not there is not one that is undefined', () => {
  assert.equal(sameValue({ a: undefined }, { b: undefined }), false);
  assert.equal(sameValue([1], { 0: 1 }), false);
  assert.equal(sameValue({}, null), false);
});
