import { amountTexts } from '../engine/cluster/amount-text.ts';
import type { InstanceType, NodeSelectorRequirement, Offering, Resources } from '../engine/cluster/objects.ts';
import { milliValue, wholeValue } from '../engine/cluster/quantity.ts';
import { ARCH, CAPACITY_TYPE, OS, ZONE } from '../engine/cluster/well-known.ts';
import { decodeInstanceTypes, KWOK_CPU, KWOK_LABELS, KWOK_MEMORY } from './kwok-format.ts';
import { valuesOf } from './requirements.ts';

/**
 * `kwok`: offerings as in Karpenter's instance_types.json. `short`: as in a Decant catalog. `snapshot`: as KWOK's, with
 * the origin of each price.
 */
type Style = 'kwok' | 'short' | 'snapshot';

export type KwokEntry = Readonly<Record<string, unknown>>;

/** The entry that `decodeInstanceTypes` reads as this type. Values that the decoder derives itself are left out. */
export function writeInstanceType(type: InstanceType, style: Style = 'kwok'): KwokEntry {
  const { name, capacity, allocatable, requirements, offerings, volumeLimits, spotInterruptionsPerHour } = type;
  const plain = {
    name,
    architecture: valuesOf(requirements, ARCH)[0] ?? '',
    operatingSystems: valuesOf(requirements, OS),
    resources: capacityTexts(type),
    // KWOK's provider adds these to every type; a type without them comes from elsewhere.
    ...(requirements.some(({ key }) => KWOK_LABELS.includes(key)) ? {} : { kwokLabels: false }),
    offerings: offerings.map(style === 'short' ? shortOffering : style === 'kwok' ? kwokOffering : snapshotOffering),
  };
  const [derived] = decodeInstanceTypes(name, [plain]);
  const known = new Set(derived.requirements.map((r) => JSON.stringify(r)));
  const others = requirements.filter((r) => !known.has(JSON.stringify(r)));
  const { offerings: last, ...first } = plain;
  return {
    ...first,
    ...(sameAmounts(derived.allocatable, allocatable) ? {} : { allocatable: allocatableTexts(capacity, allocatable) }),
    ...(others.length === 0 ? {} : { requirements: others }),
    ...(volumeLimits === undefined ? {} : { volumeAttachmentLimits: volumeLimits }),
    ...(spotInterruptionsPerHour === undefined ? {} : { spotInterruptionsPerHour }),
    offerings: last,
  };
}

/** The texts of cpu and memory are labels too: "8G" and "7812500Ki" are equal amounts but different labels. */
function capacityTexts({ capacity, requirements }: InstanceType): Record<string, string> {
  const texts = amountTexts(capacity);
  const [cpu] = valuesOf(requirements, KWOK_CPU);
  const [memory] = valuesOf(requirements, KWOK_MEMORY);
  if (cpu !== undefined && milliValue(cpu) === capacity.cpu) texts.cpu = cpu;
  if (memory !== undefined && wholeValue(memory) === capacity.memory) texts.memory = memory;
  return texts;
}

/** The decoder subtracts huge pages from memory. */
function allocatableTexts(capacity: Resources, allocatable: Resources): Record<string, string> {
  const hugePages = Object.keys(capacity).filter((resource) => resource.startsWith('hugepages-'));
  if (hugePages.length === 0) return amountTexts(allocatable);
  const memory = hugePages.reduce((sum, resource) => sum + capacity[resource], allocatable.memory ?? 0);
  return amountTexts({ ...allocatable, memory });
}

function sameAmounts(a: Resources, b: Resources): boolean {
  const names = Object.keys(a);
  return names.length === Object.keys(b).length && names.every((name) => a[name] === b[name]);
}

function snapshotOffering(offering: Offering): KwokEntry {
  const { priceSource, coveredBy } = offering;
  return {
    ...kwokOffering(offering),
    ...(priceSource === undefined ? {} : { PriceSource: priceSource }),
    ...(coveredBy === undefined ? {} : { CoveredBy: coveredBy }),
  };
}

function kwokOffering({ price, available, requirements, reservationCapacity }: Offering): KwokEntry {
  return {
    Price: price,
    Available: available,
    Requirements: requirements,
    ...(reservationCapacity === 0 ? {} : { ReservationCapacity: reservationCapacity }),
  };
}

function shortOffering({ price, available, requirements, reservationCapacity, coveredBy }: Offering): KwokEntry {
  const short = requirements.filter(isSingleZoneOrCapacityType);
  const others = requirements.filter((r) => !short.includes(r));
  const only = (key: string) => short.find((r) => r.key === key)?.values?.[0];
  return {
    price,
    zone: only(ZONE),
    capacityType: only(CAPACITY_TYPE),
    ...(available ? {} : { available }),
    ...(others.length === 0 ? {} : { requirements: others }),
    ...(reservationCapacity === 0 ? {} : { reservationCapacity }),
    ...(coveredBy === undefined ? {} : { coveredBy }),
  };
}

function isSingleZoneOrCapacityType({ key, operator, values = [] }: NodeSelectorRequirement): boolean {
  return (key === ZONE || key === CAPACITY_TYPE) && operator === 'In' && values.length === 1 && values[0] !== '';
}
