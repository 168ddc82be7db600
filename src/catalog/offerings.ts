import type { InstanceType, NodeSelectorRequirement, Offering } from '../engine/cluster/objects.ts';
import { ARCH, CAPACITY_TYPE, ZONE } from '../engine/cluster/well-known.ts';
import { valuesOf } from './requirements.ts';

const FAMILIES = ['karpenter.k8s.aws/instance-family', 'karpenter.kwok.sh/instance-family'];

export function zonesOf(offering: Offering): readonly string[] {
  return valuesOf(offering.requirements, ZONE);
}

/** Zones of all offerings, sorted. */
export function zonesIn(types: readonly InstanceType[]): readonly string[] {
  return [...new Set(types.flatMap(({ offerings }) => offerings.flatMap(zonesOf)))].sort();
}

export function capacityTypesOf(offering: Offering): readonly string[] {
  return valuesOf(offering.requirements, CAPACITY_TYPE);
}

export function archOf({ requirements }: InstanceType): string {
  return valuesOf(requirements, ARCH)[0] ?? '';
}

/** By the provider's label; '' if it has none. */
export function familyOf({ requirements }: InstanceType): string {
  return FAMILIES.flatMap((key) => valuesOf(requirements, key))[0] ?? '';
}

/** Dollars per hour of the cheapest available offering, of any capacity type by default. */
export function cheapestPrice({ offerings }: InstanceType, capacityType?: string): number | undefined {
  let cheapest: number | undefined;
  for (const offering of offerings) {
    if (!offering.available || (cheapest !== undefined && offering.price >= cheapest)) continue;
    if (capacityType === undefined || capacityTypesOf(offering).includes(capacityType)) cheapest = offering.price;
  }
  return cheapest;
}

/** Labels of the type as text, without zones and capacity types, which belong to offerings. */
export function labelTexts({ requirements }: InstanceType): string[] {
  return requirements.filter(({ key }) => key !== ZONE && key !== CAPACITY_TYPE).flatMap(labelText);
}

function labelText({ key, operator, values = [] }: NodeSelectorRequirement): string[] {
  if (operator === 'DoesNotExist') return [];
  return [operator === 'In' ? `${key}=${values.join(',')}` : `${key} ${operator} ${values.join(',')}`.trimEnd()];
}
