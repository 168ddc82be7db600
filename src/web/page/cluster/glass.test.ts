import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { packing as somePacking } from '../../../../test/build/packing.ts';
import { boxParts, isMovingByPod, podAt } from './glass.ts';

const PLACE = { node: 0, x: 100, y: 50, width: 40, height: 100 };
/** 4 cpu and 8 GiB: a takes half the cpu and a quarter of the memory, b a quarter and a half, c goes beyond. */
const PODS = [
  { name: 'a', cpu: 2000, memory: 2048 },
  { name: 'b', cpu: 1000, memory: 4096 },
];

describe('what fills a node', () => {
  const packing = somePacking([{ name: 'n', cpu: 4000, memory: 8192, pods: PODS }], [1]);
  const moving = isMovingByPod(packing);

  test('cpu on the left, memory on the right, from below; what moves on top', () => {
    assert.deepEqual(boxParts(packing, moving, PLACE, 0, true), [
      { pod: 0, moves: false, x: 100, y: 100, width: 20, height: 50 },
      { pod: 1, moves: true, x: 100, y: 75, width: 20, height: 25 },
      { pod: 0, moves: false, x: 120, y: 125, width: 20, height: 25 },
      { pod: 1, moves: true, x: 120, y: 75, width: 20, height: 50 },
    ]);
  });

  test('what moves is on top even if it comes first', () => {
    const first = somePacking([{ name: 'n', cpu: 4000, memory: 8192, pods: PODS }], [0]);
    const parts = boxParts(first, isMovingByPod(first), PLACE, 0, true);
    assert.deepEqual(
      parts.slice(0, 2).map(({ pod, y }) => [pod, y]),
      [
        [1, 125],
        [0, 75],
      ],
    );
  });

  test('in a small box as two sums', () => {
    const sums = boxParts(packing, moving, PLACE, 0, false);
    assert.deepEqual(
      sums.map(({ pod, moves, y, height }) => [pod, moves, y, height]),
      [
        [-1, false, 100, 50],
        [-1, true, 75, 25],
        [-1, false, 125, 25],
        [-1, true, 75, 50],
      ],
    );
  });

  test('never more than the box holds, and nothing in a node of no size', () => {
    const full = somePacking([{ name: 'n', cpu: 1000, memory: 0, pods: [...PODS, ...PODS] }], []);
    const parts = boxParts(full, isMovingByPod(full), PLACE, 1, true);
    assert.ok(parts.every(({ y, height }) => y >= 51 - 1e-9 && Number.isFinite(height)));
    assert.equal(parts.length, 1);
  });

  test('a point means the pod under it', () => {
    assert.equal(podAt(packing, moving, PLACE, 105, 140), 0);
    assert.equal(podAt(packing, moving, PLACE, 105, 90), 1);
    assert.equal(podAt(packing, moving, PLACE, 105, 60), undefined);
    assert.equal(podAt(packing, moving, PLACE, 130, 120), 1);
  });
});
