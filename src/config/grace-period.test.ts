import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Problem } from './problem.ts';
import { readPoolPolicy } from './read-pool-policy.ts';

function problems(block: unknown): readonly Problem[] {
  const reading = readPoolPolicy('NodePool/default', block);
  return 'problems' in reading ? reading.problems : [];
}

describe('the pattern of the grace period document', () => {
  for (const good of ['30m', '1h', '2h30m', '4h', '5m', '0s', '1h1h', '30s1h', 'Never']) {
    test(`${good} is one`, () => assert.deepEqual(problems({ consolidationGracePeriod: good }), []));
  }
  for (const bad of [
    '',
    '5',
    '5x',
    '1d',
    '1.5h',
    '-5m',
    '+5m',
    '100ms',
    ' 5m',
    '5m\n',
    'never',
    'Never5m',
    '5mNever',
    0,
    true,
  ]) {
    test(`${JSON.stringify(bad)} is none`, () => assert.equal(problems({ consolidationGracePeriod: bad }).length, 1));
  }
});
