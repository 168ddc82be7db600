import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { EventParser } from './event-stream.ts';

const STREAM =
  'id: 7\nevent: state\ndata: {"a":1}\n\n: still there\n\ndata: one\ndata:two\nretry: 5\n\nevent: tick\r\ndata: x: y\r\n\r\nevent: nothing\n\n';
const EVENTS = [
  { name: 'state', data: '{"a":1}' },
  { name: 'message', data: 'one\ntwo' },
  { name: 'tick', data: 'x: y' },
];

test('events, whole', () => {
  const parser = new EventParser();
  assert.deepEqual(parser.take(STREAM), EVENTS);
  assert.equal(parser.lastId, '7');
});

test('wherever the network cuts them', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(STREAM.length), { maxLength: 8 }), (cuts) => {
      const ends = [...cuts, STREAM.length].sort((a, b) => a - b);
      const parser = new EventParser();
      const heard = ends.flatMap((end, i) => parser.take(STREAM.slice(ends[i - 1] ?? 0, end)));
      assert.deepEqual(heard, EVENTS);
    }),
  );
});
