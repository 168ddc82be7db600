import { type Commitment, type CoveredBy, commitmentsOf, withSharedCommitments } from '../engine/cluster/commitment.ts';
import type { InstanceType, Offering } from '../engine/cluster/objects.ts';
import { reject } from './catalog-error.ts';
import type { selecting } from './requirements.ts';
import { readFields, readList, readText } from './untyped.ts';

/** An entry of an overlay file with a size: a savings plan or reservations. */
export interface CommitmentRule {
  readonly where: string;
  readonly name: string;
  readonly selects: ReturnType<typeof selecting>;
  readonly size: { readonly dollarsPerHour: number } | { readonly nodes: number };
  /** What is paid for a node with this list price. */
  readonly rate: (price: number) => number;
}

export const SIZE_FIELDS: readonly string[] = ['dollarsPerHour', 'nodes'];

export function readSize(fields: ReadonlyMap<string, unknown>, where: string): CommitmentRule['size'] {
  const [dollarsPerHour, nodes] = SIZE_FIELDS.map((field) => fields.get(field));
  if (dollarsPerHour !== undefined && nodes !== undefined)
    return reject(`${where}.nodes`, nodes, 'dollarsPerHour or nodes, not both');
  if (nodes !== undefined) {
    const isCount = Number.isSafeInteger(nodes) && (nodes as number) > 0;
    return isCount ? { nodes: nodes as number } : reject(`${where}.nodes`, nodes, 'a whole number, 1 or more');
  }
  const isAmount = typeof dollarsPerHour === 'number' && dollarsPerHour > 0 && dollarsPerHour < Infinity;
  return isAmount ? { dollarsPerHour } : reject(`${where}.dollarsPerHour`, dollarsPerHour, 'a number above 0');
}

/** Marks the offerings that commitments pay for; also returns entries that match none. */
export function applyCommitments(
  types: readonly InstanceType[],
  rules: readonly CommitmentRule[],
): { types: readonly InstanceType[]; unmatched: CommitmentRule[] } {
  if (rules.length === 0) return { types, unmatched: [] };
  const before = new Set(commitmentsOf(types).map(({ name }) => name));
  const matched = new Map<Offering, Commitment[]>();
  const unmatched: CommitmentRule[] = [];
  for (const rule of rules) {
    if (before.has(rule.name)) reject(`${rule.where}.name`, rule.name, 'a name that no other commitment has');
    before.add(rule.name);
    const found = types.flatMap((type) => {
      const selects = rule.selects(type.requirements);
      return type.offerings
        .filter((offering) => offering.price > 0 && selects(offering.requirements))
        .map((offering) => ({ type, offering }));
    });
    if (found.length === 0) unmatched.push(rule);
    const commitment = found.length === 0 ? undefined : commitmentOf(rule, found);
    for (const { offering } of commitment === undefined ? [] : found)
      matched.set(offering, [...(matched.get(offering) ?? offering.coveredBy ?? []), commitment as Commitment]);
  }
  const covered = (offering: Offering): Offering => {
    const coveredBy = matched.get(offering);
    return coveredBy === undefined ? offering : { ...offering, coveredBy };
  };
  const marked = types.map((type) => ({ ...type, offerings: type.offerings.map(covered) }));
  return { types: withSharedCommitments(marked), unmatched };
}

function commitmentOf(
  { where, name, size, rate }: CommitmentRule,
  found: readonly { readonly type: InstanceType; readonly offering: Offering }[],
): Commitment {
  const price = Math.max(...found.map(({ offering }) => offering.price));
  if ('nodes' in size) {
    const names = new Set(found.map(({ type }) => type.name));
    if (names.size > 1) reject(`${where}.nodes`, `${names.size} instance types`, 'a selector of one instance type');
    const { nodes } = size;
    return { name, dollarsPerHour: nodes * rate(price), coversDollarsPerHour: nodes * price };
  }
  const ratio = rate(price) / price;
  if (!(ratio > 0)) reject(`${where}.price`, ratio, 'a rate above 0');
  return { name, dollarsPerHour: size.dollarsPerHour, coversDollarsPerHour: size.dollarsPerHour / ratio };
}

/** `coveredBy` of an offering. */
export function readCoveredBy(value: unknown, where: string): CoveredBy {
  return readList(value, where).map((entry, i) => {
    const place = `${where}[${i}]`;
    const fields = readFields(entry, place);
    const name = readText(fields.get('name'), `${place}.name`);
    const [dollarsPerHour, coversDollarsPerHour] = ['dollarsPerHour', 'coversDollarsPerHour'].map((field) => {
      const amount = fields.get(field);
      const isAmount = typeof amount === 'number' && amount >= 0 && amount < Infinity;
      return isAmount ? amount : reject(`${place}.${field}`, amount, 'a number, 0 or more');
    });
    return { name, dollarsPerHour, coversDollarsPerHour };
  });
}
