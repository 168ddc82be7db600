import type { JsonCursor } from './json-cursor.ts';
import { OUT_OF_BYTES } from './json-problem.ts';

const PLUS = 0x2b;
const MINUS = 0x2d;
const POINT = 0x2e;
const ZERO = 0x30;
const NINE = 0x39;
const LOWER_E = 0x65;
const UPPER_E = 0x45;
const LOWER_U = 0x75;
const ESCAPES = new Set(Buffer.from('"\\/bfnrt'));
/** By first byte. */
const LITERALS = new Map(['true', 'false', 'null'].map((word) => [word.charCodeAt(0), word]));

/** The position after the number or literal at `p`, whose first byte is given. */
export function scalarEnd(cursor: JsonCursor, p: number, first: number): number {
  if (first === MINUS || (first >= ZERO && first <= NINE)) return numberEnd(cursor, p);
  const word = LITERALS.get(first);
  if (word === undefined) return cursor.stop(p, 'a value');
  for (let i = 1; i < word.length; i++) if (cursor.bytes[p + i] !== word.charCodeAt(i)) cursor.stop(p + i, word);
  return p + word.length;
}

function numberEnd(cursor: JsonCursor, start: number): number {
  const { bytes } = cursor;
  let p = bytes[start] === MINUS ? start + 1 : start;
  p = bytes[p] === ZERO ? p + 1 : digitsEnd(cursor, p);
  if (bytes[p] === POINT) p = digitsEnd(cursor, p + 1);
  if (bytes[p] === LOWER_E || bytes[p] === UPPER_E) {
    const sign = bytes[p + 1];
    p = digitsEnd(cursor, sign === PLUS || sign === MINUS ? p + 2 : p + 1);
  }
  // A number has no terminator: more digits may follow beyond the window.
  if (p === cursor.end && !cursor.final) throw OUT_OF_BYTES;
  return p;
}

function digitsEnd(cursor: JsonCursor, start: number): number {
  const { bytes } = cursor;
  let p = start;
  while (bytes[p] >= ZERO && bytes[p] <= NINE) p++;
  if (p === start) cursor.stop(p, 'a digit');
  return p;
}

/** The position after an escape; `p` is just after its backslash. */
export function escapeEnd(cursor: JsonCursor, p: number): number {
  const c = cursor.bytes[p];
  if (c !== LOWER_U) {
    if (!ESCAPES.has(c)) cursor.stop(p, 'an escape such as \\n or \\u00e9');
    return p + 1;
  }
  for (let digit = p + 1; digit <= p + 4; digit++) {
    if (!isHexDigit(cursor.bytes[digit])) cursor.stop(digit, 'a hexadecimal digit');
  }
  return p + 5;
}

function isHexDigit(c: number): boolean {
  const lower = c | 0x20;
  return (c >= ZERO && c <= NINE) || (lower >= 0x61 && lower <= 0x66);
}
