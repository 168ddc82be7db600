import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { nodePath, routeOf, routeTitle, VIEWS } from './route.ts';

/** Any code point but halves of pairs. */
const CHARACTER = fc
  .oneof(fc.integer({ max: 0xd7ff, min: 0 }), fc.integer({ min: 0xe000, max: 0x10ffff }))
  .map((code) => String.fromCodePoint(code));

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
      fc.property(fc.array(CHARACTER, { minLength: 1 }), (characters) => {
        const name = characters.join('');
        assert.deepEqual(routeOf(nodePath(name)), { view: 'node', node: name });
      }),
    );
  });

  test('to nowhere', () => {
    for (const path of ['/nodes', '/nodes/', '/nodes/%', '/nodes/%E0%A4%A', '/Plan', '/plan/x'])
      assert.deepEqual(routeOf(path), { view: 'unknown', path });
  });
});
