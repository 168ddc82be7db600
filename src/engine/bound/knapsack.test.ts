import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { runs } from '../../../test/build/runs.ts';
import { type Filling, Knapsack } from './knapsack.ts';
import { fitsInto, type HostGroup, type PodClass } from './packing.ts';
import { TableSpace } from './unit-table.ts';

const space = new TableSpace();

interface Case {
  readonly classes: readonly PodClass[];
  readonly host: HostGroup;
  readonly values: Float64Array;
}

const amount = fc.integer({ min: 0, max: 6 });

const anyCase: fc.Arbitrary<Case> = fc
  .record({
    capacity: fc.tuple(
      fc.integer({ min: 6, max: 20 }),
      fc.integer({ min: 6, max: 20 }),
      fc.integer({ min: 1, max: 9 }),
    ),
    items: fc.array(
      fc.record({
        cpu: amount,
        memory: amount,
        pods: fc.integer({ min: 1, max: 4 }),
        value: fc.integer({ min: 0, max: 12 }),
      }),
      { minLength: 1, maxLength: 5 },
    ),
  })
  .map(({ capacity, items }) => ({
    classes: items.map(({ cpu, memory, pods }) => ({ amounts: Float64Array.of(cpu, memory, 1), pods })),
    host: {
      price: 1,
      count: 1,
      capacity: Float64Array.from(capacity),
      zone: '',
      charges: [],
      classes: items.map((_, c) => c),
    },
    values: Float64Array.from(items, ({ value }) => value),
  }));

function bestByTryingAll({ classes, host, values }: Case): number {
  const tryFrom = (c: number, left: Float64Array): number => {
    if (c === classes.length) return 0;
    let best = 0;
    let rest = left;
    for (let pods = 0; ; pods++) {
      best = Math.max(best, pods * values[c] + tryFrom(c + 1, rest));
      if (pods === classes[c].pods || !fitsInto(classes[c].amounts, rest)) return best;
      rest = rest.map((amount, d) => amount - classes[c].amounts[d]);
    }
  };
  return tryFrom(0, host.capacity);
}

function checkPattern({ classes, host, values }: Case, { pattern, value }: Filling): void {
  const used = new Float64Array(3);
  let worth = 0;
  pattern.classes.forEach((c, i) => {
    assert.ok(pattern.pods[i] <= classes[c].pods);
    for (let d = 0; d < 3; d++) used[d] += pattern.pods[i] * classes[c].amounts[d];
    worth += pattern.pods[i] * values[c];
  });
  assert.ok(fitsInto(used, host.capacity), 'the pattern does not fit');
  assert.ok(Math.abs(worth - value) < 1e-9);
}

for (const exactly of [true, false]) {
  test(`a full search finds the best pattern, ${exactly ? 'with' : 'without'} the table`, () => {
    fc.assert(
      fc.property(anyCase, (sample) => {
        const filling = new Knapsack(sample.host, sample.classes, space).fill(sample.values, 0, {
          steps: 1e6,
          exactly,
        });
        const best = bestByTryingAll(sample);
        checkPattern(sample, filling);
        assert.ok(filling.value >= best * (1 - 2e-4), `${filling.value} of ${best}`);
        assert.ok(filling.atMost >= best, `at most ${filling.atMost}, but there is one of ${best}`);
        assert.ok(filling.atMost <= best * (1 + 2e-4), `at most ${filling.atMost}, and the best is ${best}`);
      }),
      runs(500),
    );
  });

  test(`the upper bound holds however short the search, ${exactly ? 'with' : 'without'} the table`, () => {
    fc.assert(
      fc.property(anyCase, fc.nat(5), fc.nat(30), (sample, steps, enough) => {
        const knapsack = new Knapsack(sample.host, sample.classes, space);
        // Prices that were good for other values must not be trusted too far.
        knapsack.fill(sample.values.toReversed(), 0, { steps: 1, exactly });
        const filling = knapsack.fill(sample.values, enough, { steps, exactly });
        checkPattern(sample, filling);
        assert.ok(filling.atMost >= bestByTryingAll(sample));
      }),
      runs(500),
    );
  });
}
