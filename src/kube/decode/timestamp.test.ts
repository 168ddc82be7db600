import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { parseTimestamp, timestampAt } from './timestamp.ts';

const cases: readonly (readonly [string, number | undefined])[] = [
  ['1970-01-01T00:00:00Z', 0],
  ['2026-08-20T12:00:00Z', 1787227200000],
  ['2026-08-20T12:00:00.25Z', 1787227200250],
  ['2026-08-20T12:00:00.123456789Z', 1787227200123],
  ['2026-08-20T14:00:00+02:00', 1787227200000],
  ['2026-08-20T07:30:00-04:30', 1787227200000],
  ['2024-02-29T00:00:00Z', 1709164800000],
  ['2026-02-29T00:00:00Z', undefined],
  ['2026-13-01T00:00:00Z', undefined],
  ['2026-08-20T24:00:00Z', undefined],
  ['2026-08-20 12:00:00Z', undefined],
  ['2026-08-20T12:00:00', undefined],
  ['yesterday', undefined],
];

for (const [text, ms] of cases) {
  test(`timestamp ${text}`, () => assert.equal(parseTimestamp(text), ms));
}

test('bytes and text give the same time', () => {
  const seconds = fc.integer({ min: -62_000_000_000, max: 253_000_000_000 });
  fc.assert(
    fc.property(seconds, (second) => {
      const text = new Date(second * 1000).toISOString().replace('.000Z', 'Z');
      assert.equal(parseTimestamp(text), second * 1000);
      assert.equal(timestampAt(Buffer.from(`"${text}"`), 0), second * 1000);
    }),
  );
});

test('bytes that are no time in the usual form are left to the text parser', () => {
  for (const text of ['"2026-02-29T00:00:00Z"', '"2026-08-20T14:00:00+02:00"', '"2026-0x-20T12:00:00Z"', 'null', '5']) {
    assert.equal(timestampAt(Buffer.from(text), 0), undefined);
  }
});
