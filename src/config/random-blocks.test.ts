import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { disruptionBlocks } from '../../test/build/random/disruption-block.ts';
import { parseCron } from '../engine/disruption/cron.ts';
import type { PoolPolicy } from '../engine/disruption/pool-policy.ts';
import { disruptionBlock } from './disruption-block.ts';
import { objectProblems } from './policy-object.ts';
import { readPoolPolicy } from './read-pool-policy.ts';

function assertWithinRanges(policy: PoolPolicy): void {
  const between = (value: number, least: number, most: number) => {
    assert.ok(value >= least && value <= most && Number.isFinite(value), `${value} is not from ${least} to ${most}`);
  };
  between(policy.emptiness.emptyThreshold, 0, 1);
  between(policy.multiNode.maxParallel, 1, Number.MAX_SAFE_INTEGER);
  between(policy.consolidateAfterMs ?? 0, 0, 2 ** 63 / 1e6);
  between(policy.gracePeriodMs ?? 0, 0, 2 ** 63 / 1e6);
  between(policy.savingsThresholdCents, 0, 1e20);
  between(policy.minSavingsPercent === 'auto' ? 0 : policy.minSavingsPercent, 0, 100);
  between(policy.balancedK, Number.MIN_VALUE, 1e20);
  between(policy.ttlSecondsAfterEmpty ?? 0, 0, Number.MAX_SAFE_INTEGER);
  assert.ok(policy.ttlSecondsAfterEmpty === undefined || policy.consolidateAfterMs === undefined);
  for (const { nodes, schedule, durationMs, reasons = [] } of policy.budgets) {
    between(Number(nodes.replace('%', '')), 0, nodes.endsWith('%') ? 100 : 2 ** 31 - 1);
    assert.equal(schedule === undefined, durationMs === undefined);
    assert.ok(schedule === undefined || parseCron(schedule) !== undefined);
    assert.ok(reasons.every((reason) => ['Empty', 'Underutilized', 'Drifted', 'Unhealthy'].includes(reason)));
  }
}

test('a block that validates gives a policy within its ranges, another gives problems', () => {
  let valid = 0;
  fc.assert(
    fc.property(disruptionBlocks, (given) => {
      const reading = readPoolPolicy('NodePool/x', given);
      if ('policy' in reading) {
        valid++;
        assertWithinRanges(reading.policy);
      } else {
        assert.ok(reading.problems.length > 0);
        for (const { field, allowed } of reading.problems) {
          assert.match(field, /^spec\.disruption/);
          // Words of the schema library's own say what was expected, and not in our terms.
          assert.doesNotMatch(allowed, /^$|expected|invalid|too (small|big)|unrecognized/i);
        }
      }
    }),
    { numRuns: 1000 },
  );
  // Otherwise the property would say little.
  assert.ok(valid > 20, `only ${valid} blocks were valid`);
});

test('whatever is given, validation answers', () => {
  const names = fc.constantFrom(...Object.keys(disruptionBlock.shape), '__proto__', 'constructor', 'toString');
  const anything = fc.oneof(fc.jsonValue(), fc.dictionary(names, fc.jsonValue({ maxDepth: 4 }), { maxKeys: 4 }));
  fc.assert(
    fc.property(anything, (given) => {
      readPoolPolicy('NodePool/x', given);
      objectProblems({ kind: 'NodePool', apiVersion: undefined, name: 'x', spec: given });
      objectProblems({ kind: 'ConsolidationPolicy', apiVersion: undefined, name: 'x', spec: given });
    }),
    { numRuns: 1000 },
  );
});

test('deep and entangled values are refused like others', () => {
  let deep: unknown = 1;
  for (let i = 0; i < 50_000; i++) deep = [deep];
  // What YAML's aliases make of a few lines: 10^30 paths.
  let wide: unknown = null;
  for (let i = 0; i < 30; i++) wide = Array.from({ length: 10 }, () => wide);
  for (const value of [deep, wide]) {
    const reading = readPoolPolicy('NodePool/x', { budgets: value, other: value });
    assert.ok('problems' in reading);
  }
});
