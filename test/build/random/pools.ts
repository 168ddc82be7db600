import fc from 'fast-check';
import type { NodePoolObject, NodeSelectorRequirement } from '../../../src/engine/cluster/objects.ts';
import { CAPACITY_TYPE, INSTANCE_TYPE, ON_DEMAND, SPOT, ZONE } from '../../../src/engine/cluster/well-known.ts';
import { is } from '../constraints.ts';
import { ZONES } from '../instance-type.ts';
import { nodePool } from '../node-pool.ts';
import { GIB, MINUTE_MS } from '../units.ts';
import { GENERATION, GPU, mostlyNone, POOL_NAMES, rarely, TAINTS, TIER, TIERS, tier } from './vocabulary.ts';

const requirement: fc.Arbitrary<NodeSelectorRequirement> = fc.oneof(
  fc.subarray([...ZONES], { minLength: 1 }).map((zones) => is(ZONE, 'In', ...zones)),
  fc.constantFrom(...ZONES).map((zone) => is(ZONE, 'NotIn', zone)),
  fc.constantFrom(SPOT, ON_DEMAND).map((type) => is(CAPACITY_TYPE, 'In', type)),
  fc.constant(is(TIER, 'In', ...TIERS)),
  fc.constant(is(TIER, 'Exists')),
  fc.integer({ min: 0, max: 3 }).map((bound) => is(GENERATION, 'Gt', String(bound))),
  fc.constantFrom(1, 2).map((minValues) => ({ ...is(INSTANCE_TYPE, 'Exists'), minValues })),
);

const limits = fc.record(
  {
    cpu: fc.constantFrom(8000, 16000, 32000),
    memory: fc.constantFrom(16 * GIB, 64 * GIB),
    nodes: fc.constantFrom(2, 4, 8),
    [GPU]: fc.constantFrom(1, 4),
  },
  { requiredKeys: [], noNullPrototype: true },
);

const sketch: fc.Arbitrary<Partial<NodePoolObject>> = fc.record({
  weight: fc.constantFrom(0, 0, 10),
  limits: fc.oneof({ weight: 3, arbitrary: fc.constant({}) }, { weight: 1, arbitrary: limits }),
  templateLabels: fc.oneof(
    { weight: 1, arbitrary: fc.constant({}) },
    { weight: 1, arbitrary: tier.map((value) => ({ [TIER]: value })) },
  ),
  requirements: mostlyNone(2, requirement),
  taints: mostlyNone(4, fc.constantFrom(...TAINTS), 1),
  ready: fc.constantFrom(true, true, true, true, true, false),
  replicas: rarely(12, fc.constant(2)),
  consolidateAfterMs: fc.constantFrom(0, 0, 5 * MINUTE_MS),
});

export const pools: fc.Arbitrary<NodePoolObject[]> = fc
  .array(sketch, { minLength: 1, maxLength: POOL_NAMES.length })
  .map((list) => list.map((own, i) => nodePool(POOL_NAMES[i], own)));
