import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { EventQueue } from './event-queue.ts';

test('events happen by time, and at the same time in the order in which they were announced', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(20)), (times) => {
      const queue = new EventQueue(0);
      const happened: { atMs: number; number: number }[] = [];
      times.forEach((atMs, number) => {
        queue.at(atMs, () => happened.push({ atMs: queue.nowMs, number }));
      });
      queue.runUntil(20);
      const expected = times
        .map((atMs, number) => ({ atMs, number }))
        .sort((a, b) => a.atMs - b.atMs || a.number - b.number);
      assert.deepEqual(happened, expected);
    }),
  );
});

test('what an event announces for now still happens now', () => {
  const queue = new EventQueue(0);
  const seen: number[] = [];
  queue.at(5, () => queue.after(0, () => seen.push(queue.nowMs)));
  queue.runUntil(5);
  assert.deepEqual(seen, [5]);
});

test('time goes on to where it was told to, and not back', () => {
  const queue = new EventQueue(10);
  queue.runUntil(30);
  queue.runUntil(20);
  assert.equal(queue.nowMs, 30);
  const seen: number[] = [];
  queue.at(15, () => seen.push(queue.nowMs));
  queue.runUntil(30);
  assert.deepEqual(seen, [30], 'what is announced for the past happens now');
});
