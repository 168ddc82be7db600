import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { BUILT_IN_POLICIES } from './built-in-policies.ts';
import { policySettings } from './named-policy.ts';
import { readPolicyFile } from './policy-file.ts';

function problems(document: unknown): string[] {
  const reading = readPolicyFile('a.yaml', document, 'a');
  assert.ok('problems' in reading, 'must be refused');
  return reading.problems.map(
    ({ object, field, value, allowed }) => `${object}: ${field}: ${JSON.stringify(value)}: ${allowed}`,
  );
}

describe('a policy file', () => {
  test('is a disruption block and switches', () => {
    const document = {
      disruption: { consolidationSavingsThresholdCents: '2', consolidationPolicy: 'Balanced' },
      switches: { 'scaledown-utilization-threshold': 0.6, 'shield-destinations': true, 'pool-cooldown': '5m' },
      search: 'karpenter',
      work: 5000,
    };
    assert.deepEqual(readPolicyFile('x/a.yaml', document, 'a'), {
      policy: {
        name: 'a',
        controller: 'decant',
        search: 'karpenter',
        work: 5000,
        disruption: document.disruption,
        switches: { 'scaledown-utilization-threshold': '0.6', 'shield-destinations': 'true', 'pool-cooldown': '5m' },
      },
    });
  });

  test('may name itself, and let Karpenter consolidate', () => {
    const reading = readPolicyFile('a.yaml', { name: 'empty only', controller: 'stock', disruption: null }, 'a');
    assert.ok('policy' in reading);
    assert.deepEqual([reading.policy.name, reading.policy.controller], ['empty only', 'stock']);
  });

  test('an empty one is our controller with every default', () => {
    const reading = readPolicyFile('a.yaml', null, 'a');
    assert.ok('policy' in reading);
    assert.deepEqual(reading.policy, { ...BUILT_IN_POLICIES.find(({ name }) => name === 'rfc'), name: 'a' });
  });

  const refused: readonly [string, unknown, RegExp][] = [
    ['a list', [1], /^a\.yaml: document: \[1\]: an object with name, controller/],
    [
      'a block at the top',
      { consolidateAfter: '5m' },
      /: consolidateAfter: "5m": .*The fields here are name, controller/,
    ],
    [
      'a misspelt field',
      { disruption: { consolidateAftr: '5m' } },
      /: disruption\.consolidateAftr: .*did you mean consolidateAfter\?/,
    ],
    ['a bad value', { disruption: { consolidationSavingsThresholdCents: 1 } }, /: 1: a string, not a number/],
    [
      'a misspelt switch',
      { switches: { 'pool-cooldwn': '5m' } },
      /: switches\.pool-cooldwn: .*did you mean pool-cooldown\?/,
    ],
    ['a bad switch', { switches: { 'pool-cooldown': '5x' } }, /: switches\.pool-cooldown: "5x": a duration/],
    ['an unknown controller', { controller: 'karpenter' }, /: controller: "karpenter": one of none, stock, decant/],
    [
      'switches of stock',
      { controller: 'stock', switches: { 'pool-cooldown': '5m' } },
      /: switches: .*only with controller decant/,
    ],
    [
      'a search without a controller',
      { controller: 'none', search: 'merged' },
      /: search: .*only with controller decant/,
    ],
    ['no work', { work: 0 }, /: work: 0: a whole number of at least 1/],
    ['work of stock', { controller: 'stock', work: 5 }, /: work: 5: only with controller decant/],
    ['a built-in name', { name: 'none' }, /: name: "none": a name that is not built in/],
    ['a name with control characters', { name: 'a\u001b[2J' }, /: name: .*letters, digits/],
    [
      'a TTL with consolidation',
      { disruption: { ttlSecondsAfterEmpty: 5, consolidateAfter: '1m' } },
      /only with consolidateAfter "Never"/,
    ],
  ];
  for (const [what, document, message] of refused) {
    test(`${what} is refused`, () => {
      const all = problems(document);
      assert.equal(all.length, 1, all.join('\n'));
      assert.match(all[0], message);
    });
  }

  test('everything that is wrong is said', () => {
    assert.equal(problems({ name: '', disruption: { consolidateAfter: 5 }, switches: { x: 1 } }).length, 3);
  });
});

test('built-in policies are what the schema allows', () => {
  for (const { name, controller, search, disruption, switches } of BUILT_IN_POLICIES) {
    const own = controller === 'decant' ? { search, switches } : {};
    assert.ok('policy' in readPolicyFile(name, { controller, disruption, ...own }, 'x'), name);
    assert.ok('settings' in policySettings(switches));
  }
  assert.deepEqual(
    BUILT_IN_POLICIES.map(({ name }) => name),
    ['none', 'stock', 'balanced', 'rfc', 'calm'],
  );
});
