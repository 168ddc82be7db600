import assert from 'node:assert/strict';
import { test } from 'node:test';
import { linkedNames } from './linked-names.ts';

/** Nodes in brackets. */
function marked(text: string, nodes: readonly string[]): string {
  return linkedNames(text, nodes)
    .map((piece) => (piece.isNode ? `[${piece.text}]` : piece.text))
    .join('');
}

test('names within a sentence, each where it stands', () => {
  assert.equal(
    marked('#3 replaces node a-1 (2 ¢/h), b-2 too', ['a-1', 'b-2']),
    '#3 replaces node [a-1] (2 ¢/h), [b-2] too',
  );
});

test('the longest name counts', () => {
  assert.equal(marked('node-12 goes', ['node-1', 'node-12']), '[node-12] goes: [node-1]');
});

test('what is not named comes last, and nothing is no name', () => {
  assert.equal(marked('#3 done', ['a', '', 'b']), '#3 done: [a], [b]');
  assert.equal(marked('', []), '');
});
