import fc from 'fast-check';
import type { NodePoolObject } from '../../src/engine/cluster/objects.ts';
import type { PolicyName, PoolPolicy } from '../../src/engine/disruption/pool-policy.ts';
import { DEFAULT_SETTINGS, type Rules, type Settings } from '../../src/engine/settings.ts';
import { policy } from '../build/policy.ts';
import { rarely } from '../build/random/vocabulary.ts';

const NAMES: readonly PolicyName[] = [
  'WhenUnderutilizedOrCheaper',
  'WhenUnderutilizedOrCheaper',
  'WhenUnderutilizedOrCheaper',
  'WhenCheaper',
  'WhenUnderutilized',
  'WhenEmpty',
  'Balanced',
];

/** A block as `src/config` would read it: the methods that the policy allows. */
const anyPolicy: fc.Arbitrary<PoolPolicy> = fc
  .record({
    name: fc.constantFrom(...NAMES),
    emptyThreshold: fc.constantFrom(0, 0, 0, 0.2),
    maxParallel: fc.constantFrom(100, 100, 3, 2),
    savingsThresholdCents: fc.constantFrom(0, 0, 0.1, 0.5, 2),
    minSavingsPercent: fc.constantFrom(0, 0, 0, 25, 'auto' as const),
    balancedK: fc.constantFrom(1, 2, 5),
  })
  .map(({ name, emptyThreshold, maxParallel, ...rest }) => policyNamed(name, { emptyThreshold, maxParallel }, rest));

/** The block with the methods of the policy of that name. */
export function policyNamed(
  name: PolicyName,
  { emptyThreshold = 0, maxParallel = 100 }: { readonly emptyThreshold?: number; readonly maxParallel?: number } = {},
  more: Partial<PoolPolicy> = {},
): PoolPolicy {
  return policy({
    policy: name,
    emptiness: { enabled: true, emptyThreshold },
    singleNode: { enabled: name !== 'WhenEmpty' && name !== 'WhenUnderutilized' },
    multiNode: { enabled: name !== 'WhenEmpty' && name !== 'WhenCheaper', maxParallel },
    ...more,
  });
}

const anySettings: fc.Arbitrary<Settings> = fc
  .record({
    nodeBaseCost: fc.constantFrom(1, 1, 0, 5),
    spotToSpotTypes: fc.constantFrom(1, 2, 15),
    nodeSurchargeCents: fc.constantFrom(0, 0, 0.5),
    maxReplacements: fc.constantFrom(1, 2, 4),
    maxWorkloadEvictions: fc.constantFrom(0, 0, 1, 3),
    shieldDestinations: rarely(8, fc.constant(true)).map((on) => on ?? false),
    destinationLifetime: rarely(8, fc.constant(true)).map((on) => on ?? false),
  })
  .map((own) => ({ ...DEFAULT_SETTINGS, utilizationThreshold: 1, ...own }));

/** One policy for each of up to three pools. */
export const anyRules: fc.Arbitrary<Rules> = fc
  .record({ policies: fc.array(anyPolicy, { minLength: 3, maxLength: 3 }), settings: anySettings })
  .map(({ policies, settings }) =>
    rulesByPool({ alpha: policies[0], beta: policies[1], gamma: policies[2] }, settings),
  );

export function rulesByPool(policies: Readonly<Record<string, PoolPolicy>>, settings: Partial<Settings> = {}): Rules {
  return {
    settings: { ...DEFAULT_SETTINGS, utilizationThreshold: 1, ...settings },
    policyOf: (pool: NodePoolObject) => policies[pool.name],
  };
}
