import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { byKey, lineEnd, nearestPoint, pointsByKind } from './plot-geometry.ts';
import { squareRootAxis } from './square-root-axis.ts';

describe('the plot', () => {
  const x = squareRootAxis([100], 64, 864);
  const y = squareRootAxis([400], 500, 20);

  test('the line leaves at the right, or at the top if it is steep', () => {
    assert.deepEqual(lineEnd(0, x, y), { x: 864, y: 500 });
    assert.deepEqual(lineEnd(1, x, y), { x: 864, y: 260 });
    assert.deepEqual(lineEnd(16, x, y), { x: 464, y: 20 });
  });

  test('the nearest point is meant, if it is near', () => {
    const [xs, ys] = [
      [100, 110, 300],
      [100, 100, 300],
    ];
    assert.equal(nearestPoint(xs, ys, 106, 101), 1);
    assert.equal(nearestPoint(xs, ys, 104, 101), 0);
    assert.equal(nearestPoint(xs, ys, 200, 200), undefined);
    assert.equal(nearestPoint([], [], 0, 0), undefined);
  });

  test('every point is of one kind', () => {
    assert.deepEqual(pointsByKind([0, 1, 1, 0], [0, 1, 0, 2]), {
      stays: [0],
      delete: [1],
      out: [2],
      in: [3],
      replace: [],
    });
  });

  test('keys move the line within what there is, and leave others alone', () => {
    assert.equal(byKey('Home', 5, 20), 0);
    assert.equal(byKey('End', 5, 20), 20);
    assert.equal(byKey('ArrowUp', 5, 20), 5.25);
    assert.equal(byKey('ArrowDown', 0, 20), 0);
    assert.equal(byKey('PageDown', 1, 20), 0);
    assert.equal(byKey('Tab', 5, 20), undefined);
  });
});
