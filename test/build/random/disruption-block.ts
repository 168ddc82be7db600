import fc from 'fast-check';
import { CONSOLIDATION_POLICIES } from '../../../src/config/disruption-block.ts';

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

const BLOCK = {
  consolidationPolicy: maybe(fc.constantFrom(...CONSOLIDATION_POLICIES, 'Other')),
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
  headroom: maybe(
    object({
      cpu: maybe(fc.oneof(nodes, fc.constantFrom('500m', '1.5', '1e3', '100.5%'))),
      memory: maybe(fc.oneof(nodes, fc.constantFrom('16Gi', '0.5Gi', 'much'))),
      pods: maybe(object({ count: nodes, cpu: fc.constantFrom('1', '10%'), memory: fc.constantFrom('1Gi', '') })),
    }),
  ),
  minNodes: maybe(fc.integer({ min: -1, max: 9 })),
  maxShareOnOneNode: maybe(nodes),
  moveSingletons: maybe(fc.constantFrom('Evict', 'Rollout', 'Drain')),
  budgets: maybe(
    fc.array(
      object({
        nodes: maybe(nodes),
        timeZone: maybe(fc.constantFrom('Europe/Berlin', 'UTC', 'Mars/Olympus', 'berlin')),
        schedule: maybe(fc.constantFrom('@daily', '0 9 * * mon-fri', '61 * * * *', '5-3 * * * *', '@every 5m')),
        duration: maybe(fc.constantFrom('8h', '1h30m', '30s')),
        reasons: maybe(
          fc.array(fc.constantFrom('Empty', 'Underutilized', 'Drifted', 'Unhealthy', 'Other'), { maxLength: 2 }),
        ),
      }),
      { maxLength: 3 },
    ),
  ),
};

/** Blocks that are right about as often as they are wrong. */
export const disruptionBlocks = object(BLOCK);

const { ttlSecondsAfterEmpty: _, ...differing } = BLOCK;

/** Windows of a policy, likewise. */
export const policyWindows = fc.array(
  fc.record(
    {
      schedule: fc.constantFrom('@daily', '0 9 * * mon-fri', '61 * * * *'),
      duration: fc.constantFrom('8h', '1h30m', '30s'),
      timeZone: maybe(fc.constantFrom('Europe/Berlin', 'berlin')),
      consolidationPolicy: maybe(fc.constantFrom(...CONSOLIDATION_POLICIES)),
      consolidation: differing.consolidation,
      consolidateAfter: maybe(fc.constantFrom('Never', '5m')),
      budgets: differing.budgets,
    },
    { requiredKeys: ['schedule', 'duration'] },
  ),
  { maxLength: 2 },
);
