import { type Bitset, hasBit, intersects } from '../cluster/bitset.ts';
import { RESERVED } from '../cluster/well-known.ts';
import type { RequirementSpace, RequirementsId } from '../selection/requirement-space.ts';
import { overlapOnSharedKeys } from '../selection/requirements.ts';
import { NO_RESERVATIONS } from './claim.ts';
import type { InstanceTypes } from './instance-types.ts';

interface ReservedOffering {
  readonly type: number;
  readonly kind: number;
  readonly id: string;
  readonly isFull: boolean;
}

/**
 * Capacity reservations: a claim holds a slot of every reservation that it could be launched into, since the final one
 * is not known yet. Losing all of them is allowed in consolidation.
 */
export class Reservations {
  private readonly offerings: ReservedOffering[] = [];
  private readonly free = new Map<string, number>();
  private readonly types: InstanceTypes;
  private readonly space: RequirementSpace;

  private readonly fullReservations: boolean;

  constructor(
    types: InstanceTypes,
    space: RequirementSpace,
    { enabled, fullReservations }: { readonly enabled: boolean; readonly fullReservations: boolean },
  ) {
    this.types = types;
    this.space = space;
    this.fullReservations = fullReservations;
    if (!enabled || !types.kinds.some((k) => k.capacityType === RESERVED)) return;
    for (let type = 0; type < types.count; type++) {
      for (const o of types.offeringsOf(type)) {
        const { capacityType, reservationId: id } = types.kinds[o.kind];
        if (capacityType !== RESERVED) continue;
        // Several offerings may share a reservation; the smallest count is safe.
        this.free.set(id, Math.min(this.free.get(id) ?? Infinity, o.reservationCapacity));
        if (o.available) this.offerings.push({ type, kind: o.kind, id, isFull: o.reservationCapacity === 0 });
      }
    }
  }

  /** All offerings of these types under the requirements are reservations without a free slot. */
  areAllFull(types: Bitset, requirements: RequirementsId): boolean {
    if (!this.fullReservations || this.offerings.length === 0) return false;
    const wanted = this.space.get(requirements);
    const { kinds } = this.types;
    const allowed = kinds.map((kind) => overlapOnSharedKeys(wanted, kind.requirements));
    const own = this.offerings.filter(({ type, kind }) => allowed[kind] && hasBit(types, type));
    if (own.length === 0 || own.some(({ isFull }) => !isFull)) return false;
    return !kinds.some((k, i) => allowed[i] && k.capacityType !== RESERVED && intersects(k.available, types));
  }

  /** Reservations that a claim with these types and requirements could get, given those that it holds. */
  reachable(types: Bitset, requirements: RequirementsId, held: ReadonlySet<string>): ReadonlySet<string> {
    if (this.offerings.length === 0) return NO_RESERVATIONS;
    const wanted = this.space.get(requirements);
    const ids = new Set<string>();
    for (const { type, kind, id } of this.offerings) {
      if (!hasBit(types, type) || !overlapOnSharedKeys(wanted, this.types.kinds[kind].requirements)) continue;
      if (held.has(id) || (this.free.get(id) ?? 0) > 0) ids.add(id);
    }
    return ids;
  }

  exchange(held: ReadonlySet<string>, wanted: ReadonlySet<string>): void {
    if (held === wanted) return;
    for (const id of wanted) if (!held.has(id)) this.free.set(id, (this.free.get(id) ?? 0) - 1);
    for (const id of held) if (!wanted.has(id)) this.free.set(id, (this.free.get(id) ?? 0) + 1);
  }
}
