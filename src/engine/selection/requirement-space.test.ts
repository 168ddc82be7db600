import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import type { NodeSelectorRequirement } from '../cluster/objects.ts';
import { canonicalText } from './requirement.ts';
import { INCOMPATIBLE, RequirementSpace } from './requirement-space.ts';
import { compatible, fromSelectors, intersectAll, NONE_OPEN, type Requirements } from './requirements.ts';

const OPEN = new Set(['open']);

const rule: fc.Arbitrary<NodeSelectorRequirement> = fc
  .tuple(
    fc.constantFrom('open', 'custom', 'other'),
    fc.constantFrom('In', 'NotIn', 'Exists', 'DoesNotExist', 'Gt', 'Lt'),
    fc.subarray(['1', '2', '3'], { minLength: 1 }),
  )
  .map(([key, operator, values]) => ({ key, operator, values }));
const requirements = fc.array(rule, { maxLength: 4 }).map(fromSelectors);

const textOf = (r: Requirements) => [...r.values()].map(canonicalText).sort();

describe('a requirement space', () => {
  test('narrows as the algebra does, asked once or twice', () => {
    fc.assert(
      fc.property(requirements, requirements, (from, wanted) => {
        const space = new RequirementSpace(OPEN);
        const [a, b] = [space.intern(from), space.intern(wanted)];
        const agrees = (id: number, open: ReadonlySet<string>) => {
          if (!compatible(from, wanted, open)) assert.equal(id, INCOMPATIBLE);
          else assert.deepEqual(textOf(space.get(id)), textOf(intersectAll(from.values(), wanted.values())));
        };
        for (let i = 0; i < 2; i++) {
          agrees(space.narrow(a, b), OPEN);
          agrees(space.narrowExisting(a, b), NONE_OPEN);
        }
      }),
      { numRuns: 500 },
    );
  });

  test('gives equal requirements one handle, in whatever order their keys came', () => {
    fc.assert(
      fc.property(requirements, (r) => {
        const space = new RequirementSpace(OPEN);
        const id = space.intern(r);
        assert.equal(space.intern(new Map([...r].reverse())), id);
        assert.deepEqual(textOf(space.get(id)), textOf(r));
      }),
    );
  });

  test('knows "anything goes" from the start, and narrowing to it changes nothing', () => {
    const space = new RequirementSpace(OPEN);
    assert.equal(space.intern(new Map()), RequirementSpace.unrestricted);
    const id = space.intern(fromSelectors([{ key: 'custom', operator: 'In', values: ['1'] }]));
    assert.equal(space.narrow(id, RequirementSpace.unrestricted), id);
  });
});
