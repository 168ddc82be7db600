import type { ClusterObjects, InstanceType, NodePoolObject } from '../engine/cluster/objects.ts';
import { CAPACITY_TYPE, SPOT } from '../engine/cluster/well-known.ts';
import { fromSelectors, overlapOnSharedKeys } from '../engine/selection/requirements.ts';

/**
 * Why a pool's prices are not acted on: some are assumed; Karpenter's are too old; or its spot prices come from a
 * bundled table and are not current.
 */
export type PriceDoubt = 'assumed' | 'expired' | 'bundled-spot';

const EXPIRE_AFTER_MS = 24 * 3_600_000;

/** Origins of the prices at which a pool's nodes could be launched. */
interface PoolSources {
  readonly assumed: boolean;
  readonly karpenter: boolean;
  readonly bundledSpot: boolean;
}

/** Which pools may be acted on, by their prices. Catalogs and overlays named by the operator never expire. */
export class PriceTrust {
  private readonly allowBundledSpot: boolean;
  private types: readonly InstanceType[] | undefined;
  private sources = new WeakMap<NodePoolObject['requirements'], PoolSources>();

  constructor(allowBundledSpot: boolean) {
    this.allowBundledSpot = allowBundledSpot;
  }

  doubt(pool: NodePoolObject, { instanceTypes, prices, nowMs }: ClusterObjects): PriceDoubt | undefined {
    if (this.types !== instanceTypes) {
      this.types = instanceTypes;
      this.sources = new WeakMap();
    }
    const known = this.sources.get(pool.requirements) ?? sourcesOf(pool, instanceTypes);
    this.sources.set(pool.requirements, known);
    if (known.assumed) return 'assumed';
    if (known.karpenter && prices?.atMs !== undefined && nowMs - prices.atMs > EXPIRE_AFTER_MS) return 'expired';
    return known.bundledSpot && !this.allowBundledSpot ? 'bundled-spot' : undefined;
  }
}

function sourcesOf({ requirements }: NodePoolObject, types: readonly InstanceType[]): PoolSources {
  const wanted = fromSelectors(requirements);
  let [assumed, karpenter, bundledSpot] = [false, false, false];
  for (const type of types) {
    const offerings = type.offerings.filter(
      ({ priceSource }) => priceSource !== undefined && priceSource !== 'overlay',
    );
    if (offerings.length === 0 || !overlapOnSharedKeys(fromSelectors(type.requirements), wanted)) continue;
    for (const { priceSource, requirements: offered } of offerings) {
      if (!overlapOnSharedKeys(fromSelectors(offered), wanted)) continue;
      assumed ||= priceSource === 'assumed';
      karpenter ||= priceSource === 'karpenter';
      bundledSpot ||=
        priceSource === 'bundled' && offered.some((r) => r.key === CAPACITY_TYPE && r.values?.[0] === SPOT);
    }
    if (assumed) break;
  }
  return { assumed, karpenter, bundledSpot };
}

export function priceDoubtInWords(doubt: PriceDoubt): string {
  switch (doubt) {
    case 'assumed':
      return 'some of its prices are assumed: it is only observed';
    case 'expired':
      return "Karpenter's prices are more than a day old: it is only observed";
    case 'bundled-spot':
      return 'its spot prices are those of the bundled table: it is only observed without --allow-bundled-spot';
  }
}
