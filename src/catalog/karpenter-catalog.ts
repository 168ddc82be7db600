import { priceBefore, priceChanges } from '../engine/cluster/node-overlays.ts';
import type { InstanceType, NodeSelectorRequirement, Offering } from '../engine/cluster/objects.ts';
import type { PriceOrigin, PriceSource } from '../engine/cluster/price-origin.ts';
import { CAPACITY_TYPE, INSTANCE_TYPE, ON_DEMAND, RESERVED, ZONE } from '../engine/cluster/well-known.ts';
import type { ClusterFacts } from './cluster-location.ts';
import { areFallbackPrices, type KarpenterOffering, type KarpenterPrices } from './karpenter-metrics.ts';
import { doesNotExist, isIn } from './requirements.ts';

/** Sizes and labels of the bundled types with offerings from Karpenter's metrics. */
export function withKarpenterPrices(
  types: readonly InstanceType[],
  prices: KarpenterPrices,
): { readonly types: InstanceType[]; readonly origin: PriceOrigin } {
  const isFallback = areFallbackPrices(prices);
  const offered = new KarpenterOfferings(isFallback ? 'assumed' : 'karpenter');
  const known = new Set(types.map(({ name }) => name));
  const priced = types.flatMap((type) => {
    const own = prices.offerings.get(type.name);
    return own === undefined ? [] : [offered.on(type, own)];
  });
  // Nodes of a type that is not bundled have a price; none is launched.
  const unknown = [...prices.offerings].flatMap(([name, own]) =>
    known.has(name)
      ? []
      : [
          offered.on(
            unknownType(name, prices),
            own.map((o) => ({ ...o, available: false })),
          ),
        ],
  );
  const warning =
    'Karpenter reports spot at the on-demand price everywhere: it has no spot prices of this region yet, assumed ones are used';
  return {
    types: [...priced, ...unknown],
    origin: {
      name: 'karpenter',
      atMs: prices.atMs,
      ...(isFallback ? { warnings: [warning] } : {}),
      ...(prices.costByPool.size === 0 ? {} : { dollarsByPool: Object.fromEntries(prices.costByPool) }),
    },
  };
}

function unknownType(name: string, { sizes }: KarpenterPrices): InstanceType {
  const { cpus = 0, memory = 0 } = sizes.get(name) ?? {};
  const capacity = { cpu: cpus * 1000, memory };
  return { name, requirements: [isIn(INSTANCE_TYPE, name)], capacity, allocatable: capacity, offerings: [] };
}

/** Requirements are shared: a region has thousands of offerings of a few dozen kinds. */
class KarpenterOfferings {
  private readonly source: PriceSource;
  private readonly markets = new Map<string, readonly NodeSelectorRequirement[]>();
  private readonly lists = new Map<string, NodeSelectorRequirement>();

  constructor(source: PriceSource) {
    this.source = source;
  }

  on(type: InstanceType, own: readonly KarpenterOffering[]): InstanceType {
    const offerings = own.map((each) => this.offering(each));
    const open = own.filter((_, i) => offerings[i].available);
    return {
      ...type,
      requirements: [
        ...type.requirements.filter(({ key }) => key !== ZONE && key !== CAPACITY_TYPE),
        this.oneOf(
          ZONE,
          open.map(({ zone }) => zone),
        ),
        this.oneOf(
          CAPACITY_TYPE,
          open.map(({ capacityType }) => capacityType),
        ),
      ],
      offerings,
    };
  }

  private offering({ zone, capacityType, price, available }: KarpenterOffering): Offering {
    const key = `${capacityType} ${zone}`;
    const requirements = this.markets.get(key) ?? [isIn(CAPACITY_TYPE, capacityType), isIn(ZONE, zone)];
    this.markets.set(key, requirements);
    // The metrics lack free slots of reservations: none is launched on one that may be full.
    const isOpen = available && capacityType !== RESERVED;
    return { price, priceSource: this.source, available: isOpen, requirements, reservationCapacity: 0 };
  }

  private oneOf(key: string, values: readonly string[]): NodeSelectorRequirement {
    const distinct = [...new Set(values)].sort();
    const text = `${key} ${distinct.join()}`;
    const made = this.lists.get(text) ?? (distinct.length === 0 ? doesNotExist(key) : isIn(key, ...distinct));
    this.lists.set(text, made);
    return made;
  }
}

/**
 * The metrics show prices after the NodeOverlays of the last NodePool, but overlays apply to every pool from the
 * unadjusted price. Where all pools see the same change, the price before it follows from the one after it. Where they
 * differ, it is the list price on demand; for spot it is unknown, and the metrics' price is assumed.
 */
export function withUnadjustedPrices(
  types: readonly InstanceType[],
  listed: readonly InstanceType[],
  { nodePools, nodeOverlays = [] }: Pick<ClusterFacts, 'nodePools' | 'nodeOverlays'>,
): InstanceType[] {
  const listPrices = new Map(listed.map(({ name, offerings }) => [name, offerings.find(isOnDemand)?.price]));
  const changesOf = priceChanges(types, nodePools, nodeOverlays);
  return types.map((type) => {
    const listPrice = listPrices.get(type.name);
    const unadjusted = (offering: Offering): Offering => {
      const changes = changesOf(type, offering);
      const [change] = changes;
      if (changes.length < 2 && change === undefined) return offering;
      const before = changes.length === 1 && change !== undefined ? priceBefore(offering.price, change) : undefined;
      if (before !== undefined) return { ...offering, price: before };
      return isOnDemand(offering) && listPrice !== undefined
        ? { ...offering, price: listPrice, priceSource: 'bundled' }
        : { ...offering, priceSource: 'assumed' };
    };
    return { ...type, offerings: type.offerings.map(unadjusted) };
  });
}

function isOnDemand({ requirements }: Offering): boolean {
  return requirements.some(({ key, values }) => key === CAPACITY_TYPE && values?.[0] === ON_DEMAND);
}
