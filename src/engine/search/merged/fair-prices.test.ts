import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { runs } from '../../../../test/build/runs.ts';
import { fairPrices } from './fair-prices.ts';

const amount = fc.integer({ min: 1, max: 64 });
const option = fc.record({ cpu: amount, memory: amount, pods: fc.constant(10), cents: amount });
const demand = fc.record({ cpu: fc.nat(64), memory: fc.nat(64) });

describe('fair prices', () => {
  test('no option holds more than it costs', () => {
    fc.assert(
      fc.property(fc.array(option, { minLength: 1, maxLength: 8 }), demand, (options, wanted) => {
        const { cpu, memory } = fairPrices(options, wanted);
        assert.ok(cpu >= 0 && memory >= 0);
        for (const v of options) assert.ok(cpu * v.cpu + memory * v.memory <= v.cents * (1 + 1e-6));
      }),
      runs(500),
    );
  });

  test('no others that keep to that make the demand more expensive', () => {
    fc.assert(
      fc.property(
        fc.array(option, { minLength: 1, maxLength: 8 }),
        demand,
        fc.double({ min: 0, max: 1, noNaN: true }),
        (options, wanted, share) => {
          const worth = (p: { cpu: number; memory: number }) => p.cpu * wanted.cpu + p.memory * wanted.memory;
          // The highest prices in this proportion.
          const scale = Math.min(...options.map((v) => v.cents / (share * v.cpu + (1 - share) * v.memory)));
          const others = { cpu: share * scale, memory: (1 - share) * scale };
          assert.ok(worth(others) <= worth(fairPrices(options, wanted)) + 1e-6);
        },
      ),
      runs(500),
    );
  });

  test('of one kind of option: what fills it up costs as much as it does', () => {
    const prices = fairPrices([{ cpu: 4, memory: 16, pods: 10, cents: 20 }], { cpu: 2, memory: 3 });
    assert.deepEqual(prices, { cpu: 5, memory: 0 });
  });

  test('without options there are none', () => {
    assert.deepEqual(fairPrices([], { cpu: 1, memory: 1 }), { cpu: 0, memory: 0 });
  });
});
