import fc from 'fast-check';
import type { NodeSelectorRequirement, Taint } from '../../../src/engine/cluster/objects.ts';
import {
  ARCH,
  CAPACITY_TYPE,
  HOSTNAME,
  INSTANCE_TYPE,
  ON_DEMAND,
  SPOT,
  ZONE,
} from '../../../src/engine/cluster/well-known.ts';
import { is, taint } from '../constraints.ts';
import { ZONES } from '../instance-type.ts';

/** Few words, so that random objects speak of the same things often enough to matter to each other. */
export const APPS = ['web', 'db', 'job'] as const;
export const NAMESPACES = ['default', 'other'] as const;
export const POOL_NAMES = ['alpha', 'beta', 'gamma'] as const;
export const TYPE_NAMES = ['t0', 't1', 't2', 't3'] as const;
/** A label that pools give to their nodes. */
export const TIER = 'example.com/tier';
export const TIERS = ['gold', 'silver'] as const;
/** An integer label of instance types; some types lack it. */
export const GENERATION = 'example.com/generation';
export const GPU = 'example.com/gpu';
export const TAINTS: readonly Taint[] = [
  taint('dedicated', 'NoSchedule', 'db'),
  taint('flaky', 'PreferNoSchedule'),
  taint('level', 'NoExecute', '5'),
];

export const zone = fc.constantFrom(...ZONES);
export const app = fc.constantFrom(...APPS);
export const tier = fc.constantFrom(...TIERS);

/** `arb` once in `oneIn` times, else undefined. */
export function rarely<T>(oneIn: number, arb: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> {
  return fc.oneof({ weight: oneIn - 1, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: arb });
}

/** A short list once in `oneIn` times, else none. */
export function mostlyNone<T>(oneIn: number, arb: fc.Arbitrary<T>, maxLength = 2): fc.Arbitrary<readonly T[]> {
  return fc.oneof(
    { weight: oneIn - 1, arbitrary: fc.constant([]) },
    { weight: 1, arbitrary: fc.array(arb, { minLength: 1, maxLength }) },
  );
}

const listed = (key: string, values: readonly string[]): fc.Arbitrary<NodeSelectorRequirement> =>
  fc
    .tuple(fc.constantFrom('In', 'In', 'NotIn'), fc.subarray([...values], { minLength: 1, maxLength: 2 }))
    .map(([operator, some]) => is(key, operator, ...some));

const presence = fc
  .tuple(fc.constantFrom(TIER, GENERATION, 'example.com/nobody-has-this'), fc.constantFrom('Exists', 'DoesNotExist'))
  .map(([key, operator]) => is(key, operator));

const bounded = fc
  .tuple(fc.constantFrom('Gt', 'Lt', 'Gte', 'Lte'), fc.integer({ min: 1, max: 4 }))
  .map(([operator, bound]) => is(GENERATION, operator, String(bound)));

const NODE_NAMES = ['node-0', 'node-1', 'node-2', 'node-3'];

/** What a pod may ask of a node, with every operator. */
export const nodeRequirement: fc.Arbitrary<NodeSelectorRequirement> = fc.oneof(
  { weight: 4, arbitrary: listed(ZONE, ZONES) },
  { weight: 3, arbitrary: listed(TIER, TIERS) },
  { weight: 1, arbitrary: listed(CAPACITY_TYPE, [SPOT, ON_DEMAND]) },
  { weight: 1, arbitrary: listed(INSTANCE_TYPE, TYPE_NAMES) },
  { weight: 1, arbitrary: listed(ARCH, ['amd64', 'arm64']) },
  { weight: 1, arbitrary: listed(HOSTNAME, NODE_NAMES) },
  { weight: 1, arbitrary: presence },
  { weight: 2, arbitrary: bounded },
);
