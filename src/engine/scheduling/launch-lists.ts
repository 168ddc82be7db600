import { addBit, type Bitset, bitset, hasBit } from '../cluster/bitset.ts';
import { getOrInsert } from '../cluster/get-or-insert.ts';
import type { RequirementsId } from '../selection/requirement-space.ts';
import type { InstanceTypes } from './instance-types.ts';

/** What claims with the same requirements and types may be launched as. */
export interface LaunchList {
  /** Indices into the catalog, cheapest first. */
  readonly types: readonly number[];
  /** The lowest worst-case price. */
  readonly least: number;
}

/** Limit on types of a claim, which a launch can list. */
const MAX_TYPES = 600;
/** Cached lists. */
const REMEMBERED = 4096;

interface Known {
  readonly requirements: RequirementsId;
  readonly types: Bitset;
  readonly list: LaunchList;
}

/** The types of a launch by price, cached because a search repeats the same queries. */
export class LaunchLists {
  private readonly catalog: InstanceTypes;
  private readonly known = new Map<number, Known[]>();
  private remembered = 0;
  private readonly cheaper = new Map<RequirementsId, Map<number, Bitset>>();
  private readonly reordered = new WeakMap<LaunchList, Map<RequirementsId, readonly number[]>>();

  constructor(catalog: InstanceTypes) {
    this.catalog = catalog;
  }

  of(requirements: RequirementsId, types: Bitset): LaunchList {
    let hash = requirements;
    for (let w = 0; w < types.length; w++) hash = (Math.imul(hash, 31) + types[w]) | 0;
    const alike = this.known.get(hash);
    if (alike !== undefined)
      for (const k of alike) if (k.requirements === requirements && areEqual(k.types, types)) return k.list;
    const list = this.make(requirements, types);
    this.remember(hash, { requirements, types: types.slice(), list });
    return list;
  }

  /** Those of the list that can be launched under these requirements, ordered by their prices. */
  reorder(list: LaunchList, requirements: RequirementsId): readonly number[] {
    const own = getOrInsert(this.reordered, list, () => new Map());
    let types = own.get(requirements);
    if (types === undefined) {
      const { cheapest } = this.catalog.prices(requirements);
      types = list.types.filter((t) => cheapest[t] !== Infinity).sort((a, b) => cheapest[a] - cheapest[b]);
      own.set(requirements, types);
    }
    return types;
  }

  /** Types with an allowed offering below this price. */
  cheaperThan(requirements: RequirementsId, price: number): Bitset {
    const byPrice = getOrInsert(this.cheaper, requirements, () => new Map());
    let found = byPrice.get(price);
    if (found === undefined) {
      const { cheapest, order } = this.catalog.prices(requirements);
      found = bitset(this.catalog.count);
      for (let i = 0; i < order.length && cheapest[order[i]] < price; i++) addBit(found, order[i]);
      byPrice.set(price, found);
    }
    return found;
  }

  private make(requirements: RequirementsId, types: Bitset): LaunchList {
    const { order, worst } = this.catalog.prices(requirements);
    const sent: number[] = [];
    let least = Infinity;
    for (const type of order) {
      if (!hasBit(types, type)) continue;
      sent.push(type);
      least = Math.min(least, worst[type]);
      if (sent.length === MAX_TYPES) break;
    }
    return { types: sent, least };
  }

  private remember(hash: number, known: Known): void {
    if (this.remembered === REMEMBERED) {
      this.known.clear();
      this.remembered = 0;
    }
    this.remembered++;
    getOrInsert(this.known, hash, () => []).push(known);
  }
}

function areEqual(a: Bitset, b: Bitset): boolean {
  for (let w = 0; w < a.length; w++) if (a[w] !== b[w]) return false;
  return true;
}
