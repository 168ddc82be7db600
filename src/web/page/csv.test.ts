import assert from 'node:assert/strict';
import { test } from 'node:test';
import { csv } from './csv.ts';

test('CSV quotes what has commas, quotes or line breaks, and leaves no text that a spreadsheet would calculate', () => {
  const rows = [
    ['name', 'cents'],
    ['a, "b"', 0.5],
    ['two\nlines', null],
    ['=1+1', -3],
  ];
  assert.equal(csv(rows), 'name,cents\r\n"a, ""b""",0.5\r\n"two\nlines",\r\n\'=1+1,-3\r\n');
});
