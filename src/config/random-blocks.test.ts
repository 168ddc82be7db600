import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { parseCron } from '../engine/disruption/cron.ts';
import type { PoolPolicy } from '../engine/policies/pool-policy.ts';
import { disruptionBlock, POLICIES } from './disruption-block.ts';
import { objectProblems } from './policy-object.ts';
import { readPoolPolicy } from './read-pool-policy.ts';

const duration = fc.oneof(
  fc.constantFrom('Never', '0s', '5x', '1d', '', '99999999999999999999h', 7),
  fc.stringMatching(/^([0-9]{1,4}[smh]){1,3}$/),
);
const decimal = fc.oneof(
  fc.double({ min: -1, max: 200, noNaN: true }).map((value) => value.toFixed(3)),
  fc.constantFrom('0', '100', 'auto', '1e9', '9'.repeat(400), 'abc', 3, '0.0'),
);
const nodes = fc.oneof(
  fc.integer({ min: -2, max: 150 }).map((n) => `${n}%`),
  fc.nat().map(String),
  fc.constant('9'.repeat(30)),
);
const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined, freq: 2 });
const object = (model: Readonly<Record<string, fc.Arbitrary<unknown>>>) => fc.record(model, { requiredKeys: [] });

/** Blocks that are right about as often as they are wrong. */
const block = object({
  consolidationPolicy: maybe(fc.constantFrom(...POLICIES, 'Other')),
  consolidateAfter: maybe(duration),
  consolidationGracePeriod: maybe(duration),
  consolidationSavingsThresholdCents: maybe(decimal),
  consolidationMinSavingsPercent: maybe(decimal),
  balancedK: maybe(fc.oneof(decimal, fc.integer({ min: -1, max: 9 }))),
  ttlSecondsAfterEmpty: maybe(fc.integer({ min: -1, max: 9 })),
  consolidation: maybe(
    object({
      singleNode: object({ enabled: fc.boolean() }),
      multiNode: object({ enabled: fc.boolean(), maxParallel: fc.integer({ min: 0, max: 200 }) }),
      emptiness: object({ enabled: fc.boolean(), emptyThreshold: nodes }),
    }),
  ),
  budgets: maybe(
    fc.array(
      object({
        nodes: maybe(nodes),
        schedule: maybe(fc.constantFrom('@daily', '0 9 * * mon-fri', '61 * * * *', '@every 5m')),
        duration: maybe(fc.constantFrom('8h', '1h30m', '30s')),
        reasons: maybe(fc.array(fc.constantFrom('Empty', 'Underutilized', 'Drifted', 'Other'), { maxLength: 2 })),
      }),
      { maxLength: 3 },
    ),
  ),
});

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
    assert.ok(reasons.every((reason) => ['Empty', 'Underutilized', 'Drifted'].includes(reason)));
  }
}

test('a block that validates gives a policy within its ranges, another gives problems', () => {
  let valid = 0;
  fc.assert(
    fc.property(block, (given) => {
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
