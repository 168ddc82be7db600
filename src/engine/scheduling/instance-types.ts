import { addBit, type Bitset, bitset, fullBitset, intersectInto, lowestBit, uniteInto } from '../cluster/bitset.ts';
import { type Commitment, type CoveredBy, commitmentsOf, NOT_COVERED } from '../cluster/commitment.ts';
import { getOrInsert } from '../cluster/get-or-insert.ts';
import { type Quote, quoteOf } from '../cluster/node-price.ts';
import { amountOf, type InstanceType, type Labels, type NodeSelectorRequirement } from '../cluster/objects.ts';
import type { RequestTable } from '../cluster/request-table.ts';
import {
  canonicalLabel,
  INSTANCE_TYPE,
  NODE_POOL,
  ON_DEMAND,
  RESERVED,
  SPOT,
  WELL_KNOWN_LABELS,
} from '../cluster/well-known.ts';
import type { KarpenterRelease } from '../karpenter-release.ts';
import {
  admits,
  allowsAbsence,
  fromSelector,
  intersection,
  overlaps,
  type Requirement,
} from '../selection/requirement.ts';
import type { RequirementSpace, RequirementsId } from '../selection/requirement-space.ts';
import { overlapOnSharedKeys, type Requirements } from '../selection/requirements.ts';
import { DistinctValues, type NumberedValues, numbered } from './distinct-values.ts';
import { FitIndex, neverNegative } from './fit-index.ts';
import { LaunchLists } from './launch-lists.ts';
import { type CompiledOffering, compileOfferings, type OfferingKind } from './offerings.ts';

/** Types with the same requirement on one label. */
interface Variant {
  readonly requirement: Requirement;
  readonly types: Bitset;
}

export interface Prices {
  /** Price of the cheapest available and allowed offering, Infinity for none. Types are ordered by it. */
  readonly cheapest: Float64Array;
  /** All types, cheapest first; equal prices by name. */
  readonly order: Int32Array;
  /** Price of a launch in the worst case: the most expensive offering of the capacity type that it would get. */
  readonly worst: Float64Array;
  /** By type: what pays for the cheapest offering, and for each that a launch may get; absent without commitments. */
  readonly coveredBy?: { readonly cheapest: readonly CoveredBy[]; readonly worst: readonly CoveredBy[] };
}

interface TypeSettings extends Pick<KarpenterRelease, 'narrowedMinValues' | 'fullReservations' | 'volumeLimits'> {
  /** Dollars per hour of every node besides its price. */
  readonly surcharge?: number;
  /** Stock Karpenter knows nothing of them. */
  readonly ignoresCommitments?: boolean;
}

/** Well-known keys, including those of the catalog's labels and offerings. */
export function openLabels(types: readonly InstanceType[]): ReadonlySet<string> {
  const open = new Set<string>(WELL_KNOWN_LABELS);
  const seen = new Set<readonly NodeSelectorRequirement[]>();
  const addAll = (list: readonly NodeSelectorRequirement[]) => {
    if (seen.has(list)) return;
    seen.add(list);
    for (const r of list) open.add(canonicalLabel(r.key));
  };
  for (const type of types) {
    addAll(type.requirements);
    for (const offering of type.offerings) addAll(offering.requirements);
  }
  return open;
}

/** The catalog, compiled so that queries over all types are a few word operations. */
export class InstanceTypes {
  readonly list: readonly InstanceType[];
  readonly count: number;
  readonly all: Bitset;
  /** Types without negative allocatable amounts. */
  readonly sound: Bitset;
  readonly kinds: readonly OfferingKind[];
  readonly fit: readonly FitIndex[];
  /** Several entries if NodeOverlays make a type differ between pools. */
  private readonly indexByName = new Map<string, number[]>();
  /** All types in the order of their names. */
  private readonly byName: Int32Array;
  private readonly offerings: readonly (readonly CompiledOffering[])[];
  private readonly space: RequirementSpace;
  /** Savings plans and reservations that pay for some of the types. */
  readonly commitments: readonly Commitment[];
  readonly surcharge: number;
  private readonly variantsByKey = new Map<string, readonly Variant[]>();
  private readonly valuesByKey = new Map<string, NumberedValues>();
  private readonly overlapping = new Map<RequirementsId, Bitset>();
  private readonly launchableById = new Map<RequirementsId, Bitset>();
  private readonly pricesById = new Map<RequirementsId, Prices>();
  private readonly narrowedMinValues: boolean;
  private readonly fullReservations: boolean;
  readonly launchLists = new LaunchLists(this);
  /** By CSI driver: volumes that each type can attach, Infinity without a limit. */
  readonly volumeLimits: ReadonlyMap<string, Float64Array>;

  constructor(
    list: readonly InstanceType[],
    space: RequirementSpace,
    requests: RequestTable,
    { surcharge = 0, ignoresCommitments, narrowedMinValues, fullReservations, volumeLimits }: TypeSettings,
  ) {
    this.list = list;
    this.count = list.length;
    this.space = space;
    this.surcharge = surcharge;
    this.commitments = ignoresCommitments === true ? [] : commitmentsOf(list);
    this.all = fullBitset(list.length);
    this.sound = neverNegative(list.map((t) => t.allocatable));
    for (let i = 0; i < list.length; i++) {
      getOrInsert(this.indexByName, list[i].name, () => []).push(i);
    }
    this.byName = Int32Array.from(list.keys()).sort((a, b) => (list[a].name < list[b].name ? -1 : 1));
    const offerings = compileOfferings(list, surcharge);
    this.kinds = offerings.kinds;
    this.offerings = offerings.byType;
    this.narrowedMinValues = narrowedMinValues;
    this.fullReservations = fullReservations;
    this.volumeLimits = volumeLimits ? limitsByDriver(list) : new Map();
    this.fit = Array.from(
      requests.dimensions.keys(),
      (name) => new FitIndex(Float64Array.from(list, (t) => amountOf(t.allocatable, name) ?? 0)),
    );
  }

  /** The type of a node with these labels. */
  ofNode(labels: Labels): number | undefined {
    const same = this.indexByName.get(labels[INSTANCE_TYPE] ?? '');
    if (same === undefined || same.length === 1) return same?.[0];
    const pool = labels[NODE_POOL] ?? '';
    return same.find((i) => this.list[i].requirements.some((r) => r.key === NODE_POOL && r.values?.includes(pool)));
  }

  /** All variants of this type. */
  ofSameName(type: number): readonly number[] {
    return this.indexByName.get(this.list[type]?.name ?? '') ?? [];
  }

  offeringsOf(type: number): readonly CompiledOffering[] {
    return this.offerings[type];
  }

  /** The price of a running node of this type, available or not; undefined if unknown. */
  priceOf(type: number, zone: string, capacityType: string): number | undefined {
    const found = this.offerings[type].find(
      (o) => this.kinds[o.kind].zone === zone && this.kinds[o.kind].capacityType === capacityType,
    );
    return found === undefined || Number.isNaN(found.price) ? undefined : found.price;
  }

  /** The price of a running node with these labels and its source; undefined if unknown. */
  quote(labels: Labels): Quote | undefined {
    const type = this.ofNode(labels);
    const quote = type === undefined ? undefined : quoteOf(this.list[type], labels);
    return quote === undefined ? undefined : { ...quote, price: quote.price + this.surcharge };
  }

  /** A node of this price as spend: no commitment pays for the surcharge. */
  spend(price: number, coveredBy = NOT_COVERED): readonly (readonly [CoveredBy, number])[] {
    if (!(price > 0)) return [];
    return [
      [coveredBy, price - this.surcharge],
      [NOT_COVERED, this.surcharge],
    ];
  }

  /** Requirements of types on one label, grouped. */
  variants(key: string): readonly Variant[] {
    return getOrInsert(this.variantsByKey, key, () => groupByRequirement(this.list, key));
  }

  /** Types whose labels do not contradict the requirements; missing labels do not matter. */
  overlappingWith(id: RequirementsId): Bitset {
    let found = this.overlapping.get(id);
    if (found === undefined) {
      found = this.all.slice();
      for (const r of this.space.get(id).values()) {
        for (const variant of this.variants(r.key)) {
          const agree = overlaps(variant.requirement, r) || (allowsAbsence(variant.requirement) && allowsAbsence(r));
          if (!agree) for (let w = 0; w < found.length; w++) found[w] &= ~variant.types[w];
        }
      }
      this.overlapping.set(id, found);
    }
    return found;
  }

  /** Types that could be launched under these requirements: matching labels and an available offering. */
  launchable(id: RequirementsId): Bitset {
    let found = this.launchableById.get(id);
    if (found === undefined) {
      found = this.offered(id);
      intersectInto(found, this.overlappingWith(id));
      this.launchableById.set(id, found);
    }
    return found;
  }

  private offered(id: RequirementsId): Bitset {
    const set = bitset(this.count);
    const requirements = this.space.get(id);
    for (const kind of this.kinds)
      if (overlapOnSharedKeys(requirements, kind.requirements)) uniteInto(set, kind.available);
    return set;
  }

  /** Types with an available offering that these requirements allow, ignoring labels. */
  withOffering(id: RequirementsId): Bitset {
    return this.offered(id);
  }

  prices(id: RequirementsId): Prices {
    let found = this.pricesById.get(id);
    if (found === undefined) {
      found = this.price(this.space.get(id));
      this.pricesById.set(id, found);
    }
    return found;
  }

  private price(requirements: Requirements): Prices {
    const allowed = this.kinds.map((kind) => overlapOnSharedKeys(requirements, kind.requirements));
    const rank = this.kinds.map((kind) => LAUNCH_ORDER.indexOf(kind.capacityType));
    const cheapest = new Float64Array(this.count).fill(Infinity);
    const worst = new Float64Array(this.count).fill(Infinity);
    for (let t = 0; t < this.count; t++) {
      let best = LAUNCH_ORDER.length;
      for (const o of this.offerings[t]) {
        if (!this.isLaunchable(o) || !allowed[o.kind]) continue;
        if (o.price < cheapest[t]) cheapest[t] = o.price;
        const r = rank[o.kind];
        if (r < 0) continue;
        if (r < best) {
          best = r;
          worst[t] = o.price;
        } else if (r === best && o.price > worst[t]) {
          worst[t] = o.price;
        }
      }
    }
    const order = this.byName.slice().sort((a, b) => cheapest[a] - cheapest[b] || 0);
    const prices = { cheapest, worst, order };
    return this.commitments.length === 0 ? prices : { ...prices, coveredBy: this.covered(allowed, rank) };
  }

  private covered(allowed: readonly boolean[], rank: readonly number[]): NonNullable<Prices['coveredBy']> {
    const cheapest: CoveredBy[] = [];
    const worst: CoveredBy[] = [];
    for (const offerings of this.offerings) {
      const open = offerings.filter((o) => this.isLaunchable(o) && allowed[o.kind]);
      const first = open.reduce<CompiledOffering | undefined>((a, o) => (a && a.price <= o.price ? a : o), undefined);
      cheapest.push(first?.coveredBy ?? NOT_COVERED);
      const best = Math.min(...open.map(({ kind }) => rank[kind]).filter((r) => r >= 0));
      const lists = new Set(open.filter(({ kind }) => rank[kind] === best).map((o) => o.coveredBy));
      // Where zones differ, nothing is certain to be paid for.
      const [list = NOT_COVERED] = lists.size === 1 ? lists : [];
      worst.push(list);
    }
    return { cheapest, worst };
  }

  /** Available, and not a reservation without a free slot. */
  private isLaunchable({ available, kind, reservationCapacity }: CompiledOffering): boolean {
    if (!available || !this.fullReservations) return available;
    return this.kinds[kind].capacityType !== RESERVED || reservationCapacity > 0;
  }

  /** The kind of the cheapest available allowed offering; the first of the list if there is none. */
  cheapestOffering(type: number, id: RequirementsId): number {
    const requirements = this.space.get(id);
    let best: CompiledOffering | undefined;
    for (const o of this.offerings[type]) {
      if (!this.isLaunchable(o) || !overlapOnSharedKeys(requirements, this.kinds[o.kind].requirements)) continue;
      if (best === undefined || o.price < best.price) best = o;
    }
    return (best ?? this.offerings[type][0]).kind;
  }

  /** The cheapest offering that matches these labels, available or not. */
  cheapestMatching(type: number, labels: Requirements): number | undefined {
    let price: number | undefined;
    for (const o of this.offerings[type]) {
      if (overlapOnSharedKeys(labels, this.kinds[o.kind].requirements) && (price === undefined || o.price < price))
        price = o.price;
    }
    return price;
  }

  /** Distinct values that the types of a set offer for the requirement's label. */
  valuesAmong(types: Bitset, requirement: Requirement): number {
    const values = this.distinctValues(requirement);
    for (let w = 0; w < types.length; w++) {
      for (let word = types[w]; word !== 0; word &= word - 1) values.add((w << 5) + lowestBit(word));
    }
    return values.count;
  }

  /** How many types from the front of the list satisfy every minValues; undefined if none do. */
  prefixMeetingMinValues(order: readonly number[], requirements: Requirements): number | undefined {
    let longest = 0;
    for (const requirement of requirements.values()) {
      const { minValues } = requirement;
      if (minValues === undefined) continue;
      const values = this.distinctValues(requirement);
      let taken = 0;
      while (taken < order.length && (taken === 0 || values.count < minValues)) values.add(order[taken++]);
      if (values.count < minValues) return order.length === 0 ? 0 : undefined;
      longest = Math.max(longest, taken);
    }
    return order.length === 0 ? 0 : Math.max(longest, 1);
  }

  private distinctValues(requirement: Requirement): DistinctValues {
    const values = this.valuesOf(requirement.key);
    return new DistinctValues(values, this.narrowedMinValues ? (value) => admits(requirement, value) : undefined);
  }

  private valuesOf(key: string): NumberedValues {
    return getOrInsert(this.valuesByKey, key, () => numbered(this.variants(key), this.count));
  }
}

function limitsByDriver(list: readonly InstanceType[]): ReadonlyMap<string, Float64Array> {
  const limits = new Map<string, Float64Array>();
  for (const [type, { volumeLimits = {} }] of list.entries()) {
    for (const [driver, limit] of Object.entries(volumeLimits)) {
      const own = getOrInsert(limits, driver, () => new Float64Array(list.length).fill(Infinity));
      own[type] = limit;
    }
  }
  return limits;
}

/** The capacity type of a launch: the first allowed one with an offering. */
const LAUNCH_ORDER: readonly string[] = [RESERVED, SPOT, ON_DEMAND];

function groupByRequirement(list: readonly InstanceType[], key: string): readonly Variant[] {
  const groups = new Map<string, Variant>();
  for (let i = 0; i < list.length; i++) {
    let found: Requirement | undefined;
    let text = '';
    for (const r of list[i].requirements) {
      if (r.key !== key && canonicalLabel(r.key) !== key) continue;
      text += `${r.operator} ${r.values?.join(',') ?? ''};`;
      const own = fromSelector(r);
      found = found === undefined ? own : intersection(own, found);
    }
    if (found === undefined) continue;
    const group = getOrInsert(groups, text, () => ({ requirement: found, types: bitset(list.length) }));
    addBit(group.types, i);
  }
  return [...groups.values()];
}
