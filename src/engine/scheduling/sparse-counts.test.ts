import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { SparseCounts } from './sparse-counts.ts';

/** The same, slowly. */
class Model {
  readonly counts = new Map<string, number>();
  add(group: number, host: number, delta: number): number {
    const now = (this.counts.get(`${group}/${host}`) ?? 0) + delta;
    this.counts.set(`${group}/${host}`, now);
    return now;
  }
  entries(): string[] {
    return [...this.counts]
      .filter(([, n]) => n !== 0)
      .map(([key, n]) => `${key}=${n}`)
      .sort();
  }
}

describe('counts by group and host', () => {
  const change = fc.tuple(fc.nat(40), fc.nat(60), fc.constantFrom(-1, 1, 1, 2));

  test('are what a map would hold', () => {
    fc.assert(
      fc.property(fc.array(change, { maxLength: 1500, size: 'max' }), (changes) => {
        const [counts, model] = [new SparseCounts(), new Model()];
        for (const [group, host, delta] of changes)
          assert.equal(counts.add(group, host, delta), model.add(group, host, delta));
        assert.deepEqual(counts.entries(), model.entries());
        for (const [group, host] of changes)
          assert.equal(counts.get(group, host), model.counts.get(`${group}/${host}`));
        const populated = [...Array(61).keys()].filter((host) => (model.counts.get(`3/${host}`) ?? 0) > 0);
        assert.deepEqual(
          counts.hostsOf(3).sort((a, b) => a - b),
          populated,
        );
      }),
      { numRuns: 30 },
    );
  });

  test('that were never added are zero', () => {
    assert.equal(new SparseCounts().get(1, 2), 0);
  });

  test('survive many comings and goings, which leave nothing behind', () => {
    const counts = new SparseCounts();
    counts.add(0, 0, 7);
    for (let host = 1; host < 20_000; host++) {
      counts.add(1, host, 1);
      counts.add(1, host, -1);
    }
    assert.deepEqual(counts.entries(), ['0/0=7']);
    assert.equal(counts.get(0, 0), 7);
  });
});
