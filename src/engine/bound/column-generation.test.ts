import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { runs } from '../../../test/build/runs.ts';
import { highsSolver } from '../../bound/highs-solver.ts';
import { ColumnGeneration } from './column-generation.ts';
import { Knapsack } from './knapsack.ts';
import { lagrangianBound } from './lagrangian.ts';
import { fitsInto, type HostGroup, type Packing, type PodClass } from './packing.ts';
import { resourceBound } from './resource-bound.ts';
import { TableSpace } from './unit-table.ts';

const solver = await highsSolver();

const anyPacking: fc.Arbitrary<Packing> = fc
  .record({
    classes: fc.array(
      fc.record({
        cpu: fc.integer({ min: 0, max: 5 }),
        memory: fc.integer({ min: 0, max: 5 }),
        pods: fc.integer({ min: 1, max: 2 }),
      }),
      { minLength: 1, maxLength: 3 },
    ),
    hosts: fc.array(
      fc.record({
        cpu: fc.integer({ min: 3, max: 8 }),
        memory: fc.integer({ min: 3, max: 8 }),
        slots: fc.integer({ min: 1, max: 4 }),
        price: fc.integer({ min: 0, max: 9 }),
        count: fc.constantFrom(1, 2, Infinity),
        takes: fc.nat(7),
      }),
      { minLength: 1, maxLength: 3 },
    ),
  })
  .map(({ classes, hosts }) => {
    const all: PodClass[] = classes.map(({ cpu, memory, pods }) => ({
      amounts: Float64Array.of(cpu, memory, 1),
      pods,
    }));
    return {
      classes: all,
      hosts: hosts.flatMap(({ cpu, memory, slots, price, count, takes }): HostGroup[] => {
        const capacity = Float64Array.of(cpu, memory, slots);
        const here = [...all.keys()].filter((c) => (takes >>> c) & 1 && fitsInto(all[c].amounts, capacity));
        // An endless host for nothing would take its pods out of the reckoning beforehand.
        const cost = count === Infinity ? price + 1 : price;
        return here.length === 0 ? [] : [{ price: cost, count, capacity, zone: '', charges: [], classes: here }];
      }),
    };
  });

/** The cheapest way to place every pod, one after the other on an open host or a new one; Infinity if there is none. */
function cheapest({ classes, hosts }: Packing): number {
  const pods = classes.flatMap(({ pods: n }, c) => Array<number>(n).fill(c));
  const open: { readonly host: number; readonly left: Float64Array }[] = [];
  const used = hosts.map(() => 0);
  let best = Infinity;
  const place = (i: number, price: number): void => {
    if (price >= best) return;
    if (i === pods.length) {
      best = price;
      return;
    }
    const c = pods[i];
    const { amounts } = classes[c];
    const on = (left: Float64Array, next: number) => {
      for (let d = 0; d < left.length; d++) left[d] -= amounts[d];
      place(i + 1, next);
      for (let d = 0; d < left.length; d++) left[d] += amounts[d];
    };
    for (const { host, left } of open) if (hosts[host].classes.includes(c) && fitsInto(amounts, left)) on(left, price);
    hosts.forEach((h, host) => {
      if (used[host] >= h.count || !h.classes.includes(c)) return;
      used[host]++;
      open.push({ host, left: h.capacity.slice() });
      on(open[open.length - 1].left, price + h.price);
      open.pop();
      used[host]--;
    });
  };
  place(0, 0);
  return best;
}

test('no packing is cheaper than what any number of rounds says', () => {
  let settled = 0;
  fc.assert(
    fc.property(anyPacking, fc.nat(20), (packing, rounds) => {
      const least = cheapest(packing);
      // Where some pod has no host there is nothing to bound.
      if (least === Infinity) return;
      const resources = resourceBound(packing, solver);
      assert.ok(resources.bound <= least * (1 + 1e-9), `by resources ${resources.bound}, in truth ${least}`);
      const { bound, converged } = new ColumnGeneration(packing, resources, solver).run({ rounds });
      assert.ok(bound >= resources.bound);
      assert.ok(bound <= least * (1 + 1e-9), `${bound}, in truth ${least}`);
      if (converged) settled++;
    }),
    runs(300),
  );
  assert.ok(settled > 50, `only ${settled} converged`);
});

test('any values at all give a bound', () => {
  const space = new TableSpace();
  const anyValues = fc.array(fc.double({ min: 0, max: 20, noNaN: true }), { minLength: 3, maxLength: 3 });
  fc.assert(
    fc.property(anyPacking, anyValues, (packing, list) => {
      const values = Float64Array.from(packing.classes, (_, c) => list[c]);
      const most = packing.hosts.map(
        (host) => new Knapsack(host, packing.classes, space).fill(values, 0, { steps: 1e6, exactly: true }).atMost,
      );
      const least = cheapest(packing);
      const { bound } = lagrangianBound(packing, values, Float64Array.from(most));
      assert.ok(bound <= least * (1 + 1e-9), `${bound}, in truth ${least}`);
    }),
    runs(500),
  );
});

test('the best mix of resources says more than any one of them', () => {
  const packing: Packing = {
    classes: [Float64Array.of(4, 1, 1), Float64Array.of(1, 4, 1)].map((amounts) => ({ amounts, pods: 10 })),
    hosts: [Float64Array.of(8, 4, 20), Float64Array.of(4, 8, 20)].map((capacity) => {
      return { price: 1, count: Infinity, capacity, zone: '', charges: [], classes: [0, 1] };
    }),
  };
  assert.ok(resourceBound(packing, solver).bound > 8.33);
  assert.ok(resourceBound(packing, { solve: () => ({ solved: false }) }).bound < 6.26);
});

test('values that are far off at first are found in time', () => {
  // By cores alone, one price for all: the second class may not go to the cheap hosts, nor the third to their like.
  const classes = [4, 4, 5].map((cpu) => ({ amounts: Float64Array.of(cpu, 1, 1), pods: 50 }));
  const capacity = Float64Array.of(16, 64, 64);
  const packing: Packing = {
    classes,
    hosts: [
      { price: 1, count: Infinity, capacity, zone: '', charges: [], classes: [0] },
      { price: 30, count: Infinity, capacity, zone: '', charges: [], classes: [0, 1] },
      { price: 900, count: 40, capacity, zone: '', charges: [], classes: [0, 1, 2] },
    ],
  };
  const best = 12.5 * 1 + 12.5 * 30 + (50 / 3) * 900;
  const resources = resourceBound(packing, solver);
  assert.ok(resources.bound < 0.95 * best, `${resources.bound} of ${best} already`);
  const { bound, converged } = new ColumnGeneration(packing, resources, solver).run({ rounds: 80 });
  assert.equal(converged, true);
  assert.ok(bound > best * 0.999 && bound <= best * (1 + 1e-9), `${bound} of ${best}`);
});
