import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { adjacentNode, layOut, type NodeBox, placeAt } from './picture-layout.ts';

const GIB = 2 ** 30;

function nodes(n: number, group: (i: number) => string = () => 'pool a'): NodeBox[] {
  return Array.from({ length: n }, (_, i) => ({
    name: `node-${String(i).padStart(5, '0')}`,
    cpu: 2000 * 2 ** (i % 4),
    memory: 8 * GIB * 2 ** (i % 3),
    group: group(i),
  }));
}

describe('the layout of the cluster', () => {
  const anyNode = fc.record({
    name: fc.string(),
    cpu: fc.integer({ min: 0, max: 512_000 }),
    memory: fc.integer({ min: 0, max: 4096 }).map((gib) => gib * GIB),
    group: fc.constantFrom('pool a', 'pool b', 'pool c'),
  });
  const anyRoom = fc.record({ width: fc.integer({ min: 1, max: 2560 }), height: fc.integer({ min: 1, max: 1400 }) });

  test('every node has a place of its own within the picture', () => {
    fc.assert(
      fc.property(fc.array(anyNode, { maxLength: 60 }), anyRoom, (boxes, room) => {
        const { places, height } = layOut(boxes, room);
        assert.deepEqual(
          places.map(({ node }) => node).sort((a, b) => a - b),
          boxes.map((_, i) => i),
        );
        for (const [i, a] of places.entries()) {
          assert.ok(a.y + a.height <= height + 1e-6);
          assert.ok(a.x >= 0 && a.x + a.width <= Math.max(room.width, 6) + 1e-6);
          for (const b of places.slice(i + 1)) {
            const apart =
              a.x + a.width <= b.x || b.x + b.width <= a.x || a.y + a.height <= b.y || b.y + b.height <= a.y;
            assert.ok(apart, `${JSON.stringify(a)} ${JSON.stringify(b)}`);
          }
        }
      }),
    );
  });

  test('1,000 nodes fill a desktop’s picture and do not overflow it', () => {
    const { height } = layOut(nodes(1000), { width: 1000, height: 560 });
    assert.ok(height <= 560 && height > 480, String(height));
  });

  test('5,000 nodes on a phone are still large enough to be hit: the page scrolls', () => {
    const { places, height } = layOut(nodes(5000), { width: 360, height: 500 });
    assert.ok(height > 500);
    assert.ok(places.every((place) => place.width >= 6 && place.height >= 6));
  });

  test('one node does not fill a wall', () => {
    const [{ width, height }] = layOut(nodes(1), { width: 2500, height: 900 }).places;
    assert.ok(width < 120 && height < 120);
  });

  test('sides follow capacity: four times the cpu is twice as wide', () => {
    const boxes = [
      { name: 'a', cpu: 4000, memory: 16 * GIB, group: 'g' },
      { name: 'b', cpu: 16_000, memory: 16 * GIB, group: 'g' },
    ];
    const { places } = layOut(boxes, { width: 900, height: 500 });
    const [a, b] = [places.find(({ node }) => node === 0)!, places.find(({ node }) => node === 1)!];
    assert.ok(Math.abs(b.width / a.width - 2) < 1e-9);
    assert.ok(Math.abs(a.height - b.height) < 1e-9);
    assert.ok(Math.abs(a.height - a.width) < 1e-9, '4 GiB a core is a square');
  });

  test('a picture beside another has the same scale, whichever is fuller', () => {
    const [many, few] = [nodes(400), nodes(40)];
    const room = { width: 600, height: 300 };
    const sideOf = (boxes: readonly NodeBox[], beside: readonly NodeBox[]) =>
      layOut(boxes, room, { beside }).places[0].width;
    assert.ok(layOut(few, room).places[0].width > 1.5 * sideOf(few, many));
    assert.equal(sideOf(few, many), sideOf(many, few));
    assert.equal(sideOf(many, few), layOut(many, room).places[0].width);
  });

  test('groups are captioned with their size, by name, but for those that come first', () => {
    const boxes = nodes(10, (i) => (i < 7 ? 'pool b' : i < 9 ? 'pool a' : 'pool c'));
    const captions = (first: readonly string[]) => {
      const { captions: all } = layOut(boxes, { width: 900, height: 500 }, { first });
      return all.map(({ group, nodes: n }) => `${group} ${n}`);
    };
    assert.deepEqual(captions([]), ['pool a 2', 'pool b 7', 'pool c 1']);
    assert.deepEqual(captions(['pool c']), ['pool c 1', 'pool a 2', 'pool b 7']);
  });
});

describe('pointing', () => {
  const layout = layOut(nodes(200), { width: 800, height: 400 });

  test('every box is found at its middle, and nothing beside the picture', () => {
    layout.places.forEach(({ x, y, width, height }, i) => {
      assert.equal(placeAt(layout, x + width / 2, y + height / 2), i);
    });
    assert.equal(placeAt(layout, -5, 10), undefined);
    assert.equal(placeAt(layout, 10, 5), undefined, 'a caption is no node');
  });

  test('arrow keys reach every node', () => {
    const seen = new Set([0]);
    for (const place of seen)
      for (const direction of ['left', 'right', 'up', 'down'] as const)
        seen.add(adjacentNode(layout, place, direction));
    assert.equal(seen.size, 200);
  });

  test('right goes right, and at the edge nowhere', () => {
    const next = layout.places[adjacentNode(layout, 0, 'right')];
    assert.ok(next.x > layout.places[0].x && next.y === layout.places[0].y);
    assert.equal(adjacentNode(layout, 0, 'left'), 0);
  });
});
