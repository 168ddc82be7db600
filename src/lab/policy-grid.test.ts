import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { namedPolicy } from '../../test/build/lab.ts';
import { type Grid, gridPolicies, unknownPolicy } from './policy-grid.ts';

const BASE = namedPolicy('rfc', { disruption: { consolidateAfter: '30s' }, switches: { 'pool-cooldown': '1m' } });

function policies(grid: Grid) {
  const reading = gridPolicies(grid, BASE);
  assert.ok('policies' in reading, JSON.stringify(reading));
  return reading.policies;
}

function problems(grid: Grid) {
  const reading = gridPolicies(grid, BASE);
  assert.ok('problems' in reading);
  return reading.problems;
}

describe('a grid', () => {
  test('is every combination, laid over the base, under names that say it', () => {
    const all = policies({ utilization: '0.5,1.0', threshold: '0, 2', grace: '0,5m' });
    assert.deepEqual(
      all.map(({ name }) => name),
      [
        'threshold=0 grace=0 utilization=0.5',
        'threshold=0 grace=0 utilization=1.0',
        'threshold=0 grace=5m utilization=0.5',
        'threshold=0 grace=5m utilization=1.0',
        'threshold=2 grace=0 utilization=0.5',
        'threshold=2 grace=0 utilization=1.0',
        'threshold=2 grace=5m utilization=0.5',
        'threshold=2 grace=5m utilization=1.0',
      ],
    );
    assert.deepEqual(all[7], {
      ...BASE,
      name: 'threshold=2 grace=5m utilization=1.0',
      disruption: {
        consolidateAfter: '30s',
        consolidationSavingsThresholdCents: '2',
        consolidationGracePeriod: '5m',
      },
      switches: { 'pool-cooldown': '1m', 'scaledown-utilization-threshold': '1.0' },
    });
  });

  test('a grace period of 0 takes away that of a pool', () => {
    assert.equal(policies({ grace: '0' })[0].disruption.consolidationGracePeriod, 'Never');
  });

  test('of nothing is nothing', () => assert.deepEqual(policies({}), []));

  test('names the flag, the value and what is allowed', () => {
    const cases: readonly [Grid, string, string, RegExp][] = [
      [{ threshold: '0,-1' }, '--threshold', '-1', /decimal number of at least 0/],
      [{ threshold: '1,abc' }, '--threshold', 'abc', /decimal number/],
      [{ threshold: '1,,2' }, '--threshold', '', /decimal number/],
      [{ grace: '5x' }, '--grace', '5x', /a duration in h, m and s/],
      [{ utilization: '0.5,1.5' }, '--utilization', '1.5', /a number from 0 to 1/],
      [{ threshold: '1,2,1' }, '--threshold', '1', /every value once/],
    ];
    for (const [grid, field, value, allowed] of cases) {
      const [problem, ...others] = problems(grid);
      assert.deepEqual([problem.object, problem.field, problem.value, others], ['command line', field, value, []]);
      assert.match(problem.allowed, allowed);
    }
  });

  test('has an end', () => {
    const many = Array.from({ length: 40 }, (_, i) => i).join(',');
    assert.match(
      problems({ threshold: many, utilization: '0.5,0.6', grace: many.replace(/\d+/g, '$&s') })[0].allowed,
      /1000/,
    );
  });
});

test('an unknown policy: what it could have been', () => {
  assert.match(
    unknownPolicy('--policies', 'clam', ['none', 'calm']).allowed,
    /^none, calm, or the path of a YAML file; did you mean calm\?$/,
  );
});
