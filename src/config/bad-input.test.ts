import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { BAD_BLOCKS } from '../../test/build/bad-blocks.ts';
import type { Problem } from './problem.ts';
import { readPoolPolicy } from './read-pool-policy.ts';

function problems(block: unknown): readonly Problem[] {
  const reading = readPoolPolicy('NodePool/default', block);
  return 'problems' in reading ? reading.problems : [];
}

describe('refused, with object, field, value and what is allowed', () => {
  for (const [block, field, value, allowed] of BAD_BLOCKS) {
    test(JSON.stringify(block), () => {
      assert.deepEqual(problems(block), [
        { object: 'NodePool/default', field: `spec.disruption${field}`, value, allowed },
      ]);
    });
  }
});

test('more than 50 budgets', () => {
  assert.deepEqual(problems({ budgets: Array.from({ length: 50 }, () => ({})) }), []);
  const [problem] = problems({ budgets: Array.from({ length: 51 }, () => ({})) });
  assert.deepEqual([problem.field, problem.allowed], ['spec.disruption.budgets', 'at most 50 budgets']);
});

test('every problem of a block is reported, those between fields beside those of fields', () => {
  const block = {
    consolidationPolicy: 'WhenEmpty',
    consolidationGracePeriod: '5x',
    ttlSecondsAfterEmpty: 1.5,
    consolidation: { singleNode: { enabled: true }, other: 1 },
    budgets: [{ schedule: '61 * * * *' }],
    more: true,
  };
  assert.deepEqual(
    problems(block).map(({ field }) => field.replace('spec.disruption.', '')),
    [
      'consolidationGracePeriod',
      'ttlSecondsAfterEmpty',
      'consolidation.other',
      'budgets[0].schedule',
      'more',
      'consolidation.singleNode.enabled',
      'ttlSecondsAfterEmpty',
      'budgets[0].schedule',
    ],
  );
});

test('a rule says nothing about a field that is wrong by itself', () => {
  const policy = problems({ consolidationPolicy: 'X', consolidation: { multiNode: { enabled: true } } });
  assert.deepEqual(
    policy.map(({ field }) => field),
    ['spec.disruption.consolidationPolicy'],
  );
  const after = problems({ consolidateAfter: 'X', ttlSecondsAfterEmpty: 30 });
  assert.deepEqual(
    after.map(({ field }) => field),
    ['spec.disruption.consolidateAfter'],
  );
});
