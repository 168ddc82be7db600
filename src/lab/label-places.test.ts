import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { runs } from '../../test/build/runs.ts';
import { type Box, isOverlap, labelPlaces } from './label-places.ts';

const ROOM: Box = { left: 72, right: 1200, top: 2, bottom: 198 };
const NAMES = ['none', 'stock', 'balanced', 'rfc', 'calm'];

test('labels overlap no line, no point and no other label, wherever five policies are', () => {
  const point = fc.record({ x: fc.integer({ min: 82, max: 1176 }), y: fc.integer({ min: 24, max: 188 }) });
  fc.assert(
    fc.property(fc.array(point, { minLength: 1, maxLength: 5 }), (given) => {
      const points = given.map((each, i) => ({ ...each, label: NAMES[i] }));
      const front = points
        .filter((a) => !points.some((b) => b.x <= a.x && b.y >= a.y && (b.x < a.x || b.y > a.y)))
        .sort((a, b) => a.x - b.x || a.y - b.y);
      const places = labelPlaces(points, front, ROOM);
      for (const [i, { box }] of places.entries()) {
        assert.ok(box.left >= ROOM.left && box.right <= ROOM.right && box.top >= ROOM.top && box.bottom <= ROOM.bottom);
        for (const other of places.slice(0, i)) assert.ok(!isOverlap(box, other.box), 'label on label');
        for (const { x, y } of points)
          assert.ok(!isOverlap(box, { left: x - 5, right: x + 5, top: y - 5, bottom: y + 5 }), 'label on point');
        for (const [j, to] of front.slice(1).entries()) {
          const from = front[j];
          assert.ok(!isOverlap(box, { left: from.x, right: to.x, top: from.y - 1, bottom: from.y + 1 }), 'on a step');
          assert.ok(!isOverlap(box, { left: to.x - 1, right: to.x + 1, top: from.y, bottom: to.y }), 'on a step down');
        }
      }
    }),
    runs(500),
  );
});

test('a label with room stands beside its point, above it', () => {
  const [place] = labelPlaces([{ x: 300, y: 100, label: 'calm' }], [], ROOM);
  assert.deepEqual([place.x, place.y, place.toLeft], [308, 93, false]);
});
