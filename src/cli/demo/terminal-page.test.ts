import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TerminalPage } from './terminal-page.ts';

/** What is on the screen in the end: "\r\u001b[K" empties the line that it stands in. */
function screen(isTTY: boolean, columns: number, use: (page: TerminalPage) => void): { raw: string; seen: string } {
  let raw = '';
  use(new TerminalPage({ isTTY, columns, write: (text: string) => (raw += text) }));
  const seen = raw.split('\n').map((line) => line.split('\r\u001b[K').at(-1));
  return { raw, seen: seen.join('\n') };
}

function day(page: TerminalPage): void {
  page.print(['morning']);
  page.show('3 nodes');
  page.print(['noon', 'afternoon']);
  page.show('2 nodes');
}

test('on a terminal the status stays below what is printed, and goes in the end', () => {
  assert.equal(screen(true, 80, day).seen, 'morning\nnoon\nafternoon\n2 nodes');
  const still = screen(true, 80, (page) => {
    page.show('3 nodes');
    page.print(['noon']);
  });
  assert.equal(still.seen, 'noon\n3 nodes');
  const ended = screen(true, 80, (page) => {
    day(page);
    page.clear();
    page.print(['evening']);
  });
  assert.equal(ended.seen, 'morning\nnoon\nafternoon\nevening\n');
});

test('a status is cut to less than a line', () => {
  const { seen } = screen(true, 10, (page) => page.show('twelve nodes and more'));
  assert.equal(seen, 'twelve n…');
});

test('in a pipe there are lines and nothing else', () => {
  assert.equal(screen(false, 0, day).raw, 'morning\nnoon\nafternoon\n');
});
