import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { parseGoDuration } from '../../engine/cluster/go-duration.ts';
import { FieldProblem } from '../field-problem.ts';
import { decodeDurationOrNever } from './duration.ts';

/** Text and nanoseconds as Go's time.ParseDuration answered; undefined where it refused. */
const answers: readonly (readonly [string, number | undefined])[] = [
  ['0', 0],
  ['0s', 0],
  ['-0', 0],
  ['30s', 30e9],
  ['1h', 3600e9],
  ['1h30m', 5400e9],
  ['720h', 2592000e9],
  ['720h0m0s', 2592000e9],
  ['1.5h', 5400e9],
  ['0.3h', 1080e9],
  ['1.1s', 1.1e9],
  ['100ms', 1e8],
  ['1us', 1000],
  ['1µs', 1000],
  ['1μs', 1000],
  ['1ns', 1],
  ['-1m', -60e9],
  ['+5s', 5e9],
  ['.5s', 5e8],
  ['1.s', 1e9],
  ['1.5h30m', 7200e9],
  ['1m1m', 120e9],
  ['00010s', 10e9],
  ['0.000000001s', 1],
  ['0.1ns', 0],
  ['1.0000000000001h', 3600e9],
  ['3h2m1s4ms5us6ns', 10921004005006],
  ['9223372036s', 9223372036e9],
  ['9223372037s', undefined],
  ['2562047h47m16.854775808s', undefined],
  ['99999999999999999999s', undefined],
  ...['1h-1m', '1', 'h', '1x', '.s', '', 'Never', '1d', '1e3s', '1 h', '  1s', '1s ', '1H', '-', '+'].map(
    (text) => [text, undefined] as const,
  ),
];

for (const [text, nanos] of answers) {
  test(`duration ${JSON.stringify(text)} is what Go says`, () => {
    assert.equal(parseGoDuration(text), nanos === undefined ? undefined : nanos / 1e6);
  });
}

test('durations made of whole parts add up', () => {
  const part = fc.integer({ min: 0, max: 999 });
  fc.assert(
    fc.property(part, part, part, part, (h, m, s, ms) => {
      assert.equal(parseGoDuration(`${h}h${m}m${s}s${ms}ms`), h * 3_600_000 + m * 60_000 + s * 1000 + ms);
    }),
  );
});

test('Never is no duration, and a negative one is refused', () => {
  assert.equal(decodeDurationOrNever('Never', 'x'), undefined);
  assert.equal(decodeDurationOrNever('15s', 'x'), 15_000);
  assert.throws(() => decodeDurationOrNever('-15s', 'x'), FieldProblem);
});
