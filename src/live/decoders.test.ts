import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RenewedDecoders } from './decoders.ts';

test('decoders are renewed when most of what they have read is gone, and not while it is there', () => {
  let held = 100_000;
  const decoders = new RenewedDecoders(() => held);
  const first = decoders.current;
  first.reader.count = 200_000;
  assert.equal(decoders.current, first);
  held = 500;
  assert.notEqual(decoders.current, first);
  const second = decoders.current;
  second.reader.count = 5_000;
  assert.equal(decoders.current, second);
});
