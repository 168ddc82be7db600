import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { BAD_BLOCKS } from '../../test/build/bad-blocks.ts';
import { refusals } from '../../test/build/custom-resource-check.ts';
import { disruptionBlocks, policyWindows } from '../../test/build/random/disruption-block.ts';
import { objectProblems } from '../config/policy-object.ts';
import { CONSOLIDATION_POLICY_CRD } from './consolidation-policy.ts';

const SPEC = CONSOLIDATION_POLICY_CRD.spec.versions[0].schema.openAPIV3Schema.properties!.spec;

describe('the API server refuses what decant validate refuses, at the same field', () => {
  for (const [block, field, , allowed] of BAD_BLOCKS.filter(([, field]) => field !== '')) {
    test(JSON.stringify(block), () => {
      const found = refusals(SPEC, { nodePoolSelector: {}, ...(block as object) });
      const words = found.filter((line) => line.startsWith(`spec${field}: `));
      const parent = field.slice(0, field.lastIndexOf('.'));
      const unknown = found.includes(`spec${parent}: has ${field.slice(parent.length + 1)}`);
      assert.ok(words.length > 0 || unknown, found.join('\n'));
      // What a schema has no words for of its own is said in ours.
      if (words.some((line) => line.includes(': not ^')))
        assert.ok(words.includes(`spec${field}: ${allowed}`), `${words}`);
    });
  }
});

test('rules about several fields have the words of decant validate, with the policy that is in the way', () => {
  const spec = {
    nodePoolSelector: {},
    consolidationPolicy: 'WhenCheaper',
    consolidation: { multiNode: { enabled: true } },
  };
  const [problem] = validated(spec);
  assert.deepEqual(refusals(SPEC, spec), [`${problem.field}: ${problem.allowed}`]);
});

test('limits are the same to the last second and node', () => {
  const good = { consolidateAfter: '2562047h47m16s', budgets: [{ nodes: '2147483647' }, { nodes: '000000000000007' }] };
  assert.deepEqual(refusals(SPEC, { nodePoolSelector: {}, ...good }), []);
  assert.deepEqual(validated({ nodePoolSelector: {}, ...good }), []);
});

const text = fc.constantFrom('a', 'b');
const selectors = fc.oneof(
  fc.constantFrom({}, undefined, { matchLabels: { a: 1 } }, { matchExpressions: [{ key: 'a' }] }, 'all'),
  fc.record({
    matchExpressions: fc.array(
      fc.record(
        {
          key: fc.constantFrom('a', ''),
          operator: fc.constantFrom('In', 'NotIn', 'Exists', 'DoesNotExist', 'Gt'),
          values: fc.array(text, { maxLength: 2 }),
        },
        { requiredKeys: ['key', 'operator'] },
      ),
      { maxLength: 2 },
    ),
  }),
);

test('CRD and decant validate agree on every policy', () => {
  const verdicts = { good: 0, bad: 0 };
  const spec = fc.tuple(fc.oneof({ weight: 3, arbitrary: fc.constant({}) }, selectors), disruptionBlocks);
  fc.assert(
    fc.property(spec, ([nodePoolSelector, block]) => {
      const given = { nodePoolSelector, ...block };
      const problems = validated(given);
      const found = refusals(SPEC, given);
      verdicts[problems.length === 0 ? 'good' : 'bad']++;
      assert.equal(found.length === 0, problems.length === 0, `${JSON.stringify({ problems, found }, null, 1)}`);
    }),
    { numRuns: 1500 },
  );
  assert.ok(verdicts.good > 20 && verdicts.bad > 20, JSON.stringify(verdicts));
});

test('CRD and decant validate agree on windows', () => {
  const verdicts = { good: 0, bad: 0 };
  const outside = fc.record(
    {
      consolidationPolicy: fc.constantFrom('WhenEmpty', 'WhenCheaper', 'Balanced'),
      consolidateAfter: fc.constantFrom('Never', '1m'),
      ttlSecondsAfterEmpty: fc.constant(30),
      consolidation: fc.constantFrom({ multiNode: { enabled: true } }, { emptiness: { enabled: false } }),
    },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(outside, policyWindows, (block, windows) => {
      const given = { nodePoolSelector: {}, ...block, windows };
      const problems = validated(given);
      const found = refusals(SPEC, given);
      verdicts[problems.length === 0 ? 'good' : 'bad']++;
      assert.equal(found.length === 0, problems.length === 0, `${JSON.stringify({ problems, found }, null, 1)}`);
    }),
    { numRuns: 1000 },
  );
  assert.ok(verdicts.good > 20 && verdicts.bad > 20, JSON.stringify(verdicts));
});

function validated(spec: unknown) {
  return objectProblems({ kind: 'ConsolidationPolicy', apiVersion: undefined, name: 'x', spec });
}
