import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { selects } from '../../../test/reference/labels.ts';
import type { LabelSelector, Labels } from '../cluster/objects.ts';
import { compileSelector, selectorText } from './label-selector.ts';
import { SelectorIndex } from './selector-index.ts';

const values = fc.subarray(['1', '2', '3'], { minLength: 1 });
const expression = fc.oneof(
  fc.record({ key: fc.constantFrom('a', 'b'), operator: fc.constantFrom('In' as const, 'NotIn' as const), values }),
  fc.record({ key: fc.constantFrom('a', 'b'), operator: fc.constantFrom('Exists' as const, 'DoesNotExist' as const) }),
);
const selector: fc.Arbitrary<LabelSelector> = fc.record(
  {
    matchLabels: fc.dictionary(fc.constantFrom('a', 'b'), fc.constantFrom('1', '2'), { noNullPrototype: true }),
    matchExpressions: fc.array(expression, { maxLength: 2 }),
  },
  { requiredKeys: [] },
);
const labels = fc.dictionary(fc.constantFrom('a', 'b', 'c'), fc.constantFrom('1', '2', '3'), { noNullPrototype: true });

const SOME_LABELS: readonly Labels[] = [{}, { a: '1' }];

describe('a label selector', () => {
  test('that is absent selects nothing, an empty one everything', () => {
    for (const some of SOME_LABELS) {
      assert.equal(compileSelector(undefined).matches(some), false);
      assert.equal(compileSelector({}).matches(some), true);
      assert.equal(compileSelector({ matchLabels: {}, matchExpressions: [] }).matches(some), true);
    }
  });

  const malformed: readonly LabelSelector[] = [
    { matchExpressions: [{ key: 'a', operator: 'In', values: [] }] },
    { matchExpressions: [{ key: 'a', operator: 'NotIn' }] },
    { matchExpressions: [{ key: 'a', operator: 'Exists', values: ['1'] }] },
    { matchExpressions: [{ key: 'a', operator: 'DoesNotExist', values: ['1'] }] },
  ];
  for (const bad of malformed) {
    test(`that is malformed selects nothing: ${JSON.stringify(bad)}`, () => {
      for (const some of SOME_LABELS) assert.equal(compileSelector(bad).matches(some), false);
    });
  }

  test('selects what the documentation says', () => {
    fc.assert(
      fc.property(selector, labels, (s, some) => assert.equal(compileSelector(s).matches(some), selects(s, some))),
      { numRuns: 500 },
    );
  });

  test('with an anchor selects nothing that lacks it', () => {
    fc.assert(
      fc.property(selector, labels, (s, some) => {
        const { anchor, matches } = compileSelector(s);
        if (anchor !== undefined && !anchor.values.includes(some[anchor.key])) assert.equal(matches(some), false);
      }),
    );
  });

  test('has the same text as another only if both select the same', () => {
    fc.assert(
      fc.property(selector, selector, labels, (a, b, some) => {
        if (selectorText(a) === selectorText(b)) {
          assert.equal(compileSelector(a).matches(some), compileSelector(b).matches(some));
        }
      }),
    );
    assert.notEqual(selectorText(undefined), selectorText({}));
  });
});

test('the index names exactly the selectors of the namespace that match', () => {
  fc.assert(
    fc.property(fc.array(selector, { maxLength: 6 }), labels, (list, some) => {
      const index = new SelectorIndex<number>();
      list.forEach((s, i) => {
        index.add([i % 2 === 0 ? 'even' : 'odd'], compileSelector(s), i);
      });
      const expected = list.flatMap((s, i) => (i % 2 === 0 && selects(s, some) ? [i] : []));
      for (let again = 0; again < 2; again++) assert.deepEqual([...index.matching('even', some)].sort(), expected);
      assert.deepEqual(index.matching('nowhere', some), []);
    }),
  );
});

test('the index answers anew when a selector has come since', () => {
  const index = new SelectorIndex<string>();
  const some = { a: '1' };
  assert.deepEqual(index.matching('here', some), []);
  index.add(['here'], compileSelector({}), 'first');
  assert.deepEqual(index.matching('here', some), ['first']);
  index.add(['here'], compileSelector({ matchLabels: { a: '1' } }), 'second');
  assert.deepEqual(index.matching('here', some), ['first', 'second']);
});
