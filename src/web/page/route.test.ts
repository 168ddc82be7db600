import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { nodePath, routeOf, routeTitle, VIEWS } from './route.ts';

describe('deep links', () => {
  for (const { view, path, title } of VIEWS) {
    test(path, () => {
      assert.deepEqual(routeOf(path), { view });
      assert.deepEqual(routeOf(`${path}/`.replace('//', '/')), { view });
      assert.equal(routeTitle(routeOf(path)), title);
    });
  }

  test('to a node, whatever it is called', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', minLength: 1 }), (name) => {
        assert.deepEqual(routeOf(nodePath(name)), { view: 'node', node: name });
      }),
    );
  });

  test('to nowhere', () => {
    for (const path of ['/nodes', '/nodes/', '/nodes/%', '/nodes/%E0%A4%A', '/Plan', '/plan/x'])
      assert.deepEqual(routeOf(path), { view: 'unknown', path });
  });
});
