import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { parseQuantity, unitsOf } from './quantity.ts';

const milli = (text: string) => unitsOf('cpu', parseQuantity(text) ?? assert.fail(`${text} is no quantity`));
const whole = (text: string) => unitsOf('memory', parseQuantity(text) ?? assert.fail(`${text} is no quantity`));

/** Text, MilliValue and Value as k8s.io/apimachinery v0.35.1 answered; no milli where int64 overflows there. */
const answers: readonly (readonly [string, number | undefined, number])[] = [
  ['0', 0, 0],
  ['1', 1000, 1],
  ['100m', 100, 1],
  ['0.1', 100, 1],
  ['1.5', 1500, 2],
  ['64Mi', 67108864000, 67108864],
  ['1Gi', 1073741824000, 1073741824],
  ['1.5Gi', 1610612736000, 1610612736],
  ['0.5Gi', 536870912000, 536870912],
  ['1.1Gi', 1181116006400, 1181116007],
  ['1Ki', 1024000, 1024],
  ['1Ti', 1099511627776000, 1099511627776],
  ['1Pi', 1125899906842624000, 1125899906842624],
  ['1Ei', undefined, 2 ** 60],
  ['8Ei', undefined, Number(2n ** 63n - 1n)],
  ['7.9Ei', undefined, Number(9108079886394091111n)],
  ['1k', 1000000, 1000],
  ['1M', 1000000000, 1000000],
  ['1G', 1000000000000, 1000000000],
  ['1T', 1000000000000000, 1000000000000],
  ['1P', 1000000000000000000, 1000000000000000],
  ['1E', undefined, 1000000000000000000],
  ['9E', undefined, 9000000000000000000],
  ['1n', 1, 1],
  ['1u', 1, 1],
  ['999n', 1, 1],
  ['1001u', 2, 1],
  ['0.0001', 1, 1],
  ['0.00000000001', 1, 1],
  ['1e3', 1000000, 1000],
  ['1E3', 1000000, 1000],
  ['1e-3', 1, 1],
  ['1e+3', 1000000, 1000],
  ['1.5e3', 1500000, 1500],
  ['1.5E-3', 2, 1],
  ['12e6', 12000000000, 12000000],
  ['1e18', undefined, 1000000000000000000],
  ['+5', 5000, 5],
  ['-5', -5000, -5],
  ['-0.5', -500, -1],
  ['-1.5', -1500, -2],
  ['-1.5Gi', -1610612736000, -1610612736],
  ['-100m', -100, -1],
  ['00100', 100000, 100],
  ['007m', 7, 1],
  ['1.', 1000, 1],
  ['1.Gi', 1073741824000, 1073741824],
  ['.5', 500, 1],
  ['.5Gi', 536870912000, 536870912],
  ['0.000', 0, 0],
  ['9223372036854775807', undefined, Number(2n ** 63n - 1n)],
  ['32386452Ki', 33163726848000, 33163726848],
  ['7910m', 7910, 8],
  ['1.0005', 1001, 2],
  ['2.0001m', 3, 1],
  ['1.2345678Gi', 1325607081424, 1325607082],
  ['9.5Ei', undefined, Number(2n ** 63n - 1n)],
  ['0.0000000001Ki', 1, 1],
  ['1.9999999999', 2000, 2],
];

for (const [text, wantMilli, wantWhole] of answers) {
  test(`quantity ${text} is what Go says`, () => {
    assert.equal(whole(text), wantWhole);
    if (wantMilli !== undefined) assert.equal(milli(text), wantMilli);
  });
}

const GO_REFUSES = [
  ...[
    '3.7e2m',
    '1ki',
    '1KI',
    '1mi',
    '1gi',
    '1B',
    '1GB',
    '1 Gi',
    '1.5.Gi',
    '1..5',
    '',
    'NaN',
    'Inf',
    '+-1',
    '--1',
    '0x10',
  ],
  ...['1e', '1E-', '1e3Mi', '1e1.5', '1_000', '1,5', '1Mi ', ' 1Mi', '१', '1i', '1Kii', '1nu', ' '],
];
/** Go reads these as 0. */
const WE_REFUSE = ['Gi', 'm', '-', '+', '.'];

for (const text of [...GO_REFUSES, ...WE_REFUSE]) {
  test(`quantity ${JSON.stringify(text)} is refused`, () => assert.equal(parseQuantity(text), undefined));
}

const LARGEST = 2n ** 63n - 1n;

test('amounts beyond int64 saturate, whatever their exponent and however many digits they have', () => {
  for (const text of [
    '1e102',
    '1e2147483648',
    '99999E',
    '9'.repeat(1e6),
    `1e${'9'.repeat(1000)}`,
    '9223372036854775808',
  ])
    assert.equal(parseQuantity(text), LARGEST * 10n ** 9n, text.slice(0, 20));
  assert.equal(parseQuantity('-1e102'), -LARGEST * 10n ** 9n);
  for (const text of ['1e-102', `0.${'0'.repeat(1e6)}1`, `1e-${'9'.repeat(1000)}`, '0.0000000000000000000000000001Ei'])
    assert.equal(parseQuantity(text), 1n, text.slice(0, 20));
  assert.equal(parseQuantity(`${'0'.repeat(1e6)}5`), 5n * 10n ** 9n);
  assert.equal(parseQuantity(`2.${'0'.repeat(1e6)}1`), 2n * 10n ** 9n + 1n);
  assert.equal(parseQuantity('0e102'), 0n);
});

test('an amount between the bounds is exact, however it is written', () => {
  const written = fc.record({
    digits: fc.bigInt({ min: 1n, max: 10n ** 40n }),
    exponent: fc.integer({ min: -60, max: 30 }),
  });
  fc.assert(
    fc.property(written, ({ digits, exponent }) => {
      const [over, under] = exponent >= -9 ? [10n ** BigInt(exponent + 9), 1n] : [1n, 10n ** BigInt(-exponent - 9)];
      const exact = (digits * over + under - 1n) / under;
      const want = exact > LARGEST * 10n ** 9n ? LARGEST * 10n ** 9n : exact;
      assert.equal(parseQuantity(`${digits}e${exponent}`), want);
    }),
  );
});

test('whole numbers of any unit round trip', () => {
  const unit = fc.constantFrom(
    ['', 1n],
    ['k', 10n ** 3n],
    ['M', 10n ** 6n],
    ['G', 10n ** 9n],
    ['Ki', 2n ** 10n],
    ['Mi', 2n ** 20n],
    ['Gi', 2n ** 30n],
  );
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 1_000_000n }), unit, (amount, [suffix, factor]) => {
      const expected = Number(amount * (factor as bigint));
      assert.equal(whole(`${amount}${suffix}`), expected);
      assert.equal(whole(`${amount}.000${suffix}`), expected);
      assert.equal(whole(String(amount * (factor as bigint))), expected);
    }),
  );
});

test('millicores round trip, however they are written', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 10_000_000 }), (amount) => {
      assert.equal(milli(`${amount}m`), amount);
      assert.equal(milli((amount / 1000).toFixed(3)), amount);
      assert.equal(milli(`${amount}e-3`), amount);
      assert.equal(milli(`${amount * 1000}u`), amount);
    }),
  );
});

test('a fraction of a unit is rounded up to the next one', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 10n ** 24n }), (nanos) => {
      assert.equal(parseQuantity(`${nanos}n`), nanos);
      assert.equal(BigInt(whole(`${nanos}n`)), (nanos + 999_999_999n) / 1_000_000_000n);
    }),
  );
});
