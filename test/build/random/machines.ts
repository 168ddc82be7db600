import fc from 'fast-check';
import type { InstanceType, Labels, NodePoolObject, Resources } from '../../../src/engine/cluster/objects.ts';
import { HOSTNAME, ON_DEMAND, SPOT, ZONE } from '../../../src/engine/cluster/well-known.ts';
import { taint } from '../constraints.ts';
import { type Machine, type MachineSketch, machine } from '../machine.ts';
import { MINUTE_MS, NOW_MS } from '../units.ts';
import { mostlyNone, rarely, TAINTS, TIER, tier, zone } from './vocabulary.ts';

/** Numbers stand for pools and types, so that plans can be made and shrunk before those exist. */
interface MachinePlan {
  readonly pool: number;
  readonly type: number;
  /** Percent of the type's resources that are left to pods. */
  readonly share: number;
  readonly ownTier: string | undefined;
  readonly sketch: MachineSketch;
}

const sketch: fc.Arbitrary<MachineSketch> = fc.record({
  zone,
  capacityType: fc.constantFrom(ON_DEMAND, ON_DEMAND, SPOT),
  taints: mostlyNone(6, fc.constantFrom(...TAINTS), 1),
  startupTaints: mostlyNone(3, fc.constant(taint('starting')), 1),
  state: fc.oneof(
    { weight: 12, arbitrary: fc.constant('ready' as const) },
    { weight: 1, arbitrary: fc.constantFrom('starting' as const, 'launched' as const, 'unmanaged' as const) },
  ),
  deleting: rarely(9, fc.constant(true)),
  without: mostlyNone(6, fc.constantFrom(ZONE, HOSTNAME), 1),
  lastPodEventMs: rarely(4, fc.constant(NOW_MS - MINUTE_MS)),
});

export const machinePlans: fc.Arbitrary<MachinePlan[]> = fc.array(
  fc.record({
    pool: fc.nat(9),
    type: fc.nat(9),
    share: fc.constantFrom(100, 100, 60),
    ownTier: rarely(3, tier),
    sketch,
  }),
  { minLength: 2, maxLength: 8, size: 'medium' },
);

export function buildMachine(
  plan: MachinePlan,
  i: number,
  pools: readonly NodePoolObject[],
  types: readonly InstanceType[],
): Machine {
  const pool = pools[plan.pool % pools.length];
  const type = types[plan.type % types.length];
  const own: Labels = plan.ownTier === undefined ? {} : { [TIER]: plan.ownTier };
  return machine(`node-${i}`, {
    ...plan.sketch,
    pool: pool.name,
    type,
    labels: { ...pool.templateLabels, ...own },
    taints: [...pool.taints, ...(plan.sketch.taints ?? [])],
    allocatable: scaled(type.allocatable, plan.share),
  });
}

function scaled(resources: Resources, percent: number): Resources {
  return Object.fromEntries(
    Object.entries(resources).map(([name, amount]) => [name, Math.ceil((amount * percent) / 100)]),
  );
}
