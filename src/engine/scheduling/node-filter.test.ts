import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { constrained, is, nodeWith, taint, toleration } from '../../../test/build/constraints.ts';
import { constraints } from '../../../test/build/random/constraints.ts';
import { fromLabels } from '../selection/requirements.ts';
import { EVERY_NODE, filterText, passesAll, passesClaim, passesNode, spreadFilter } from './node-filter.ts';

const TAINTED = [taint('dedicated')];
const picky = constrained({
  nodeSelector: { tier: 'gold' },
  requiredNodeTerms: [nodeWith(is('zone', 'In', 'a')), nodeWith(is('zone', 'In', 'b'))],
});

describe('nodes that take part in a spread', () => {
  const cases: readonly (readonly [law: string, labels: Record<string, string>, passes: boolean])[] = [
    ['meet the selector and the first term', { tier: 'gold', zone: 'a' }, true],
    ['meet the selector and another term', { tier: 'gold', zone: 'b' }, true],
    ['do not if they meet no term', { tier: 'gold', zone: 'c' }, false],
    ['do not if they miss the selector', { tier: 'silver', zone: 'a' }, false],
    ['do not if they lack a label', { zone: 'a' }, false],
  ];
  for (const [law, labels, passes] of cases) {
    test(law, () => {
      const filter = spreadFilter(picky, 'Honor', 'Ignore');
      assert.equal(passesNode(filter, labels, TAINTED), passes);
      assert.equal(passesClaim(filter, fromLabels(labels), TAINTED), passes);
    });
  }

  test('are all, if the pod honours neither affinity nor taints', () => {
    assert.ok(passesNode(spreadFilter(picky, 'Ignore', 'Ignore'), {}, TAINTED));
    assert.ok(passesAll(spreadFilter(picky, 'Ignore', 'Ignore')));
    assert.ok(passesAll(spreadFilter(constrained({}), 'Honor', 'Ignore')));
    assert.ok(passesAll(EVERY_NODE));
  });

  test('have only taints that the pod tolerates, if it honours taints', () => {
    const tolerant = constrained({ tolerations: [toleration('dedicated')] });
    assert.equal(passesNode(spreadFilter(constrained({}), 'Honor', 'Honor'), {}, TAINTED), false);
    assert.equal(passesNode(spreadFilter(constrained({}), 'Honor', 'Honor'), {}, []), true);
    assert.equal(passesNode(spreadFilter(tolerant, 'Honor', 'Honor'), {}, TAINTED), true);
    assert.equal(passesClaim(spreadFilter(constrained({}), 'Honor', 'Honor'), fromLabels({}), TAINTED), false);
  });

  const policy = fc.constantFrom('Honor' as const, 'Ignore' as const);
  const labels = fc.dictionary(
    fc.constantFrom('example.com/tier', 'topology.kubernetes.io/zone'),
    fc.constantFrom('gold', 'zone-a'),
    { noNullPrototype: true },
  );

  test('are all, whenever the filter says that it passes all', () => {
    fc.assert(
      fc.property(constraints, policy, policy, labels, (some, affinity, taints, on) => {
        const filter = spreadFilter(constrained(some), affinity, taints);
        if (passesAll(filter)) assert.ok(passesNode(filter, on, TAINTED));
      }),
    );
  });

  test('are the same for filters with the same text', () => {
    fc.assert(
      fc.property(constraints, constraints, policy, labels, (one, two, taints, on) => {
        const [a, b] = [one, two].map((c) => spreadFilter(constrained(c), 'Honor', taints));
        if (filterText(a) === filterText(b)) assert.equal(passesNode(a, on, TAINTED), passesNode(b, on, TAINTED));
      }),
    );
  });
});
