import { allowsAbsence, oneOf } from '../selection/requirement.ts';
import {
  compatible,
  fromLabels,
  fromSelectors,
  intersectAll,
  NONE_OPEN,
  overlapOnSharedKeys,
  type Requirements,
} from '../selection/requirements.ts';
import { getOrInsert } from './get-or-insert.ts';
import type { NodeOverlayObject } from './node-overlay-object.ts';
import type { ClusterObjects, InstanceType, NodePoolObject, Offering, Resources } from './objects.ts';
import { isSameList } from './same-list.ts';
import { NODE_POOL } from './well-known.ts';

/** The effect of overlays on one type in one pool. */
interface Update {
  /** By offering: the price that applies, and the weight of the last overlay that selected it. */
  readonly prices: Map<Offering, { readonly price: string; weight: number }>;
  readonly capacity: Record<string, number>;
  /** The last overlay with capacity. */
  last: { readonly weight: number; readonly resources: Resources } | undefined;
}

/** Resources that overlays may not change. */
const WELL_KNOWN_RESOURCES = ['cpu', 'memory', 'ephemeral-storage', 'pods'];

/** The types after NodeOverlays, unless these are known to be off. In compat only if they are known to be on. */
export function typesAsPriced(objects: ClusterObjects, compat: boolean): readonly InstanceType[] {
  const { instanceTypes, nodePools, nodeOverlays, options } = objects;
  return (options.nodeOverlays ?? !compat) ? overlaidTypes(instanceTypes, nodePools, nodeOverlays) : instanceTypes;
}

/**
 * The instance types with Karpenter's NodeOverlays applied. If pools see a type differently, it is listed several
 * times, each with a requirement on `karpenter.sh/nodepool`. Returns the same list if no overlay applies.
 *
 * Overlays apply by descending weight, then descending name. The first that selects an offering sets its price. An
 * overlay that sets the same offering or resource as its predecessor with the same weight is in conflict and ignored
 * entirely.
 */
export function overlaidTypes(
  types: readonly InstanceType[],
  pools: readonly NodePoolObject[],
  overlays: readonly NodeOverlayObject[],
): readonly InstanceType[] {
  if (overlays.length === 0) return types;
  const store = storeOf(types, pools, overlays);
  const out = types.flatMap((type) => variantsOf(type, pools, (pool) => store.updateOf(pool, type)));
  return isSameList(out, types) ? types : out;
}

/** NodeOverlays that Karpenter ignores entirely, because of a conflict or an amount that they may not change. */
export function ignoredOverlays(objects: ClusterObjects, compat: boolean): readonly string[] {
  const { instanceTypes, nodePools, nodeOverlays, options } = objects;
  if (nodeOverlays.length === 0 || !(options.nodeOverlays ?? !compat)) return [];
  return storeOf(instanceTypes, nodePools, nodeOverlays).ignored;
}

/** The changes of an offering's price, one for each pool that sees another; undefined: the price stays as it is. */
export function priceChanges(
  types: readonly InstanceType[],
  pools: readonly NodePoolObject[],
  overlays: readonly NodeOverlayObject[],
): (type: InstanceType, offering: Offering) => readonly (string | undefined)[] {
  const store = storeOf(types, pools, overlays);
  return (type, offering) => [
    ...new Set(pools.map(({ name }) => store.updateOf(name, type)?.prices.get(offering)?.price)),
  ];
}

function storeOf(
  types: readonly InstanceType[],
  pools: readonly NodePoolObject[],
  overlays: readonly NodeOverlayObject[],
): OverlayStore {
  const store = new OverlayStore(types, pools);
  const ordered = [...overlays].sort((a, b) => b.weight - a.weight || (a.name > b.name ? -1 : 1));
  for (const overlay of ordered) store.add(overlay);
  return store;
}

class OverlayStore {
  private readonly types: readonly InstanceType[];
  private readonly pools: readonly NodePoolObject[];
  private readonly updates = new Map<string, Map<InstanceType, Update>>();
  private readonly requirementsOf = new Map<InstanceType, Requirements>();
  private readonly ofOffering = new Map<Offering['requirements'], Requirements>();
  readonly ignored: string[] = [];

  constructor(types: readonly InstanceType[], pools: readonly NodePoolObject[]) {
    this.types = types;
    this.pools = pools;
    for (const type of types) this.requirementsOf.set(type, fromSelectors(type.requirements));
  }

  updateOf(pool: string, type: InstanceType): Update | undefined {
    return this.updates.get(pool)?.get(type);
  }

  add(overlay: NodeOverlayObject): void {
    if (!this.isAdded(overlay)) this.ignored.push(overlay.name);
  }

  private isAdded({ requirements, weight, price, capacity }: NodeOverlayObject): boolean {
    if (Object.keys(capacity ?? {}).some((name) => WELL_KNOWN_RESOURCES.includes(name))) return false;
    const wanted = fromSelectors(requirements);
    const selected = this.pools.flatMap((pool) => this.selectedIn(pool, wanted));
    const isInConflict = selected.some(({ pool, type, offerings }) => {
      const known = this.updateOf(pool, type);
      if (known === undefined) return false;
      if (price !== undefined && offerings.some((o) => known.prices.get(o)?.weight === weight)) return true;
      const { last } = known;
      return last?.weight === weight && Object.keys(capacity ?? {}).some((name) => Object.hasOwn(last.resources, name));
    });
    if (isInConflict) return false;
    for (const { pool, type, offerings } of selected) {
      const update = this.updateFor(pool, type);
      if (price !== undefined) {
        for (const offering of offerings) {
          const known = update.prices.get(offering);
          if (known === undefined) update.prices.set(offering, { price, weight });
          else known.weight = weight;
        }
      }
      if (capacity === undefined) continue;
      for (const [name, amount] of Object.entries(capacity))
        if (!Object.hasOwn(update.capacity, name)) update.capacity[name] = amount;
      update.last = { weight, resources: capacity };
    }
    return true;
  }

  private updateFor(pool: string, type: InstanceType): Update {
    const ofPool = getOrInsert(this.updates, pool, () => new Map());
    return getOrInsert(ofPool, type, () => ({ prices: new Map(), capacity: {}, last: undefined }));
  }

  private selectedIn({ name, templateLabels }: NodePoolObject, wanted: Requirements) {
    const own = intersectAll([oneOf(NODE_POOL, [name])], fromLabels(templateLabels).values());
    // Most overlays select other pools, or labels that the pool does not define.
    for (const [key, r] of wanted) {
      const declared = own.get(key);
      if (
        declared !== undefined &&
        !allowsAbsence(r) &&
        !compatible(new Map([[key, declared]]), new Map([[key, r]]), NONE_OPEN)
      )
        return [];
    }
    return this.types.flatMap((type) => {
      const all = intersectAll(own.values(), (this.requirementsOf.get(type) as Requirements).values());
      if (!compatible(all, wanted, NONE_OPEN)) return [];
      const offerings = type.offerings.filter((o) => overlapOnSharedKeys(wanted, this.requirements(o)));
      return offerings.length === 0 ? [] : [{ pool: name, type, offerings }];
    });
  }

  private requirements({ requirements }: Offering): Requirements {
    return getOrInsert(this.ofOffering, requirements, () => fromSelectors(requirements));
  }
}

/** The type, once per variant that pools see. */
function variantsOf(
  type: InstanceType,
  pools: readonly NodePoolObject[],
  updateOf: (pool: string) => Update | undefined,
): readonly InstanceType[] {
  const byText = Map.groupBy(pools, ({ name }) => textOf(type, updateOf(name)));
  if (byText.size === 1) {
    const update = updateOf(pools[0].name);
    return [update === undefined ? type : updated(type, update)];
  }
  return [...byText.values()].map((group) => {
    const update = updateOf(group[0].name);
    const own = update === undefined ? type : updated(type, update);
    const values = group.map(({ name }) => name);
    return { ...own, requirements: [...own.requirements, { key: NODE_POOL, operator: 'In', values }] };
  });
}

/** Equal for equal prices and resources. */
function textOf({ offerings }: InstanceType, update: Update | undefined): string {
  if (update === undefined) return '';
  const prices = offerings.map((o) => update.prices.get(o)?.price ?? null);
  const capacity = Object.entries(update.capacity).sort(([a], [b]) => (a < b ? -1 : 1));
  return prices.every((p) => p === null) && capacity.length === 0 ? '' : JSON.stringify([prices, capacity]);
}

function updated(type: InstanceType, { prices, capacity }: Update): InstanceType {
  return {
    ...type,
    capacity: { ...type.capacity, ...capacity },
    allocatable: { ...type.allocatable, ...capacity },
    offerings: type.offerings.map((o) => {
      const price = prices.get(o)?.price;
      if (price === undefined) return o;
      const changed = { ...o, price: adjustedPrice(o.price, price) };
      return isReplacement(price) ? { ...changed, priceSource: 'overlay' as const } : changed;
    }),
  };
}

/** A price that replaces another, whatever that was. */
function isReplacement(change: string): boolean {
  return !/^[+-]/.test(change);
}

/** The price before a change; undefined if the changed one does not tell. */
export function priceBefore(changed: number, change: string): number | undefined {
  if (isReplacement(change)) return changed;
  if (changed <= 0) return undefined;
  if (!change.endsWith('%')) return changed - Number(change);
  const factor = 1 + Number(change.slice(0, -1)) / 100;
  return factor > 0 ? changed / factor : undefined;
}

function adjustedPrice(base: number, change: string): number {
  if (isReplacement(change)) return Number(change);
  if (!change.endsWith('%')) return Math.max(0, base + Number(change));
  return Math.max(0, base * (1 + Number(change.slice(0, -1)) / 100));
}
