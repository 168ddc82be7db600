import type {
  InstanceType,
  Labels,
  NodeSelectorRequirement,
  Offering,
  Resources,
} from '../../src/engine/cluster/objects.ts';
import {
  ARCH,
  CAPACITY_TYPE,
  INSTANCE_TYPE,
  ON_DEMAND,
  OS,
  RESERVATION_ID,
  RESERVED,
  SPOT,
  ZONE,
} from '../../src/engine/cluster/well-known.ts';
import { is } from './constraints.ts';
import { GIB } from './units.ts';

export const ZONES: readonly string[] = ['zone-a', 'zone-b', 'zone-c'];

interface TypeSketch {
  readonly cpu?: number;
  readonly memory?: number;
  readonly pods?: number;
  readonly extra?: Resources;
  /** Dollars per hour on demand; spot is 40 % of it. */
  readonly price?: number;
  readonly arch?: string;
  /** Labels that nodes of the type carry besides. */
  readonly labels?: Labels;
  /** Labels that nodes of the type are known not to carry. */
  readonly without?: readonly string[];
  readonly offerings?: readonly Offering[];
}

export function instanceType(name: string, sketch: TypeSketch = {}): InstanceType {
  const {
    cpu = 4000,
    memory = 16 * GIB,
    pods = 20,
    extra = {},
    price = 0.2,
    arch = 'amd64',
    labels = {},
    without = [],
  } = sketch;
  const allocatable: Resources = { cpu, memory, pods, ...extra };
  const offerings = sketch.offerings ?? offeringsIn(ZONES, price);
  const requirements: NodeSelectorRequirement[] = [
    is(INSTANCE_TYPE, 'In', name),
    is(ARCH, 'In', arch),
    is(OS, 'In', 'linux'),
    is(ZONE, 'In', ...distinct(offerings, ZONE)),
    is(CAPACITY_TYPE, 'In', ...distinct(offerings, CAPACITY_TYPE)),
    ...Object.entries(labels).map(([key, value]) => is(key, 'In', value)),
    ...without.map((key) => is(key, 'DoesNotExist')),
  ];
  return { name, requirements, capacity: allocatable, allocatable, offerings };
}

export function offering(zone: string, capacityType: string, price: number, more: Partial<Offering> = {}): Offering {
  return {
    price,
    available: true,
    reservationCapacity: 0,
    requirements: [is(CAPACITY_TYPE, 'In', capacityType), is(ZONE, 'In', zone)],
    ...more,
  };
}

export function reservedOffering(zone: string, id: string, slots: number): Offering {
  return {
    price: 0,
    available: slots > 0,
    reservationCapacity: slots,
    requirements: [is(CAPACITY_TYPE, 'In', RESERVED), is(ZONE, 'In', zone), is(RESERVATION_ID, 'In', id)],
  };
}

/** On-demand and spot in each of the zones. */
export function offeringsIn(zones: readonly string[], price: number): Offering[] {
  return zones.flatMap((zone) => [offering(zone, ON_DEMAND, price), offering(zone, SPOT, price * 0.4)]);
}

function distinct(offerings: readonly Offering[], key: string): string[] {
  return [
    ...new Set(offerings.flatMap((o) => o.requirements.filter((r) => r.key === key).flatMap((r) => r.values ?? []))),
  ];
}

export const SMALL = instanceType('small', { cpu: 2000, memory: 8 * GIB, pods: 8, price: 0.1 });
export const MEDIUM = instanceType('medium', { cpu: 4000, memory: 16 * GIB, pods: 16, price: 0.2 });
export const LARGE = instanceType('large', { cpu: 8000, memory: 32 * GIB, pods: 32, price: 0.4 });
