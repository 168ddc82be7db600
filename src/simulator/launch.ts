import { getOrInsert } from '../engine/cluster/get-or-insert.ts';
import {
  amountOf,
  type InstanceType,
  type NodeSelectorRequirement,
  type Offering,
  type Resources,
} from '../engine/cluster/objects.ts';
import { CAPACITY_TYPE, ON_DEMAND, RESERVED, SPOT, ZONE } from '../engine/cluster/well-known.ts';
import { fromSelectors, overlapOnSharedKeys, type Requirements } from '../engine/selection/requirements.ts';
import { offeringLabel } from './offerings.ts';

/** A NodeClaim to be launched. */
export interface LaunchRequest {
  readonly name: string;
  readonly nodePool: string;
  readonly requirements: readonly NodeSelectorRequirement[];
  /** Requests of the pods meant for it, DaemonSets included. */
  readonly requests: Resources;
}

export interface PricedOffering {
  readonly type: InstanceType;
  readonly zone: string;
  readonly capacityType: string;
  readonly price: number;
}

/** Karpenter's request of preference. */
const CAPACITY_TYPES = [RESERVED, SPOT, ON_DEMAND];

/** All offerings that satisfy the request, best first: by capacity type, price and name. */
export function pricedOfferings(types: readonly InstanceType[], request: LaunchRequest): PricedOffering[] {
  const wanted = fromSelectors(request.requirements);
  const found: PricedOffering[] = [];
  for (const type of types) {
    if (!overlapOnSharedKeys(parsed(type.requirements), wanted) || !holds(type, request.requests)) continue;
    for (const offering of type.offerings) {
      if (!offering.available || !matchesOffering(offering, wanted)) continue;
      const { price } = offering;
      found.push({
        type,
        zone: offeringLabel(offering, ZONE),
        capacityType: offeringLabel(offering, CAPACITY_TYPE),
        price,
      });
    }
  }
  const rank = (p: PricedOffering) => CAPACITY_TYPES.indexOf(p.capacityType);
  return found.sort(
    (a, b) => rank(a) - rank(b) || a.price - b.price || compare(a.type.name, b.type.name) || compare(a.zone, b.zone),
  );
}

function matchesOffering({ requirements }: Offering, wanted: Requirements): boolean {
  return overlapOnSharedKeys(parsed(requirements), wanted);
}

/** Cached, because the catalog is the same at every launch. */
function parsed(selectors: readonly NodeSelectorRequirement[]): Requirements {
  return getOrInsert(PARSED, selectors, () => fromSelectors(selectors));
}

const PARSED = new WeakMap<readonly NodeSelectorRequirement[], Requirements>();

function holds({ allocatable }: InstanceType, requests: Resources): boolean {
  return Object.entries(requests).every(([name, amount]) => amount <= (amountOf(allocatable, name) ?? 0));
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
