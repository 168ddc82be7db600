import assert from 'node:assert/strict';
import { test } from 'node:test';
import { errorInWords, Log, type LogFormat, type LogLevel } from './log.ts';

function written(format: LogFormat, level: LogLevel, say: (log: Log) => void): string {
  let out = '';
  say(new Log({ format, level, write: (line) => (out += line), nowMs: () => Date.UTC(2026, 7, 20) }));
  return out;
}

test('JSON: one object a line, whatever is in it', () => {
  const out = written('json', 'info', (log) => log.info('a\nb', { node: 'x', n: 1, gone: undefined }));
  assert.equal(out, '{"time":"2026-08-20T00:00:00.000Z","level":"info","message":"a\\nb","node":"x","n":1}\n');
});

test('text: one line, whatever is in it', () => {
  const out = written('text', 'info', (log) =>
    log.warn('a\n  b', { node: 'x-1', why: 'two words\n', gone: undefined }),
  );
  assert.equal(out, '2026-08-20T00:00:00.000Z WARN  a b node=x-1 why="two words\\n"\n');
});

test('a field cannot pass for the level or the message', () => {
  const out = written('json', 'info', (log) => log.info('real', { level: 'error', message: 'false' }));
  assert.deepEqual(JSON.parse(out), { time: '2026-08-20T00:00:00.000Z', level: 'info', message: 'real' });
});

test('what is below the level is not said', () => {
  const all = (log: Log) => {
    log.debug('d');
    log.info('i');
    log.warn('w');
    log.error('e');
  };
  assert.deepEqual(
    (['debug', 'info', 'warn', 'error'] as const).map((level) => written('json', level, all).split('\n').length - 1),
    [4, 3, 2, 1],
  );
});

test('any error is one line', () => {
  assert.equal(errorInWords(new Error('one\ntwo')), 'one two');
  assert.equal(errorInWords(new TypeError('')), 'TypeError');
  assert.equal(errorInWords('text'), 'text');
  assert.equal(errorInWords(undefined), 'undefined');
});
