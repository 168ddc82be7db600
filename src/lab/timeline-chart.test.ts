import assert from 'node:assert/strict';
import { test } from 'node:test';
import { timelineChart } from './timeline-chart.ts';

test('half and all of the highest value have a line; nothing but zeros has one', () => {
  const ticks = (values: readonly number[]) =>
    timelineChart([{ name: 'calm', values }], 1, String).yTicks.map(({ text }) => text);
  assert.deepEqual(ticks([0, 4, 2]), ['0', '2', '4']);
  assert.deepEqual(ticks([0, 0]), ['0']);
});

test('lines of zeros lie on the axis', () => {
  const { lines, yTicks } = timelineChart([{ name: 'none', values: [0] }], 1, String);
  assert.equal(Number(lines[0].split(',')[1]) + 4, yTicks[0].y);
});
