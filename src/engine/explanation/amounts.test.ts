import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { amounts, atLeast, atMost, cents, centsUp, durationInWords, elapsed, percent } from './amounts.ts';

test('numbers as people say them', () => {
  assert.equal(cents(5.4), '5.4 ¢/h');
  assert.equal(cents(34.56), '34.56 ¢/h');
  assert.equal(cents(100), '100 ¢/h');
  assert.equal(centsUp(5.400000000001), '5.4 ¢/h');
  assert.equal(centsUp(5.401), '5.41 ¢/h');
  assert.equal(atMost(0.6 / 6), '0.1');
  assert.equal(atMost(0.0999999999), '0.1');
  assert.equal(atMost(0.09996), '0.0999');
  assert.equal(atMost(12345.6), '12345');
  assert.equal(atLeast(0.8932), '0.894');
  assert.equal(atLeast(0.5), '0.5');
  assert.equal(percent(0.4249), '42.5 %');
  assert.equal(amounts({ cpu: 400, memory: 1.5 * 2 ** 30 }), '0.4 cpu and 1.5 GiB memory');
  assert.equal(amounts({ memory: 1, pods: 1 }), '1 MiB memory and 1 pod slot');
  assert.equal(amounts({}), 'nothing');
  assert.equal(durationInWords(40_000), '40 s');
  assert.equal(durationInWords(179_500), '3 min');
  assert.equal(durationInWords(7_260_000), '2 h 1 min');
  assert.equal(durationInWords(3 * 86_400_000), '3 d');
  assert.equal(elapsed(179_500), '2 min');
});

test('what is said to be enough is enough, and not much more', () => {
  const amount = fc.double({ min: 1e-6, max: 1e6, noNaN: true });
  fc.assert(
    fc.property(amount, (x) => {
      const [least, most] = [Number(atLeast(x)), Number(atMost(x))];
      assert.ok(most <= x * (1 + 2e-9) && x <= least * (1 + 2e-9));
      assert.ok(least - most <= x / 50);
    }),
  );
});
