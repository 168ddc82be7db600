import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TerminalPage } from './terminal-page.ts';

const ESCAPE = '\u001b\\[';
const COMMANDS = new RegExp(`(?=${ESCAPE}\\d+A|\\r${ESCAPE}J)`);
const UP = new RegExp(`^${ESCAPE}(\\d+)A`);

/** What is on the screen in the end: "\u001b[nA" goes up n lines, "\r\u001b[J" empties all from there on. */
function screen(isTTY: boolean, columns: number, use: (page: TerminalPage) => void): { raw: string; seen: string } {
  let raw = '';
  use(new TerminalPage({ isTTY, columns, write: (text: string) => (raw += text) }));
  let seen: string[] = [''];
  for (const part of raw.split(COMMANDS)) {
    const up = UP.exec(part);
    if (up !== null) {
      seen = seen.slice(0, -Number(up[1]));
      continue;
    }
    const text = part.replace('\r\u001b[J', '');
    if (text !== part) seen[seen.length - 1] = '';
    const [first, ...rest] = text.split('\n');
    seen[seen.length - 1] += first;
    seen.push(...rest);
  }
  return { raw, seen: seen.join('\n') };
}

function day(page: TerminalPage): void {
  page.print(['morning']);
  page.show(['3 nodes', 'saved $1']);
  page.print(['noon', 'afternoon']);
  page.show(['2 nodes', 'saved $2']);
}

test('on a terminal the status stays below what is printed, and goes in the end', () => {
  assert.equal(screen(true, 80, day).seen, 'morning\nnoon\nafternoon\n2 nodes\nsaved $2');
  const still = screen(true, 80, (page) => {
    page.show(['3 nodes', 'saved $1']);
    page.print(['noon']);
  });
  assert.equal(still.seen, 'noon\n3 nodes\nsaved $1');
  const ended = screen(true, 80, (page) => {
    day(page);
    page.clear();
    page.print(['evening']);
  });
  assert.equal(ended.seen, 'morning\nnoon\nafternoon\nevening\n');
});

test('a status is cut to less than a line', () => {
  const { seen } = screen(true, 10, (page) => page.show(['twelve nodes and more']));
  assert.equal(seen, 'twelve n…');
});

test('in a pipe there are lines and nothing else', () => {
  assert.equal(screen(false, 0, day).raw, 'morning\nnoon\nafternoon\n');
});
