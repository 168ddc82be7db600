import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { JsonCursor, MAX_DEPTH } from './json-cursor.ts';
import { JsonProblem } from './json-problem.ts';

function cursorAt(text: string): JsonCursor {
  const cursor = new JsonCursor();
  const bytes = Buffer.from(text);
  cursor.makeRoom(0).set(bytes);
  cursor.took(bytes.length, true);
  return cursor;
}

function accepts(text: string): boolean {
  const cursor = cursorAt(text);
  try {
    cursor.skipValue();
    return cursor.atEnd();
  } catch (problem) {
    if (problem instanceof JsonProblem) return false;
    throw problem;
  }
}

function parses(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

test('the scanner accepts what JSON.parse accepts, and nothing else', () => {
  const valid = fc.json({ maxDepth: 4 });
  const broken = fc.tuple(valid, fc.nat(), fc.nat(3), fc.string({ maxLength: 2 })).map(([json, at, length, put]) => {
    const from = at % (json.length + 1);
    return json.slice(0, from) + put + json.slice(from + length);
  });
  // Strings of the characters that JSON is made of go wrong in more interesting ways than others.
  const noise = fc.string({ unit: fc.constantFrom(...'{}[]:,"\\/ \n01.-+eEtrufalsn', '\u0007', 'é'), maxLength: 12 });
  fc.assert(
    fc.property(fc.oneof(valid, broken, noise), (text) => {
      // Half a character cannot be written in UTF-8, so it cannot come in a file either.
      fc.pre(Buffer.from(text).toString() === text);
      assert.equal(accepts(text), parses(text), JSON.stringify(text));
    }),
    { numRuns: 3000 },
  );
});

test('a value ends where its text does', () => {
  fc.assert(
    fc.property(
      fc.jsonValue(),
      fc.constantFrom('', ' ', '\n\t'),
      fc.constantFrom(',', '}', ']'),
      (value, space, after) => {
        const text = `${space}${JSON.stringify(value)}`;
        const cursor = cursorAt(text + after);
        cursor.skipValue();
        assert.equal(cursor.pos, Buffer.byteLength(text));
        cursor.pos = 0;
        cursor.passValue();
        assert.equal(cursor.pos, Buffer.byteLength(text));
      },
    ),
  );
});

test('nesting is limited, and ten million levels do not overflow the stack', () => {
  const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);
  assert.ok(accepts(nested(MAX_DEPTH)));
  assert.ok(!accepts(nested(MAX_DEPTH + 1)));
  const deep = new JsonCursor();
  const room = deep.makeRoom(0);
  room.fill('[');
  deep.took(room.length, false);
  assert.throws(() => deep.skipValue(), /nesting deeper than 1000 levels/);
});

test('the key __proto__ is a key like others, and becomes an own property', () => {
  for (const text of ['{"__proto__":{"a":1}}', '{"\\u005f_proto__":{"a":1}}', '{ "__pr\\u006fto__" : {"a":1} }']) {
    assert.ok(accepts(text), text);
    const value = cursorAt(text).readValue() as object;
    assert.deepEqual(Object.keys(value), ['__proto__']);
    assert.equal(Object.getPrototypeOf(value), Object.prototype);
    assert.equal('a' in value, false);
  }
});
