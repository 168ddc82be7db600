import type { InstanceType, NodeSelectorRequirement, Resources } from '../engine/cluster/objects.ts';
import { ARCH, INSTANCE_TYPE, OS, REGION } from '../engine/cluster/well-known.ts';
import { regionOffers, type Zone } from './region-offerings.ts';
import type { RegionTable } from './region-table.ts';
import { isIn } from './requirements.ts';
import type { TypeTable } from './type-table.ts';

export interface MachineSize {
  readonly name: string;
  readonly vcpus: number;
  readonly memoryMib: number;
  readonly gpus: number;
}

/** A cloud's rules for deriving a type from its size. */
export interface SizeRules {
  labels(size: MachineSize): Readonly<Record<string, string>>;
  capacity(size: MachineSize): Resources;
  /** What kubelet and the system reserve: cpu in millicores, memory in bytes. */
  overhead(size: MachineSize): Resources;
  /** Whether the provider would launch it; nodes of other sizes still have a price. */
  isLaunchable(size: MachineSize): boolean;
}

/** Types of a cloud with known names, sizes and prices: labels and allocatable are derived. */
export function sizedInstanceTypes(
  table: TypeTable,
  prices: RegionTable,
  zones: readonly Zone[],
  rules: SizeRules,
): InstanceType[] {
  const offersOf = regionOffers(prices, zones);
  const arm = new Set(table.arm64);
  const [arm64, amd64, linux, region] = [
    isIn(ARCH, 'arm64'),
    isIn(ARCH, 'amd64'),
    isIn(OS, 'linux'),
    isIn(REGION, prices.region),
  ];
  const made = new Map<string, NodeSelectorRequirement>();
  const shared = (key: string, value: string) => {
    const text = `${key}=${value}`;
    const requirement = made.get(text) ?? isIn(key, value);
    made.set(text, requirement);
    return requirement;
  };
  return prices.types.flatMap((type, position) => {
    const name = table.names[type];
    const size = { name, vcpus: table.vcpus[type], memoryMib: table.memoryMib[type], gpus: table.gpus[type] };
    const offer = offersOf(position);
    if (offer.offerings.length === 0) return [];
    const capacity = rules.capacity(size);
    const overhead = rules.overhead(size);
    const launchable = rules.isLaunchable(size);
    return {
      name,
      requirements: [
        isIn(INSTANCE_TYPE, name),
        arm.has(type) ? arm64 : amd64,
        linux,
        region,
        ...Object.entries(rules.labels(size)).map(([key, value]) => shared(key, value)),
        offer.zones,
        offer.capacityTypes,
      ],
      capacity,
      allocatable: Object.fromEntries(
        Object.entries(capacity).map(([resource, amount]) => [
          resource,
          Math.max(0, amount - (overhead[resource] ?? 0)),
        ]),
      ),
      offerings: launchable ? offer.offerings : offer.offerings.map((o) => ({ ...o, available: false })),
    };
  });
}

/** Rates by upper bound, each for the part of the amount between its bound and the one before. */
export function bracketed(amount: number, brackets: readonly (readonly [upTo: number, rate: number])[]): number {
  let sum = 0;
  let lower = 0;
  for (const [upTo, rate] of brackets) {
    sum += Math.max(0, Math.min(amount, upTo) - lower) * rate;
    lower = upTo;
  }
  return sum;
}

/** GiB that kubelet reserves on AKS and GKE. */
export const RESERVED_MEMORY = [
  [4, 0.25],
  [8, 0.2],
  [16, 0.1],
  [128, 0.06],
  [Number.POSITIVE_INFINITY, 0.02],
] as const;
