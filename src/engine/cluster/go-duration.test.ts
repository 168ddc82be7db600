import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { parseGoDuration } from './go-duration.ts';

describe("durations are what Go's time.ParseDuration reads", () => {
  const cases: readonly (readonly [string, number])[] = [
    ['1h30m', 5_400_000],
    ['-1.5s', -1500],
    ['+5m', 300_000],
    ['1.5h', 5_400_000],
    ['.5s', 500],
    ['1.s', 1000],
    ['1m1m', 120_000],
    ['100us', 0.1],
    ['100µs', 0.1],
    ['1ns', 1e-6],
    ['00h', 0],
    ['0', 0],
    ['-0', 0],
    ['+0', 0],
    [`1.${'3'.repeat(400)}s`, 1333.333333],
  ];
  for (const [text, ms] of cases) {
    test(`"${text}" is ${ms} ms`, () => {
      const parsed = parseGoDuration(text);
      assert.ok(parsed !== undefined && Math.abs(parsed - ms) < 1e-9);
    });
  }

  for (const text of ['', '1d', '5', '1h-1m', '1h 30m', ' 1s', '1H', '--1s', '1e3s', 's', '.s', '1_0s']) {
    test(`"${text}" is none`, () => assert.equal(parseGoDuration(text), undefined));
  }

  test('more than 292 years is none', () => {
    assert.equal(parseGoDuration('9999999h'), undefined);
  });
});
