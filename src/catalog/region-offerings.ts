import type { NodeSelectorRequirement, Offering } from '../engine/cluster/objects.ts';
import type { PriceSource } from '../engine/cluster/price-origin.ts';
import { CAPACITY_TYPE, ON_DEMAND, SPOT, ZONE } from '../engine/cluster/well-known.ts';
import type { RegionTable } from './region-table.ts';
import { doesNotExist, isIn } from './requirements.ts';

/** A zone that nodes can be launched in. */
export interface Zone {
  readonly name: string;
  /** AWS's zone id, such as use1-az4, if the cluster tells it: names map to ids differently per account. */
  readonly id?: string;
  /** Nodes run there, but no NodeClass can launch more. */
  readonly closed?: boolean;
}

/**
 * Local Zones and Wavelength Zones, such as us-west-2-lax-1a, sell few types at prices of their own, which no table has.
 */
export function isEdgeZone(zone: string, region: string): boolean {
  return zone.startsWith(`${region}-`) && zone.length > region.length + 2;
}

/** The offerings of one type, and the zones and capacity types that they are in. */
export interface RegionOffer {
  readonly offerings: readonly Offering[];
  readonly zones: NodeSelectorRequirement;
  readonly capacityTypes: NodeSelectorRequirement;
}

const NOT_SOLD = -1;

/**
 * Offerings by position in the region's table. Requirements are shared by all types: every command runs this, and the
 * engine compares by identity.
 */
export function regionOffers(table: RegionTable, zones: readonly Zone[]): (position: number) => RegionOffer {
  const markets = zones.map((zone) => ({
    ...zone,
    onDemand: [isIn(CAPACITY_TYPE, ON_DEMAND), isIn(ZONE, zone.name)],
    spot: [isIn(CAPACITY_TYPE, SPOT), isIn(ZONE, zone.name)],
    letter: zone.name.slice(table.region.length + 1),
    isEdge: isEdgeZone(zone.name, table.region),
    spotPrices: (zone.id === undefined ? undefined : table.spotByZoneId?.[zone.id]) ?? table.spot,
  }));
  const lists = new Map<string, NodeSelectorRequirement>();
  const shared = (key: string, values: readonly string[]) => {
    const text = `${key} ${values.join()}`;
    const made = lists.get(text) ?? (values.length === 0 ? doesNotExist(key) : isIn(key, ...values));
    lists.set(text, made);
    return made;
  };
  const retired = new Set(table.retired);
  return (position) => {
    const offerings: Offering[] = [];
    const sold: string[] = [];
    const price = table.onDemand[position];
    const soldIn = table.soldIn?.[position] ?? '';
    let asSpot = false;
    const isSold = !retired.has(position);
    for (const { name, letter, isEdge, closed = isEdge, onDemand, spot, spotPrices } of markets) {
      const spotPrice = spotPrices[position];
      if (spotPrice === NOT_SOLD || (soldIn !== '' && !soldIn.includes(letter))) continue;
      const available = isSold && !closed;
      const source = isEdge ? 'assumed' : 'bundled';
      if (!closed) sold.push(name);
      offerings.push(priced(price, source, available, onDemand));
      if (spotPrice > 0) offerings.push(priced(spotPrice, source, available, spot));
      asSpot ||= spotPrice > 0;
    }
    return {
      offerings,
      zones: shared(ZONE, sold),
      capacityTypes: shared(CAPACITY_TYPE, asSpot ? [ON_DEMAND, SPOT] : [ON_DEMAND]),
    };
  };
}

function priced(
  price: number,
  priceSource: PriceSource,
  available: boolean,
  requirements: readonly NodeSelectorRequirement[],
): Offering {
  return { price, priceSource, available, requirements, reservationCapacity: 0 };
}
