import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { LiveConnection, type LiveStatus, SILENCE_MS, type StreamListener } from './live.ts';

describe('a live connection', () => {
  let streams: (StreamListener & { closed: boolean })[];
  let timers: { ms: number; then: () => void }[];
  let statuses: LiveStatus[];
  let news: string[];
  let live: LiveConnection;

  beforeEach(() => {
    [streams, timers, statuses, news] = [[], [], [], []];
    live = new LiveConnection({
      open: (listener) => {
        const stream = { ...listener, closed: false };
        streams.push(stream);
        return () => {
          stream.closed = true;
        };
      },
      after: (ms, then) => {
        const timer = { ms, then };
        timers.push(timer);
        return () => {
          timers = timers.filter((each) => each !== timer);
        };
      },
      heard: ({ name, data }) => news.push(`${name} ${data}`),
      changed: (status) => statuses.push(status),
    });
    live.start();
  });

  const last = () => streams[streams.length - 1];
  /** The awaited event happens. */
  const elapse = () => {
    assert.equal(timers.length, 1);
    const [{ ms, then }] = timers;
    timers = [];
    then();
    return ms;
  };

  test('tells what it hears', () => {
    last().alive();
    last().heard({ name: 'state', data: '3' });
    assert.deepEqual(news, ['state 3']);
    assert.deepEqual(statuses, ['connecting', 'live']);
  });

  test('comes back when it breaks, waiting longer each time, and never too long', () => {
    const waits = Array.from({ length: 6 }, () => {
      last().failed();
      return elapse();
    });
    assert.deepEqual(waits, [1000, 2000, 4000, 8000, 15_000, 15_000]);
    assert.equal(streams.length, 7);
    assert.equal(streams.filter(({ closed }) => !closed).length, 1);
    last().alive();
    assert.equal(statuses.at(-1), 'live');
    last().failed();
    assert.equal(elapse(), 1000, 'patience begins anew');
  });

  test('silence is a loss', () => {
    last().alive();
    assert.equal(elapse(), SILENCE_MS);
    assert.equal(statuses.at(-1), 'lost');
    assert.equal(elapse(), 1000);
    assert.equal(streams.length, 2);
  });

  test('a stream that was given up has nothing more to say', () => {
    const [first] = streams;
    first.failed();
    elapse();
    first.heard({ name: 'state', data: 'late' });
    first.failed();
    assert.deepEqual(news, []);
    assert.equal(streams.length, 2);
  });

  test('retries at once when told to, and only if it is lost', () => {
    live.retryNow();
    assert.equal(streams.length, 1);
    last().failed();
    live.retryNow();
    assert.equal(streams.length, 2);
    assert.equal(timers.length, 1);
  });
});
