import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { durationFlag } from './flag-values.ts';

describe('a duration flag', () => {
  const parse = durationFlag({ least: '1s', most: '400d', example: '14d' });
  const HOUR_MS = 3_600_000;

  test('takes Go durations, and whole days before them', () => {
    assert.equal(parse('336h'), 336 * HOUR_MS);
    assert.equal(parse('14d'), 336 * HOUR_MS);
    assert.equal(parse('1d12h30m'), 36.5 * HOUR_MS);
    assert.equal(parse('400d'), 400 * 24 * HOUR_MS);
  });

  for (const bad of ['', 'd', '1.5d', '12h1d', '1d-1h30x', '14', '-1d', '401d', '0d']) {
    test(`refuses ${JSON.stringify(bad)}`, () => {
      assert.throws(() => parse(bad), /a duration from 1s to 400d, such as 14d/);
    });
  }
});
