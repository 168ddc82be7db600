import { amountOf, type InstanceType, type Offering } from '../engine/cluster/objects.ts';
import { capacityTypesOf, zonesOf } from './offerings.ts';

/** Differences between two catalogs. */
export interface CatalogDifference {
  readonly onlyInA: readonly string[];
  readonly onlyInB: readonly string[];
  readonly offerings: readonly OfferingDifference[];
  readonly allocatable: readonly AllocatableDifference[];
}

/** Dollars per hour; `unavailable` if it cannot be launched now, null if it is not offered. */
export type ComparedPrice = number | 'unavailable' | null;

export interface OfferingDifference {
  readonly instanceType: string;
  readonly capacityType: string;
  /** All zones with the same difference. */
  readonly zones: readonly string[];
  readonly a: ComparedPrice;
  readonly b: ComparedPrice;
}

export interface AllocatableDifference {
  readonly instanceType: string;
  readonly resource: string;
  readonly a: number;
  readonly b: number;
}

export function compareCatalogs(a: readonly InstanceType[], b: readonly InstanceType[]): CatalogDifference {
  const inA = new Set(a.map(({ name }) => name));
  const ofB = new Map(b.map((type) => [type.name, type]));
  const common = a.flatMap((type) => {
    const other = ofB.get(type.name);
    return other === undefined ? [] : [[type, other] as const];
  });
  return {
    onlyInA: a.map(({ name }) => name).filter((name) => !ofB.has(name)),
    onlyInB: b.map(({ name }) => name).filter((name) => !inA.has(name)),
    offerings: common.flatMap(([one, other]) => offeringDifferences(one, other)),
    allocatable: common.flatMap(([one, other]) => allocatableDifferences(one, other)),
  };
}

function offeringDifferences(a: InstanceType, b: InstanceType): OfferingDifference[] {
  const [ofA, ofB] = [quotesOf(a), quotesOf(b)];
  const found = new Map<string, OfferingDifference & { readonly zones: string[] }>();
  for (const [market, { zone, capacityType }] of new Map([...ofA, ...ofB])) {
    const [quoteA, quoteB] = [ofA.get(market)?.quote ?? null, ofB.get(market)?.quote ?? null];
    if (quoteA === quoteB) continue;
    const key = JSON.stringify([capacityType, quoteA, quoteB]);
    const same = found.get(key);
    if (same !== undefined) same.zones.push(zone);
    else found.set(key, { instanceType: a.name, capacityType, zones: [zone], a: quoteA, b: quoteB });
  }
  return [...found.values()];
}

interface Market {
  readonly zone: string;
  readonly capacityType: string;
  readonly quote: ComparedPrice;
}

/** By zone and capacity type; of several offerings, the one that would be launched. */
function quotesOf({ offerings }: InstanceType): Map<string, Market> {
  const markets = new Map<string, Market>();
  for (const offering of offerings) {
    for (const zone of zonesOf(offering)) {
      for (const capacityType of capacityTypesOf(offering)) {
        const key = `${capacityType}\n${zone}`;
        const quote = better(markets.get(key)?.quote, quoteOf(offering));
        markets.set(key, { zone, capacityType, quote });
      }
    }
  }
  return markets;
}

function quoteOf({ available, price }: Offering): number | 'unavailable' {
  return available ? price : 'unavailable';
}

function better(before: ComparedPrice | undefined, quote: number | 'unavailable'): ComparedPrice {
  if (before === undefined || before === null || before === 'unavailable') return quote;
  return quote === 'unavailable' ? before : Math.min(before, quote);
}

function allocatableDifferences(a: InstanceType, b: InstanceType): AllocatableDifference[] {
  const resources = new Set([...Object.keys(a.allocatable), ...Object.keys(b.allocatable)]);
  return [...resources].flatMap((resource) => {
    const [ofA, ofB] = [amountOf(a.allocatable, resource) ?? 0, amountOf(b.allocatable, resource) ?? 0];
    return ofA === ofB ? [] : [{ instanceType: a.name, resource, a: ofA, b: ofB }];
  });
}
