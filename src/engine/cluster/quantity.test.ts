import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { formatQuantity, milliValue, wholeValue } from './quantity.ts';

// text, MilliValue(), Value(), String(): the answers of k8s.io/apimachinery v0.35.1.
const GO: readonly (readonly [string, number, number, string])[] = [
  ['0', 0, 0, '0'],
  ['2', 2000, 2, '2'],
  ['16', 16000, 16, '16'],
  ['100m', 100, 1, '100m'],
  ['1000m', 1000, 1, '1'],
  ['1500m', 1500, 2, '1500m'],
  ['0.1', 100, 1, '100m'],
  ['.5', 500, 1, '500m'],
  ['1.', 1000, 1, '1.'],
  ['1.5', 1500, 2, '1500m'],
  ['1.25', 1250, 2, '1250m'],
  ['1.250', 1250, 2, '1.250'],
  ['1.0005', 1001, 2, '1000500u'],
  ['0.0001', 1, 1, '100u'],
  ['2.000', 2000, 2, '2'],
  ['07', 7000, 7, '07'],
  ['+5', 5000, 5, '+5'],
  ['-3', -3000, -3, '-3'],
  ['-250m', -250, -1, '-250m'],
  ['8Gi', 8589934592000, 8589934592, '8Gi'],
  ['32Gi', 34359738368000, 34359738368, '32Gi'],
  ['8192Mi', 8589934592000, 8589934592, '8Gi'],
  ['1.5Gi', 1610612736000, 1610612736, '1536Mi'],
  ['2688Mi', 2818572288000, 2818572288, '2688Mi'],
  ['1023Ki', 1047552000, 1047552, '1023Ki'],
  ['0.5Ki', 512000, 512, '512'],
  ['1.1Ki', 1126400, 1127, '1126400m'],
  ['1536', 1536000, 1536, '1536'],
  ['100Ti', 109951162777600000, 109951162777600, '100Ti'],
  ['7.5Pi', 8444249301319680000, 8444249301319680, '7680Ti'],
  ['129e6', 129000000000, 129000000, '129e6'],
  ['129M', 129000000000, 129000000, '129M'],
  ['1E3', 1000000, 1000, '1E3'],
  ['2.5e-1', 250, 1, '250e-3'],
  ['100n', 1, 1, '100n'],
  ['0.1n', 1, 1, '1n'],
  ['5u', 1, 1, '5u'],
  ['0Gi', 0, 0, '0'],
];

for (const [text, milli, whole, printed] of GO) {
  test(`${text} is read and printed as Go does`, () => {
    assert.equal(milliValue(text), milli);
    assert.equal(wholeValue(text), whole);
    assert.equal(formatQuantity(text), printed);
  });
}

test('malformed text is NaN, never a number', () => {
  for (const text of [
    '',
    ' ',
    '1.5.Gi',
    '1,5',
    '1KB',
    '1mi',
    '1e',
    '1e1.5',
    '1 Gi',
    'Gi',
    '.',
    '0x10',
    'NaN',
    'Infinity',
    '1_000',
    '1Zi',
    '--1',
  ]) {
    assert.equal(wholeValue(text), Number.NaN, text);
    assert.equal(milliValue(text), Number.NaN, text);
    assert.equal(formatQuantity(text), undefined, text);
  }
});

test('an absurd exponent takes no absurd time', () => {
  assert.equal(wholeValue('1e999999999'), Number.POSITIVE_INFINITY);
  assert.equal(wholeValue('0e999999999'), 0);
  assert.equal(wholeValue('1e-999999999'), 1);
});

test('printing a quantity does not change its value, and printing it again not its text', () => {
  const quantity = fc
    .tuple(
      fc.nat(1e6),
      fc.constantFrom('', '.5', '.125', '.0625'),
      fc.constantFrom('', 'm', 'k', 'M', 'G', 'Ki', 'Mi', 'Gi', 'e3'),
    )
    .map((parts) => parts.join(''));
  fc.assert(
    fc.property(quantity, (text) => {
      const printed = formatQuantity(text) ?? '';
      assert.equal(milliValue(printed), milliValue(text));
      assert.equal(wholeValue(printed), wholeValue(text));
      // 0.0625Ki is 64, which is read as a decimal the next time and may then be printed with a decimal suffix.
      if (!/i$/.test(text) || /i$/.test(printed)) assert.equal(formatQuantity(printed), printed);
    }),
  );
});
