import { type Commitment, commitmentsOf } from '../engine/cluster/commitment.ts';
import type { InstanceType, NodePoolObject, Offering } from '../engine/cluster/objects.ts';
import { CAPACITY_TYPE, ZONE } from '../engine/cluster/well-known.ts';
import { fromSelectors, overlapOnSharedKeys, type Requirements } from '../engine/selection/requirements.ts';
import { fits, type ResourceColumns } from './resource-columns.ts';

interface CheapestOffering {
  readonly price: number;
  readonly allocatable: Float64Array;
}

/** Instance types with current prices and availability. */
export class Offerings {
  private readonly wanted: readonly Requirements[];
  private readonly indexOf: ReadonlyMap<string, number>;
  /** Replaced by a new array on every change; unchanged types stay the same objects. */
  types: readonly InstanceType[];
  readonly commitments: readonly Commitment[];
  private cheapestOf: readonly InstanceType[] | undefined;
  private cheapestList: readonly CheapestOffering[] = [];

  constructor(types: readonly InstanceType[], pools: readonly NodePoolObject[]) {
    this.types = types;
    this.commitments = commitmentsOf(types);
    this.wanted = pools.map((p) => fromSelectors(p.requirements));
    this.indexOf = new Map(types.map((t, i) => [t.name, i]));
  }

  private isWanted({ requirements }: Offering): boolean {
    const offer = fromSelectors(requirements);
    return this.wanted.some((wanted) => overlapOnSharedKeys(offer, wanted));
  }

  /** Some pool can launch a type with this much allocatable below this price. */
  sellsForLess(amounts: Float64Array, price: number, columns: ResourceColumns): boolean {
    for (const type of this.cheapest(columns)) if (type.price < price && fits(amounts, type.allocatable)) return true;
    return false;
  }

  /** The cheapest available offering of each type that some pool can launch. */
  private cheapest(columns: ResourceColumns): readonly CheapestOffering[] {
    if (this.cheapestOf !== this.types) {
      this.cheapestOf = this.types;
      this.cheapestList = this.types.flatMap(({ allocatable, offerings }) => {
        const price = Math.min(...offerings.filter((o) => o.available && this.isWanted(o)).map((o) => o.price));
        return price === Number.POSITIVE_INFINITY ? [] : [{ price, allocatable: columns.amounts(allocatable) }];
      });
    }
    return this.cheapestList;
  }

  priceOf(type: string, zone: string, capacityType: string): number {
    return this.at(type, zone, capacityType)?.price ?? 0;
  }

  at(type: string, zone: string, capacityType: string): Offering | undefined {
    const index = this.indexOf.get(type);
    const offerings = index === undefined ? [] : this.types[index].offerings;
    return offerings.find((o) => isAt(o, zone, capacityType));
  }

  setAvailable(type: string, zone: string, capacityType: string, available: boolean): void {
    this.change(
      (t) => t.name === type,
      (o) => (isAt(o, zone, capacityType) && o.available !== available ? { ...o, available } : o),
    );
  }

  /** Multiplies the prices of these types. */
  reprice(prefix: string, capacityType: string | undefined, factor: number): void {
    this.change(
      (t) => t.name.startsWith(prefix),
      (o) =>
        capacityType === undefined || offeringLabel(o, CAPACITY_TYPE) === capacityType
          ? { ...o, price: o.price * factor }
          : o,
    );
  }

  private change(concerns: (t: InstanceType) => boolean, to: (o: Offering) => Offering): void {
    this.types = this.types.map((t) => (concerns(t) ? { ...t, offerings: t.offerings.map(to) } : t));
  }
}

export function offeringLabel({ requirements }: Offering, key: string): string {
  return requirements.find((r) => r.key === key)?.values?.[0] ?? '';
}

function isAt(o: Offering, zone: string, capacityType: string): boolean {
  return offeringLabel(o, ZONE) === zone && offeringLabel(o, CAPACITY_TYPE) === capacityType;
}
