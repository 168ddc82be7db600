import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Timeline, type TimelineSample } from './timeline.ts';

const MINUTE_MS = 60_000;

function sample(atMs: number, nodes: number): TimelineSample {
  return { atMs, centsPerHour: nodes * 10, nodes, pods: 0, pendingPods: 0, evictions: nodes, reevictions: 0 };
}

test('a month of frames stays small, even, and ends now', () => {
  const timeline = new Timeline();
  const frames = 30 * 24 * 20;
  for (let frame = 0; frame <= frames; frame++) timeline.sample(sample(frame * 3 * MINUTE_MS, frame));
  const { atMs, nodes, centsPerHour, baselineCentsPerHour } = timeline.answer().samples;
  assert.ok(atMs.length <= 720 && atMs.length >= 300, String(atMs.length));
  assert.deepEqual([atMs[0], atMs.at(-1)], [0, frames * 3 * MINUTE_MS]);
  assert.deepEqual(
    nodes,
    atMs.map((at) => at / (3 * MINUTE_MS)),
  );
  assert.deepEqual(
    centsPerHour,
    nodes.map((n) => n * 10),
  );
  assert.equal(baselineCentsPerHour, undefined);
  const steps = atMs.slice(1, -1).map((at, i) => at - atMs[i]);
  assert.ok(Math.max(...steps) <= 2 * Math.min(...steps), JSON.stringify([Math.min(...steps), Math.max(...steps)]));
});

test('frames within a step are one sample, but for the latest', () => {
  const timeline = new Timeline();
  for (const [at, nodes] of [
    [0, 1],
    [70_000, 2],
    [90_000, 3],
    [110_000, 4],
    [120_000, 5],
  ])
    timeline.sample(sample(at, nodes));
  assert.deepEqual(timeline.answer().samples.nodes, [1, 2, 5]);
});

test('the latest events are kept, and the others counted', () => {
  const timeline = new Timeline();
  for (let i = 0; i < 1000; i++) timeline.event({ atMs: i, kind: 'begun', text: `#${i}`, nodes: [] });
  const { events, eventsDropped } = timeline.answer();
  assert.deepEqual([events.length, eventsDropped, events.at(-1)?.text], [400, 600, '#999']);
});
