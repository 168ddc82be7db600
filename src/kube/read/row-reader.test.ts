import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { FieldProblem } from '../field-problem.ts';
import { OUT_OF_BYTES } from './json-problem.ts';
import { fields, type Row, rows, shared, text, time, whole } from './json-shape.ts';
import { parsedRow } from './parsed-row.ts';
import { RowReader } from './row-reader.ts';

const SHAPE = fields({
  name: text(),
  when: time(),
  labels: shared(),
  all: whole(),
  spec: fields({ size: shared(), 'a/b': text('ab'), inner: fields({ deep: shared() }) }),
  parts: rows(fields({ name: text(), tags: shared() })),
});

/** Reads concatenated objects that arrive in the given pieces. */
function readAll(pieces: readonly Buffer[]): Row[] {
  const reader = new RowReader();
  const { cursor } = reader;
  const result: Row[] = [];
  let next = 0;
  let begun = 0;
  for (;;) {
    try {
      while (!cursor.atEnd()) {
        begun = cursor.pos;
        result.push(reader.read(SHAPE));
        begun = cursor.pos;
      }
      return result;
    } catch (problem) {
      if (problem !== OUT_OF_BYTES) throw problem;
      cursor.pos = begun;
      const room = cursor.makeRoom(begun);
      // What stands behind the window must not matter, least of all if it looks like the rest.
      room.fill('"}]}');
      begun = 0;
      const piece = pieces[next++];
      if (piece !== undefined) room.set(piece);
      cursor.took(piece?.length ?? 0, piece === undefined);
    }
  }
}

function cut(bytes: Buffer, places: readonly number[]): Buffer[] {
  const ends = [...places.map((place) => place % (bytes.length + 1)), bytes.length].sort((a, b) => a - b);
  return ends.map((end, i) => bytes.subarray(ends[i - 1] ?? 0, end)).filter((piece) => piece.length > 0);
}

const word = fc.oneof(
  fc.constantFrom('web', 'é', '"quoted"', '\u2028', 'a\\b', ''),
  fc.string({ unit: 'binary', maxLength: 6 }),
);
const when = fc.date({ noInvalidDate: true, min: new Date(0), max: new Date('2100-01-01') });
const object = fc.record(
  {
    name: fc.oneof(word, fc.jsonValue({ maxDepth: 1 })),
    when: fc.oneof(
      when.map((date) => date.toISOString()),
      when.map((date) => `${date.toISOString().slice(0, 19)}Z`),
    ),
    labels: fc.oneof(fc.constantFrom({ app: 'web' }, { app: 'db' }, [], 12, 123, null), fc.jsonValue({ maxDepth: 2 })),
    all: fc.jsonValue({ maxDepth: 2 }),
    spec: fc.option(
      fc.record(
        { size: fc.integer(), 'a/b': word, inner: fc.option(fc.record({ deep: word })), extra: fc.jsonValue() },
        { requiredKeys: [] },
      ),
    ),
    parts: fc.option(
      fc.array(
        fc.record({ name: word, tags: fc.array(word, { maxLength: 2 }), other: fc.integer() }, { requiredKeys: [] }),
        { maxLength: 3 },
      ),
    ),
    unread: fc.jsonValue({ maxDepth: 2 }),
  },
  { requiredKeys: [] },
);

/** The fields of a row that have a value, and those of the rows in it: null is the same as absent. */
function present({ parts, ...row }: Row): object {
  const all = { ...row, parts: (parts as Row[] | undefined)?.map(present) };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined && value !== null));
}

test('rows are what JSON.parse and the shape give, wherever the input is cut', () => {
  const indent = fc.constantFrom(0, 1, 4);
  const cuts = fc.array(fc.nat(), { maxLength: 6 });
  fc.assert(
    fc.property(fc.array(object, { maxLength: 6 }), indent, cuts, (objects, spaces, places) => {
      const json = objects.map((each) => JSON.stringify(each, null, spaces));
      const read = readAll(cut(Buffer.from(json.join('\n')), places));
      // JSON.stringify has made well-formed text of any string; what it means is JSON.parse's to say.
      const want = json.map((each) => parsedRow(JSON.parse(each), SHAPE));
      assert.deepEqual(read.map(present), want.map(present));
    }),
    { numRuns: 500 },
  );
});

test('no place to cut the input is special', () => {
  const json = String.raw`{"labels":{"a":"x\"y\\","b":[1.5e+3,-0,true,null]},"name":"\u00e9é","when":"2026-08-20T12:00:00Z","unread":{"c":"\""},"spec":{"size":12}}`;
  const bytes = Buffer.from(json + json);
  const want = JSON.stringify(readAll([bytes]));
  for (let at = 1; at < bytes.length; at++)
    assert.equal(JSON.stringify(readAll(cut(bytes, [at]))), want, `cut at ${at}`);
});

test('equal values of a shared field are the same object, in whatever order they come', () => {
  const order = [0, 1, 0, 2, 2, 1, 0];
  const labels = [{ app: 'web' }, { app: 'database-with-a-longer-name' }, { app: 'cache' }];
  const read = readAll([Buffer.from(order.map((i) => JSON.stringify({ labels: labels[i] })).join(''))]);
  const first = order.map((i) => read[order.indexOf(i)].labels);
  read.forEach((row, i) => {
    assert.equal(row.labels, first[i]);
    assert.deepEqual(row.labels, labels[order[i]]);
  });
});

test('a shared number is not mistaken for the beginning of a longer one', () => {
  const read = readAll([Buffer.from('{"spec":{"size":12}}{"spec":{"size":123}}{"x":1}{"x":12}{"spec":{"size":1}}')]);
  assert.deepEqual(
    read.map((row) => row.size),
    [12, 123, undefined, undefined, 1],
  );
});

const refusals = [
  { json: '{"spec":5}', path: 'spec' },
  { json: '{"spec":{"inner":[]}}', path: 'spec.inner' },
  { json: '{"parts":{}}', path: 'parts' },
  { json: '{"parts":[{},7]}', path: 'parts[1]' },
  { json: '{"when":"noon"}', path: 'when' },
];

for (const { json, path } of refusals) {
  test(`${json} has the wrong type at ${path}, read or parsed`, () => {
    const isProblem = (problem: unknown) => problem instanceof FieldProblem && problem.path === path;
    assert.throws(() => readAll([Buffer.from(json)]), isProblem);
    assert.throws(() => parsedRow(JSON.parse(json), SHAPE), isProblem);
  });
}

test('two fields of a row cannot have one name', () => {
  assert.throws(() => fields({ name: text(), spec: fields({ name: text() }) }), /two fields of a row are named name/);
});
