import type { NodeSelectorRequirement, Offering } from '../engine/cluster/objects.ts';
import type { PriceSource } from '../engine/cluster/price-origin.ts';
import { CAPACITY_TYPE, ZONE } from '../engine/cluster/well-known.ts';
import { reject } from './catalog-error.ts';
import { readCoveredBy } from './commitments.ts';
import { isIn, mergeByKey, readRequirements } from './requirements.ts';
import type { SharedValues } from './shared-values.ts';
import { isRecord, readText } from './untyped.ts';

const FIELDS = [
  ...(['price', 'available', 'requirements', 'reservationCapacity'] as const),
  ...(['priceSource', 'coveredBy', 'zone', 'capacityType'] as const),
];
type RawOffering = Partial<Record<(typeof FIELDS)[number], unknown>>;

/** The spelling of KWOK's files, and lower case for the others. */
const FIELD_OF_KEY = new Map(
  FIELDS.flatMap((field) => [
    [`${field[0].toUpperCase()}${field.slice(1)}`, field],
    [field.toLowerCase(), field],
  ]),
);

/** Higher prices would make sums of many nodes imprecise. */
const MAX_PRICE = 1_000_000;

const PRICE_SOURCES: readonly PriceSource[] = ['karpenter', 'bundled', 'overlay', 'assumed'];

function isPriceSource(value: unknown): value is PriceSource {
  return PRICE_SOURCES.some((source) => source === value);
}

export function decodeOffering(value: unknown, where: string, shared: SharedValues): Offering {
  const raw = rawOffering(value, where);
  const { price, available = true, reservationCapacity = 0 } = raw;
  if (typeof price !== 'number' || !Number.isFinite(price) || price < 0) {
    return reject(`${where}.price`, price, 'a number of dollars per hour, 0 or more');
  }
  if (price > MAX_PRICE) return reject(`${where}.price`, price, `at most ${MAX_PRICE} dollars per hour`);
  if (typeof available !== 'boolean') return reject(`${where}.available`, available, 'true or false');
  if (typeof reservationCapacity !== 'number' || !Number.isInteger(reservationCapacity) || reservationCapacity < 0) {
    return reject(`${where}.reservationCapacity`, reservationCapacity, 'a whole number, 0 or more');
  }
  const requirements = shared.list([raw.requirements, raw.zone, raw.capacityType], `${where}.requirements`, () =>
    requirementsOf(raw, where),
  );
  const { priceSource } = raw;
  if (priceSource !== undefined && !isPriceSource(priceSource))
    return reject(`${where}.priceSource`, priceSource, PRICE_SOURCES.join(', '));
  const offering = { price, available, requirements, reservationCapacity };
  const coveredBy = raw.coveredBy === undefined ? undefined : readCoveredBy(raw.coveredBy, `${where}.coveredBy`);
  return {
    ...offering,
    ...(priceSource === undefined ? {} : { priceSource }),
    ...(coveredBy === undefined ? {} : { coveredBy }),
  };
}

/**
 * Finds fields like Go's encoding/json: `Price`, `price` and `PRICE` are one, and null means absent. One scan without
 * copies, because every command reads thousands of offerings.
 */
function rawOffering(value: unknown, where: string): RawOffering {
  if (!isRecord(value)) return reject(where, value, 'an object');
  const raw: RawOffering = {};
  for (const key in value) {
    const field = FIELD_OF_KEY.get(key) ?? FIELD_OF_KEY.get(key.toLowerCase());
    if (field !== undefined) raw[field] = value[key] ?? undefined;
  }
  return raw;
}

function requirementsOf(raw: RawOffering, where: string): readonly NodeSelectorRequirement[] {
  const given = readRequirements(raw.requirements ?? [], `${where}.requirements`);
  const zone = readText(raw.zone ?? '', `${where}.zone`);
  if (zone !== '') given.push(isIn(ZONE, zone));
  const capacityType = readText(raw.capacityType ?? '', `${where}.capacityType`);
  if (capacityType !== '') given.push(isIn(CAPACITY_TYPE, capacityType));
  if (!given.some((r) => r.key === ZONE))
    reject(`${where}.zone`, undefined, `a zone, here or as ${ZONE} in requirements`);
  if (!given.some((r) => r.key === CAPACITY_TYPE)) {
    reject(`${where}.capacityType`, undefined, `a capacity type, here or as ${CAPACITY_TYPE} in requirements`);
  }
  return mergeByKey(given);
}
