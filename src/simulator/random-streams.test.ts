import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RandomStreams } from './random-streams.ts';

test('the same numbers on every machine', () => {
  const stream = new RandomStreams(1).stream('launch-delay');
  const first = [stream.uniform(), stream.uniform(), stream.uniform()];
  assert.deepEqual(
    first,
    new Array(3).fill(0).map(
      (
        (again) => () =>
          again.uniform()
      )(new RandomStreams(1).stream('launch-delay')),
    ),
  );
  assert.ok(first.every((x) => x >= 0 && x < 1));
});

test('a stream does not notice who else draws', () => {
  const alone = new RandomStreams(7);
  const crowded = new RandomStreams(7);
  const expected = [alone.stream('a').uniform(), alone.stream('a').uniform()];
  const got = [crowded.stream('a').uniform()];
  for (let i = 0; i < 100; i++) crowded.stream('b').uniform();
  got.push(crowded.stream('a').uniform());
  assert.deepEqual(got, expected);
});

test('other seeds and other names give other numbers', () => {
  const draws = [
    new RandomStreams(1).stream('a').uniform(),
    new RandomStreams(2).stream('a').uniform(),
    new RandomStreams(1).stream('b').uniform(),
  ];
  assert.equal(new Set(draws).size, 3);
});

test('uniform numbers have the mean and the spread that they should', () => {
  const stream = new RandomStreams(3).stream('x');
  const n = 20_000;
  let sum = 0;
  let squares = 0;
  for (let i = 0; i < n; i++) {
    const z = stream.normal();
    sum += z;
    squares += z * z;
  }
  assert.ok(Math.abs(sum / n) < 0.03);
  assert.ok(Math.abs(squares / n - 1) < 0.05);
  let waited = 0;
  for (let i = 0; i < n; i++) waited += stream.exponential(0.5);
  assert.ok(Math.abs(waited / n - 2) < 0.06);
});
