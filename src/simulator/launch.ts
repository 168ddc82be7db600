import {
  amountOf,
  type InstanceType,
  type NodeSelectorRequirement,
  type Offering,
  type Resources,
} from '../engine/cluster/objects.ts';
import { CAPACITY_TYPE, ON_DEMAND, RESERVED, SPOT, ZONE } from '../engine/cluster/well-known.ts';
import { fromSelectors, overlapOnSharedKeys, type Requirements } from '../engine/selection/requirements.ts';
import { offered } from './offering-book.ts';

/** A NodeClaim to be launched. */
export interface LaunchOrder {
  readonly name: string;
  readonly nodePool: string;
  readonly requirements: readonly NodeSelectorRequirement[];
  /** What is meant to run on it, DaemonSets included. */
  readonly requests: Resources;
}

export interface Purchase {
  readonly type: InstanceType;
  readonly zone: string;
  readonly capacityType: string;
  readonly price: number;
}

/** Where several would do, Karpenter takes them in this order. */
const CAPACITY_TYPES = [RESERVED, SPOT, ON_DEMAND];

/** All purchases that meet the order, best first: by capacity type, then price, then name. */
export function purchases(types: readonly InstanceType[], order: LaunchOrder): Purchase[] {
  const wanted = fromSelectors(order.requirements);
  const found: Purchase[] = [];
  for (const type of types) {
    if (!overlapOnSharedKeys(parsed(type.requirements), wanted) || !holds(type, order.requests)) continue;
    for (const offering of type.offerings) {
      if (!offering.available || !isOffered(offering, wanted)) continue;
      const { price } = offering;
      found.push({ type, zone: offered(offering, ZONE), capacityType: offered(offering, CAPACITY_TYPE), price });
    }
  }
  const rank = (p: Purchase) => CAPACITY_TYPES.indexOf(p.capacityType);
  return found.sort(
    (a, b) => rank(a) - rank(b) || a.price - b.price || compare(a.type.name, b.type.name) || compare(a.zone, b.zone),
  );
}

function isOffered({ requirements }: Offering, wanted: Requirements): boolean {
  return overlapOnSharedKeys(parsed(requirements), wanted);
}

/** Of what is for sale, which is the same at every launch. */
function parsed(selectors: readonly NodeSelectorRequirement[]): Requirements {
  let known = PARSED.get(selectors);
  if (known === undefined) {
    known = fromSelectors(selectors);
    PARSED.set(selectors, known);
  }
  return known;
}

const PARSED = new WeakMap<readonly NodeSelectorRequirement[], Requirements>();

function holds({ allocatable }: InstanceType, requests: Resources): boolean {
  return Object.entries(requests).every(([name, amount]) => amount <= (amountOf(allocatable, name) ?? 0));
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
