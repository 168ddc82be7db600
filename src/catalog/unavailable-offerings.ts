import type { InstanceType, NodeSelectorRequirement, Offering } from '../engine/cluster/objects.ts';
import { CAPACITY_TYPE, ZONE } from '../engine/cluster/well-known.ts';
import { reject } from './catalog-error.ts';
import { zonesOf } from './offerings.ts';
import { doesNotExist, isIn, valuesOf } from './requirements.ts';
import { readFields, readList, readText, refuseOtherFields } from './untyped.ts';

const FIELDS = ['instanceType', 'zone', 'capacityType'] as const;

/** Offerings that cannot be launched now; each part may hold `*`. */
export interface UnavailableRule {
  readonly where: string;
  readonly instanceType: RegExp;
  readonly zone: RegExp;
  readonly capacityType: RegExp;
}

export function decodeUnavailable(file: string, document: unknown): UnavailableRule[] {
  return readList(document, `${file}: offerings`).map((entry, i) => {
    const place = `${file}: offerings[${i}]`;
    const [instanceType, zone, capacityType] =
      typeof entry === 'string' ? partsOf(entry, place) : partsOfObject(entry, place);
    return {
      where: typeof entry === 'string' ? `${place} (${entry})` : place,
      instanceType: glob(instanceType),
      zone: glob(zone),
      capacityType: glob(capacityType),
    };
  });
}

function partsOf(text: string, place: string): readonly (string | undefined)[] {
  const parts = text.split('/');
  if (parts.length > 3 || parts.includes(''))
    reject(place, text, 'type, type/zone or type/zone/capacity-type, with * for any');
  return parts;
}

function partsOfObject(entry: unknown, place: string): readonly (string | undefined)[] {
  const fields = readFields(entry, place);
  refuseOtherFields(fields, FIELDS, place);
  return FIELDS.map((field) => {
    const value = fields.get(field);
    return value === undefined && field !== 'instanceType' ? undefined : readText(value, `${place}.${field}`);
  });
}

/** Matches the whole text, where `*` means anything; default: any text. */
function glob(pattern = '*'): RegExp {
  return new RegExp(
    `^${pattern
      .split('*')
      .map((part) => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&'))
      .join('.*')}$`,
  );
}

/** Marks the named offerings as unavailable, also as topology domains; also returns rules that matched nothing. */
export function applyUnavailable(
  types: readonly InstanceType[],
  rules: readonly UnavailableRule[],
): { types: InstanceType[]; unmatched: UnavailableRule[] } {
  const matched = new Set<UnavailableRule>();
  const marked = types.map((type) => {
    const ofType = rules.filter((rule) => rule.instanceType.test(type.name));
    if (ofType.length === 0) return type;
    const offerings = type.offerings.map((offering) => {
      const hits = ofType.filter((rule) => names(rule, offering));
      for (const rule of hits) matched.add(rule);
      return hits.length > 0 ? { ...offering, available: false } : offering;
    });
    return { ...type, requirements: offeredRequirements(type.requirements, offerings), offerings };
  });
  return { types: marked, unmatched: rules.filter((rule) => !matched.has(rule)) };
}

/** Nothing is launched in other zones; nodes that run there keep their prices. */
export function onlyInZones(types: readonly InstanceType[], zones: readonly string[]): InstanceType[] {
  return types.map((type) => {
    const offerings = type.offerings.map((offering) =>
      zonesOf(offering).some((zone) => zones.includes(zone)) ? offering : { ...offering, available: false },
    );
    return { ...type, requirements: offeredRequirements(type.requirements, offerings), offerings };
  });
}

/** As in Karpenter's providers: a type has labels for its available zones and capacity types. */
function offeredRequirements(
  requirements: readonly NodeSelectorRequirement[],
  offerings: readonly Offering[],
): readonly NodeSelectorRequirement[] {
  const open = offerings.filter(({ available }) => available);
  return requirements.map((requirement) => {
    if (requirement.key !== ZONE && requirement.key !== CAPACITY_TYPE) return requirement;
    const values = new Set(open.flatMap((offering) => valuesOf(offering.requirements, requirement.key)));
    return values.size === 0 ? doesNotExist(requirement.key) : isIn(requirement.key, ...values);
  });
}

function names(rule: UnavailableRule, offering: Offering): boolean {
  return (
    valuesOf(offering.requirements, ZONE).some((zone) => rule.zone.test(zone)) &&
    valuesOf(offering.requirements, CAPACITY_TYPE).some((type) => rule.capacityType.test(type))
  );
}
