import { withSharedCommitments } from '../engine/cluster/commitment.ts';
import {
  amountOf,
  type InstanceType,
  type NodeSelectorRequirement,
  type Offering,
  type Resources,
} from '../engine/cluster/objects.ts';
import { ARCH, CAPACITY_TYPE, INSTANCE_TYPE, OS, ZONE } from '../engine/cluster/well-known.ts';
import { reject } from './catalog-error.ts';
import { decodeOffering } from './kwok-offering.ts';
import { isIn, mergeByKey, readRequirements, valuesOf } from './requirements.ts';
import { type Quantity, SharedValues } from './shared-values.ts';
import { isRecord, readFieldsOfAnyCase, readList, readText } from './untyped.ts';

/** What KWOK's provider reserves on a node if the entry has no allocatable. */
const WITHHELD: Resources = { cpu: 100, memory: 10 * 2 ** 20 };
const DEFAULT_PODS = 110;
const FAMILY_AND_SIZE = /^([^.-]+)[.-](.+)$/;

const KWOK_SIZE = 'karpenter.kwok.sh/instance-size';
const KWOK_FAMILY = 'karpenter.kwok.sh/instance-family';
export const KWOK_CPU = 'karpenter.kwok.sh/instance-cpu';
export const KWOK_MEMORY = 'karpenter.kwok.sh/instance-memory';
/** Labels that KWOK's provider derives from a type. */
export const KWOK_LABELS: readonly string[] = [KWOK_SIZE, KWOK_FAMILY, KWOK_CPU, KWOK_MEMORY];

/**
 * Entries of Karpenter's KWOK instance_types.json, with the additions of a Decant catalog: `allocatable`,
 * `requirements`, `kwokLabels`, and `zone` and `capacityType` on an offering. Other fields are ignored.
 */
export function decodeInstanceTypes(source: string, entries: readonly unknown[]): InstanceType[] {
  const shared = new SharedValues();
  const names = new Set<string>();
  const types = entries.map((entry, i) => {
    const type = decodeInstanceType(entry, `${source}: instanceTypes[${i}]`, shared);
    if (names.has(type.name))
      reject(`${source}: instanceTypes[${i}].name`, type.name, 'a name that no other entry has');
    names.add(type.name);
    return type;
  });
  return [...withSharedCommitments(types)];
}

function decodeInstanceType(entry: unknown, place: string, shared: SharedValues): InstanceType {
  const fields = readFieldsOfAnyCase(entry, place);
  const name = readText(fields.get('name'), `${place}.name`);
  if (name === '') reject(`${place}.name`, name, 'a name');
  const where = `${place} (${name})`;
  const offerings = readList(fields.get('offerings') ?? [], `${where}.offerings`).map((offering, i) =>
    decodeOffering(offering, `${where}.offerings[${i}]`, shared),
  );
  const { amounts: resources, cpu, memory } = readResources(fields.get('resources'), `${where}.resources`, shared);
  const given = readResources(fields.get('allocatable'), `${where}.allocatable`, shared).amounts;
  const capacity = { pods: DEFAULT_PODS, ...resources };
  const systems = readList(fields.get('operatingsystems') ?? [], `${where}.operatingSystems`);
  const requirements = [
    isIn(INSTANCE_TYPE, name),
    shared.oneOf(ARCH, [readText(fields.get('architecture') ?? '', `${where}.architecture`)]),
    shared.oneOf(
      OS,
      systems.map((os) => readText(os, `${where}.operatingSystems`)),
    ),
    shared.oneOf(ZONE, distinct(offerings, ZONE)),
    shared.oneOf(CAPACITY_TYPE, distinct(offerings, CAPACITY_TYPE)),
    ...(hasKwokLabels(fields.get('kwoklabels'), `${where}.kwokLabels`) ? kwokLabels(name, cpu, memory, shared) : []),
    ...readRequirements(fields.get('requirements') ?? [], `${where}.requirements`),
  ];
  return {
    name,
    requirements: mergeByKey(requirements),
    capacity,
    allocatable: allocatableOf(capacity, given),
    ...volumeLimits(fields.get('volumeattachmentlimits'), `${where}.volumeAttachmentLimits`),
    offerings,
    ...interruptions(fields.get('spotinterruptionsperhour'), `${where}.spotInterruptionsPerHour`),
  };
}

function volumeLimits(value: unknown, where: string): Pick<InstanceType, 'volumeLimits'> {
  if (value === undefined || value === null) return {};
  if (!isRecord(value)) return reject(where, value, 'numbers of volumes by CSI driver');
  for (const [driver, limit] of Object.entries(value))
    if (!Number.isSafeInteger(limit) || (limit as number) < 0)
      reject(`${where}.${driver}`, limit, 'a number of volumes');
  return { volumeLimits: value as Readonly<Record<string, number>> };
}

function interruptions(value: unknown, where: string): Pick<InstanceType, 'spotInterruptionsPerHour'> {
  if (value === undefined || value === null) return {};
  if (typeof value === 'number' && value >= 0 && Number.isFinite(value)) return { spotInterruptionsPerHour: value };
  return reject(where, value, 'a number of interruptions per hour, 0 or more');
}

/** Amounts by resource name, and the texts that KWOK uses as labels. */
function readResources(value: unknown, where: string, shared: SharedValues) {
  const record = value ?? {};
  if (!isRecord(record)) return reject(where, value, 'an object');
  const amounts: Record<string, number> = {};
  let cpu = '0';
  let memory = '0';
  for (const resource in record) {
    // `__proto__`, `constructor` and the like are not resources, and would be found in a plain object.
    if (resource in Object.prototype) reject(where, resource, 'the name of a resource');
    const quantity = readQuantity(record[resource], where, resource, shared);
    amounts[resource] = resource === 'cpu' ? quantity.milli : quantity.whole;
    if (resource === 'cpu') cpu = quantity.canonical;
    if (resource === 'memory') memory = quantity.canonical;
  }
  return { amounts, cpu, memory };
}

function readQuantity(value: unknown, where: string, resource: string, shared: SharedValues): Quantity {
  const text = typeof value === 'number' ? String(value) : readText(value ?? '0', `${where}.${resource}`).trim();
  const quantity = shared.quantity(text);
  if (quantity !== undefined && quantity.whole >= 0 && Number.isFinite(quantity.milli)) return quantity;
  return reject(`${where}.${resource}`, value, 'a quantity such as 2, 500m or 8Gi, 0 or more');
}

/** Karpenter's computeAllocatable: capacity less overhead; huge pages are not memory. */
function allocatableOf(capacity: Resources, given: Resources): Resources {
  const allocatable: Record<string, number> = {};
  const someGiven = Object.keys(given).length > 0;
  let hugePages: number | undefined;
  for (const resource in capacity) {
    const amount = amountOf(capacity, resource) ?? 0;
    allocatable[resource] = someGiven
      ? (amountOf(given, resource) ?? amount)
      : amount - (amountOf(WITHHELD, resource) ?? 0);
    if (resource.startsWith('hugepages-')) hugePages = (hugePages ?? 0) + amount;
  }
  if (hugePages !== undefined) allocatable.memory = Math.max(0, (allocatable.memory ?? 0) - hugePages);
  return allocatable;
}

function hasKwokLabels(value: unknown, where: string): boolean {
  const given = value ?? true;
  return typeof given === 'boolean' ? given : reject(where, value, 'true or false');
}

function kwokLabels(name: string, cpu: string, memory: string, shared: SharedValues): NodeSelectorRequirement[] {
  const parts = FAMILY_AND_SIZE.exec(name);
  return [
    shared.oneOf(KWOK_SIZE, [parts !== null && name.includes('.') ? (parts[2] ?? '') : cpu]),
    shared.oneOf(KWOK_FAMILY, [parts?.[1] ?? name.slice(0, 1)]),
    shared.oneOf(KWOK_CPU, [cpu]),
    shared.oneOf(KWOK_MEMORY, [memory]),
  ];
}

function distinct(offerings: readonly Offering[], key: string): string[] {
  const values = new Set<string>();
  for (const offering of offerings) for (const value of valuesOf(offering.requirements, key)) values.add(value);
  return [...values];
}
