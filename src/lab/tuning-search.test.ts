import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { nextSettings, START, settingName, settingsToCome, type TunedSetting } from './tuning-search.ts';

const at = (threshold: string, grace = '0', utilization = '1'): TunedSetting => ({ threshold, grace, utilization });

describe('what to try next', () => {
  test('half way to the thresholds beside the best, and one step on the other ladders', () => {
    assert.deepEqual(nextSettings(START, at('1')).map(settingName), [
      'threshold=0.75 grace=0 utilization=1',
      'threshold=1.5 grace=0 utilization=1',
      'threshold=1 grace=15m utilization=1',
      'threshold=1 grace=0 utilization=0.85',
    ]);
  });

  test('beyond the highest there is its double, below nothing there is nothing', () => {
    const thresholds = (best: TunedSetting) => nextSettings(START, best).map(({ threshold }) => threshold);
    assert.deepEqual(new Set(thresholds(at('5'))), new Set(['3.5', '10', '5']));
    assert.deepEqual(new Set(thresholds(at('0'))), new Set(['0.25', '0']));
  });

  test('nothing is tried twice, and thresholds that are as good as equal are not told apart', () => {
    const near = [...START, at('0.95'), at('1.1')];
    assert.deepEqual(
      nextSettings(near, at('1')).map(({ threshold }) => threshold),
      ['1', '1'],
    );
    const all = [...near, at('1', '15m'), at('1', '0', '0.85')];
    assert.deepEqual(nextSettings(all, at('1')), []);
  });

  /** The best setting after each round, as tune found them. */
  const searches: readonly (readonly [name: string, bests: readonly TunedSetting[]])[] = [
    ['web, 90 % of the savings', [at('0.5'), at('0.5', '0', '0.85'), at('0.5', '15m', '0.85')]],
    ['slow-growth, at most 2 evictions', [at('1'), at('1')]],
    ['cron-thrash, 80 % of the savings', [at('5'), at('5'), at('5'), at('5')]],
    ['forty nodes with a daily swing', [at('0'), at('0.25'), at('0.25', '15m'), at('0.25', '1h')]],
  ];
  for (const [name, bests] of searches) {
    test(`${name}: with the settings to come, a round tells the rest of the search within a factor of two`, () => {
      const tried = [...START];
      let [best, batch] = [at('1'), START as readonly TunedSetting[]];
      const rounds = [{ tried: tried.length, batch: batch.length, toCome: settingsToCome(tried, best, batch, 20) }];
      for (best of bests) {
        batch = nextSettings(tried, best);
        tried.push(...batch);
        rounds.push({ tried: tried.length, batch: batch.length, toCome: settingsToCome(tried, best, batch, 20) });
      }
      // The held-out seeds come after them.
      const HELD_OUT = 2;
      for (const round of rounds) {
        const left = round.batch + (tried.length - round.tried) + HELD_OUT;
        const ratio = (round.batch + round.toCome + HELD_OUT) / left;
        assert.ok(ratio >= 0.5 && ratio <= 2, `after ${round.tried} settings: ${ratio}`);
      }
      assert.equal(settingsToCome(tried, best, batch, tried.length), 0);
    });
  }

  test('the search ends without trying anything twice, on any cluster', () => {
    fc.assert(
      fc.property(fc.infiniteStream(fc.nat()), (choices) => {
        const tried = [...START];
        for (let round = 0; ; round++) {
          assert.ok(round < 200);
          // A landscape that does not change: one setting is the best, and the search narrows around it.
          const [choice] = choices.take(1);
          const best = round === 0 ? tried[choice % tried.length] : tried[tried.length - 1 - (choice % 2)];
          const next = nextSettings(tried, best);
          if (next.length === 0 || tried.length > 500) break;
          tried.push(...next);
        }
        assert.equal(new Set(tried.map(settingName)).size, tried.length);
      }),
      { numRuns: 20 },
    );
  });
});
