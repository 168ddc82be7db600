import type { InstanceType, NodePoolObject, Offering } from '../engine/cluster/objects.ts';
import { CAPACITY_TYPE, ZONE } from '../engine/cluster/well-known.ts';
import { fromSelectors, overlapOnSharedKeys, type Requirements } from '../engine/selection/requirements.ts';
import { fits, type ResourceColumns } from './resource-columns.ts';

interface CheapestOffering {
  readonly price: number;
  readonly allocatable: Float64Array;
}

/** What can be bought, at what price, now: the catalog with prices that move and offerings that run out. */
export class OfferingBook {
  private readonly wanted: readonly Requirements[];
  private readonly indexOf: ReadonlyMap<string, number>;
  /** A new array whenever something changed, with the same objects for what did not. */
  types: readonly InstanceType[];
  private cheapestOf: readonly InstanceType[] | undefined;
  private cheapestList: readonly CheapestOffering[] = [];

  constructor(types: readonly InstanceType[], pools: readonly NodePoolObject[]) {
    this.types = types;
    this.wanted = pools.map((p) => fromSelectors(p.requirements));
    this.indexOf = new Map(types.map((t, i) => [t.name, i]));
  }

  private isWanted({ requirements }: Offering): boolean {
    const offer = fromSelectors(requirements);
    return this.wanted.some((wanted) => overlapOnSharedKeys(offer, wanted));
  }

  /** Some pool may buy a node that holds so much for less than this. */
  sellsForLess(amounts: Float64Array, price: number, columns: ResourceColumns): boolean {
    for (const type of this.cheapest(columns)) if (type.price < price && fits(amounts, type.allocatable)) return true;
    return false;
  }

  /** Each type with its cheapest offering that is available and that some pool may buy, if it has one. */
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
    const index = this.indexOf.get(type);
    const offerings = index === undefined ? [] : this.types[index].offerings;
    return offerings.find((o) => isAt(o, zone, capacityType))?.price ?? 0;
  }

  setAvailable(type: string, zone: string, capacityType: string, available: boolean): void {
    this.change(
      (t) => t.name === type,
      (o) => (isAt(o, zone, capacityType) && o.available !== available ? { ...o, available } : o),
    );
  }

  /** Prices of these types times the factor. */
  reprice(prefix: string, capacityType: string | undefined, factor: number): void {
    this.change(
      (t) => t.name.startsWith(prefix),
      (o) =>
        capacityType === undefined || offered(o, CAPACITY_TYPE) === capacityType
          ? { ...o, price: o.price * factor }
          : o,
    );
  }

  private change(concerns: (t: InstanceType) => boolean, to: (o: Offering) => Offering): void {
    this.types = this.types.map((t) => (concerns(t) ? { ...t, offerings: t.offerings.map(to) } : t));
  }
}

export function offered({ requirements }: Offering, key: string): string {
  return requirements.find((r) => r.key === key)?.values?.[0] ?? '';
}

function isAt(o: Offering, zone: string, capacityType: string): boolean {
  return offered(o, ZONE) === zone && offered(o, CAPACITY_TYPE) === capacityType;
}
