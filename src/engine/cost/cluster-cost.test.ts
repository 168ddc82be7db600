import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import type { Commitment, CoveredBy } from '../cluster/commitment.ts';
import { clusterCost, coverage, type Spend, unusedFor, withSpend } from './cluster-cost.ts';

const plan = (name: string, dollarsPerHour: number, discount = 0): Commitment => ({
  name,
  dollarsPerHour,
  coversDollarsPerHour: dollarsPerHour / (1 - discount),
});

/** Commitments, and spend that some of them match. */
const anySpend = fc
  .record({
    sizes: fc.array(fc.integer({ min: 0, max: 20 }), { minLength: 1, maxLength: 4 }),
    groups: fc.array(fc.record({ mask: fc.nat(15), dollars: fc.integer({ min: 0, max: 20 }) }), { maxLength: 6 }),
  })
  .map(({ sizes, groups }) => {
    const commitments = sizes.map((size, i) => plan(`c${i}`, size, i / 10));
    const spend: [CoveredBy, number][] = groups.map(({ mask, dollars }) => [
      commitments.filter((_, i) => mask & (1 << i)),
      dollars,
    ]);
    return { commitments, spend };
  });

const close = (a: number, b: number) => assert.ok(Math.abs(a - b) < 1e-9, `${a} against ${b}`);

/** By the smallest cut: for every set of commitments, all of them and the spend that others could pay for. */
function mostCovered(commitments: readonly Commitment[], spend: Spend): number {
  const cuts = Array.from({ length: 2 ** commitments.length }, (_, set) => {
    const cut = new Set(commitments.filter((__, i) => set & (1 << i)));
    const open = [...spend].filter(([coveredBy]) => coveredBy.some((c) => !cut.has(c)));
    return (
      [...cut].reduce((sum, c) => sum + c.coversDollarsPerHour, 0) + open.reduce((sum, [, dollars]) => sum + dollars, 0)
    );
  });
  return Math.min(...cuts);
}

describe('the cost of a cluster with commitments', () => {
  test('a savings plan of 40 dollars at 20 % off pays for 50 dollars of list price, the rest costs list price', () => {
    const sp = plan('sp', 40, 0.2);
    const list = [sp];
    close(clusterCost([sp], new Map([[list, 30]])), 40);
    close(clusterCost([sp], new Map([[list, 50]])), 40);
    close(clusterCost([sp], new Map([[list, 60]])), 50);
    close(
      clusterCost(
        [sp],
        new Map([
          [list, 50],
          [[], 7],
        ]),
      ),
      47,
    );
  });

  test('commitments pay for as much as they can together', () => {
    fc.assert(
      fc.property(anySpend, ({ commitments, spend }) => {
        close(coverage(new Map(spend)).dollarsPerHour, mostCovered(commitments, new Map(spend)));
      }),
    );
  });

  test('what each pays for adds up, and none pays for more than its size or for what it does not match', () => {
    fc.assert(
      fc.property(anySpend, ({ commitments, spend }) => {
        const { dollarsPerHour, byCommitment, bySpend } = coverage(new Map(spend));
        close(
          [...byCommitment.values()].reduce((a, b) => a + b, 0),
          dollarsPerHour,
        );
        close(
          [...bySpend.values()].reduce((a, b) => a + b, 0),
          dollarsPerHour,
        );
        for (const c of commitments) assert.ok((byCommitment.get(c) ?? 0) <= c.coversDollarsPerHour + 1e-9);
        for (const [list, dollars] of new Map(spend)) assert.ok((bySpend.get(list) ?? 0) <= dollars + 1e-9);
      }),
    );
  });

  test('order has no influence', () => {
    fc.assert(
      fc.property(anySpend, ({ commitments, spend }) => {
        const backwards = new Map([...new Map(spend)].reverse());
        close(clusterCost(commitments, new Map(spend)), clusterCost([...commitments].reverse(), backwards));
      }),
    );
  });

  test('a larger commitment never pays for less, and never leaves more to pay at list prices', () => {
    fc.assert(
      fc.property(anySpend, fc.nat(3), fc.integer({ min: 1, max: 9 }), ({ commitments, spend }, which, more) => {
        const grown = commitments.map((c, i) =>
          i === which ? { ...c, coversDollarsPerHour: c.coversDollarsPerHour + more } : c,
        );
        const inGrown = spend.map(
          ([list, dollars]) => [list.map((c) => grown[commitments.indexOf(c)]), dollars] as const,
        );
        const [small, large] = [coverage(new Map(spend)).dollarsPerHour, coverage(new Map(inGrown)).dollarsPerHour];
        assert.ok(large >= small - 1e-9 && large <= small + more + 1e-9);
      }),
    );
  });

  test('less spend never costs more, and saves at most its price; unused is what more would cost nothing', () => {
    fc.assert(
      fc.property(anySpend, fc.integer({ min: 1, max: 9 }), ({ commitments, spend }, dollars) => {
        const before = new Map(spend);
        for (const list of before.keys()) {
          const after = withSpend(before, [[list, dollars]]);
          const added = clusterCost(commitments, after) - clusterCost(commitments, before);
          assert.ok(added >= -1e-9 && added <= dollars + 1e-9);
          close(added, dollars - Math.min(dollars, unusedFor(before, list)));
        }
      }),
    );
  });
});
