import assert from 'node:assert/strict';
import { test } from 'node:test';
import { perHour, perMonth } from './money.ts';

const AMOUNTS: readonly { readonly cents: number; readonly hour: string; readonly month: string }[] = [
  { cents: 0, hour: '$0.000/h', month: '$0' },
  { cents: 12.34, hour: '$0.123/h', month: '$90' },
  { cents: 123_456, hour: '$1,234.56/h', month: '$901,229' },
  { cents: -5, hour: '-$0.050/h', month: '-$37' },
  { cents: -123_456, hour: '-$1,234.56/h', month: '-$901,229' },
  { cents: -0.001, hour: '$0.000/h', month: '$0' },
];

for (const { cents, hour, month } of AMOUNTS) {
  test(`${cents} cents: the sign stands before the dollar, and zero has none`, () => {
    assert.equal(perHour(cents), hour);
    assert.equal(perMonth(cents), month);
  });
}
