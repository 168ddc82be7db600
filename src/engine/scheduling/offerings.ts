import { addBit, type Bitset, bitset } from '../cluster/bitset.ts';
import type { CoveredBy } from '../cluster/commitment.ts';
import type { InstanceType, NodeSelectorRequirement } from '../cluster/objects.ts';
import { CAPACITY_TYPE, RESERVATION_ID, ZONE } from '../cluster/well-known.ts';
import { fromSelectors, type Requirements } from '../selection/requirements.ts';

/** Offerings that differ only in type and price: mostly a zone and a capacity type. */
export interface OfferingKind {
  readonly requirements: Requirements;
  readonly zone: string;
  readonly capacityType: string;
  readonly reservationId: string;
  /** Types with an available offering of this kind. */
  readonly available: Bitset;
}

export interface CompiledOffering {
  readonly kind: number;
  readonly price: number;
  readonly available: boolean;
  readonly reservationCapacity: number;
  readonly coveredBy: CoveredBy | undefined;
}

export function compileOfferings(
  list: readonly InstanceType[],
  surcharge: number,
): { kinds: OfferingKind[]; byType: CompiledOffering[][] } {
  const kinds: OfferingKind[] = [];
  const byList = new Map<readonly NodeSelectorRequirement[], number>();
  const byText = new Map<string, number>();
  const kindOf = (requirements: readonly NodeSelectorRequirement[]): number => {
    let kind = byList.get(requirements);
    if (kind !== undefined) return kind;
    const text = JSON.stringify(requirements);
    kind = byText.get(text);
    if (kind === undefined) {
      const compiled = fromSelectors(requirements);
      const value = (key: string) => compiled.get(key)?.values.values().next().value ?? '';
      kind =
        kinds.push({
          requirements: compiled,
          zone: value(ZONE),
          capacityType: value(CAPACITY_TYPE),
          reservationId: value(RESERVATION_ID),
          available: bitset(list.length),
        }) - 1;
      byText.set(text, kind);
    }
    byList.set(requirements, kind);
    return kind;
  };
  const byType = list.map((type, i) =>
    type.offerings.map((o) => {
      const kind = kindOf(o.requirements);
      if (o.available) addBit(kinds[kind].available, i);
      const { available, reservationCapacity, coveredBy } = o;
      return { kind, price: o.price + surcharge, available, reservationCapacity, coveredBy };
    }),
  );
  return { kinds, byType };
}
