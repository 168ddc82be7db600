import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import type { SelectorOperator } from '../cluster/objects.ts';
import { ARCH } from '../cluster/well-known.ts';
import {
  admits,
  canonicalText,
  intersection,
  operatorOf,
  overlaps,
  type Requirement,
  requirement,
} from './requirement.ts';

const WORDS = ['a', 'b', '3', '5'];
/** Values to try: words that rules mention, one that none does, and integers, each spelled in more ways than a rule can exclude. */
const SAMPLE = [
  'a',
  'b',
  'c',
  ...[-1, 0, 1, 2, 3, 4, 5, 6, 7, 8].flatMap((n) => (n < 0 ? [`${n}`] : [`${n}`, `+${n}`, `0${n}`])),
];

const rule = fc.oneof(
  fc
    .tuple(fc.constantFrom<SelectorOperator>('In', 'NotIn'), fc.subarray(WORDS, { minLength: 1 }))
    .map(([operator, values]) => requirement('key', operator, values)),
  fc.constantFrom<SelectorOperator>('Exists', 'DoesNotExist').map((operator) => requirement('key', operator)),
  fc
    .tuple(fc.constantFrom<SelectorOperator>('Gt', 'Lt', 'Gte', 'Lte'), fc.integer({ min: 0, max: 7 }))
    .map(([operator, bound]) => requirement('key', operator, [`${bound}`])),
);
const withMinValues = fc.tuple(rule, fc.option(fc.integer({ min: 1, max: 3 }), { nil: undefined }));
/** One to three rules about the same label. */
const any: fc.Arbitrary<Requirement> = fc
  .array(
    withMinValues.map(([r, minValues]) => ({ ...r, minValues })),
    { minLength: 1, maxLength: 3 },
  )
  .map((list) => list.reduce<Requirement>(intersection, requirement('key', 'Exists')));

const admitted = (r: Requirement) => SAMPLE.filter((value) => admits(r, value));

describe('intersection', () => {
  test('admits what both admit', () => {
    fc.assert(
      fc.property(any, any, (a, b) => {
        const both = SAMPLE.filter((value) => admits(a, value) && admits(b, value));
        assert.deepEqual(admitted(intersection(a, b)), both);
      }),
    );
  });

  test('is the same in any order and grouping, minValues included', () => {
    fc.assert(
      fc.property(any, any, any, (a, b, c) => {
        assert.deepEqual(admitted(intersection(a, b)), admitted(intersection(b, a)));
        assert.equal(intersection(a, b).minValues, intersection(b, a).minValues);
        const [left, right] = [intersection(intersection(a, b), c), intersection(a, intersection(b, c))];
        assert.deepEqual(admitted(left), admitted(right));
        assert.equal(left.minValues, right.minValues);
      }),
    );
  });

  test('with itself changes nothing', () => {
    fc.assert(fc.property(any, (a) => assert.deepEqual(admitted(intersection(a, a)), admitted(a))));
  });

  test('of bounds that cross is DoesNotExist', () => {
    const none = intersection(requirement('key', 'Gt', ['5']), requirement('key', 'Lt', ['4']));
    assert.equal(operatorOf(none), 'DoesNotExist');
  });

  test('with a concrete set absorbs the bounds', () => {
    const { atLeast, atMost, values } = intersection(
      requirement('key', 'Gt', ['4']),
      requirement('key', 'In', ['3', '5', 'a']),
    );
    assert.deepEqual(
      { atLeast, atMost, values: [...values] },
      { atLeast: undefined, atMost: undefined, values: ['5'] },
    );
  });
});

describe('overlaps', () => {
  test('holds exactly if some value is admitted by both', () => {
    fc.assert(
      fc.property(any, any, (a, b) => {
        assert.equal(
          overlaps(a, b),
          SAMPLE.some((value) => admits(a, value) && admits(b, value)),
        );
      }),
      { numRuns: 500 },
    );
  });
});

describe('operators', () => {
  const cases: readonly (readonly [SelectorOperator, readonly string[], readonly string[]])[] = [
    ['In', ['a', '3'], ['a', '3']],
    ['NotIn', ['a', 'b'], ['c', '2', '3']],
    ['Exists', [], ['a', 'b', 'c', '2', '3']],
    ['DoesNotExist', [], []],
    ['Gt', ['2'], ['3']],
    ['Lt', ['3'], ['2']],
    ['Gte', ['3'], ['3']],
    ['Lte', ['3'], ['2', '3']],
  ];
  for (const [operator, values, expected] of cases) {
    test(`${operator} [${values}] admits [${expected}] of a, b, c, 2, 3`, () => {
      const r = requirement('key', operator, values);
      assert.deepEqual(
        ['a', 'b', 'c', '2', '3'].filter((value) => admits(r, value)),
        expected,
      );
    });
  }

  test('a bound admits no word', () => {
    assert.equal(admits(requirement('key', 'Gt', ['0']), 'five'), false);
    assert.equal(admits(requirement('key', 'Gt', ['0']), '5.0'), false);
  });

  test('older names of a label are read as the newer one', () => {
    assert.equal(requirement('beta.kubernetes.io/arch', 'In', ['arm64']).key, ARCH);
  });
});

test('equal texts mean equal requirements', () => {
  fc.assert(
    fc.property(any, any, (a, b) => {
      if (canonicalText(a) === canonicalText(b)) assert.deepEqual(admitted(a), admitted(b));
    }),
  );
});
