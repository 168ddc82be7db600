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

  test('settings to come are within a factor of two of those of a search whose best setting moves on round by round', () => {
    // As tune found them on the cluster of examples/forty-nodes.json.gz: after the last, no neighbour was better.
    const bests = [at('0'), at('0.25'), at('0.25', '15m'), at('0.25', '1h')];
    const tried = [...START];
    let candidates: readonly TunedSetting[] = START;
    const expected = [{ tried: tried.length, toCome: settingsToCome(tried, candidates, 1000) }];
    for (const best of bests) {
      const next = nextSettings(tried, best);
      tried.push(...next);
      candidates = [best, ...next];
      expected.push({ tried: tried.length, toCome: settingsToCome(tried, candidates, 1000) });
    }
    for (const { tried: then, toCome } of expected.slice(0, -1)) {
      const ratio = toCome / (tried.length - then);
      assert.ok(ratio >= 0.5 && ratio <= 2, `after ${then} settings: ${toCome} of ${tried.length - then}`);
    }
    assert.equal(settingsToCome(tried, candidates, tried.length + 1), 1);
    assert.equal(settingsToCome(tried, candidates, tried.length), 0);
  });

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
