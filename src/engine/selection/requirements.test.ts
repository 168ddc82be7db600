import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { NodeSelectorRequirement } from '../cluster/objects.ts';
import { compatible, fromLabels, fromSelectors, intersectAll, NONE_OPEN, overlapOnSharedKeys } from './requirements.ts';

const KEY = 'example.com/key';

function asks(operator: NodeSelectorRequirement['operator'], ...values: string[]) {
  return fromSelectors([{ key: KEY, operator, values }]);
}

const WANTED = {
  'In[a]': asks('In', 'a'),
  'NotIn[a]': asks('NotIn', 'a'),
  Exists: asks('Exists'),
  DoesNotExist: asks('DoesNotExist'),
  'Gt 5': asks('Gt', '5'),
};

/** The table of karpenter-semantics §6.2: which pods agree with which nodes, in the order of WANTED. */
const TABLE: readonly (readonly [name: string, offered: ReturnType<typeof asks>, agrees: string])[] = [
  ['undefined custom key', fromSelectors([]), '✗ ✓ ✗ ✓ ✗'],
  ['In[a]', asks('In', 'a'), '✓ ✗ ✓ ✗ ✗'],
  ['In[a,b]', asks('In', 'a', 'b'), '✓ ✓ ✓ ✗ ✗'],
  ['NotIn[a]', asks('NotIn', 'a'), '✗ ✓ ✓ ✓ ✓'],
  ['Exists', asks('Exists'), '✓ ✓ ✓ ✗ ✓'],
  ['DoesNotExist', asks('DoesNotExist'), '✗ ✓ ✗ ✓ ✗'],
  ['In[7]', asks('In', '7'), '✗ ✓ ✓ ✗ ✓'],
];

describe('a node that offers', () => {
  for (const [name, offered, agrees] of TABLE) {
    test(`${name} agrees with pods as Karpenter has it`, () => {
      const marks = Object.values(WANTED).map((wanted) => (compatible(offered, wanted, NONE_OPEN) ? '✓' : '✗'));
      assert.equal(marks.join(' '), agrees);
    });
  }

  test('nothing of an open key agrees with every pod', () => {
    for (const wanted of Object.values(WANTED)) assert.ok(compatible(fromSelectors([]), wanted, new Set([KEY])));
  });
});

test('keys that only one side mentions do not keep the two apart', () => {
  assert.ok(overlapOnSharedKeys(fromLabels({ one: 'a' }), fromLabels({ two: 'b' })));
});

test('labels under an older and the newer name are one key', () => {
  const requirements = fromLabels({ 'failure-domain.beta.kubernetes.io/zone': 'a' });
  assert.deepEqual([...requirements.keys()], ['topology.kubernetes.io/zone']);
});

test('several rules for one key hold together', () => {
  const all = intersectAll(asks('NotIn', 'a').values(), asks('In', 'a', 'b').values());
  assert.deepEqual([...(all.get(KEY)?.values ?? [])], ['b']);
});
