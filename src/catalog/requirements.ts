import type { NodeSelectorRequirement, Operator } from '../engine/cluster/objects.ts';
import { reject } from './catalog-error.ts';
import { stableLabel } from './labels.ts';
import { readFieldsOfAnyCase, readList, readText } from './untyped.ts';

const OPERATORS: readonly string[] = [
  'In',
  'NotIn',
  'Exists',
  'DoesNotExist',
  'Gt',
  'Lt',
  'Gte',
  'Lte',
] satisfies Operator[];

export function isIn(key: string, ...values: readonly string[]): NodeSelectorRequirement {
  return { key, operator: 'In', values };
}

export function doesNotExist(key: string): NodeSelectorRequirement {
  return { key, operator: 'DoesNotExist' };
}

export function readRequirements(value: unknown, where: string): NodeSelectorRequirement[] {
  return readList(value, where).map((item, i) => readRequirement(item, `${where}[${i}]`));
}

function readRequirement(value: unknown, where: string): NodeSelectorRequirement {
  const fields = readFieldsOfAnyCase(value, where);
  const key = stableLabel(readText(fields.get('key'), `${where}.key`));
  const operator = readText(fields.get('operator'), `${where}.operator`);
  if (!isOperator(operator)) return reject(`${where}.operator`, operator, OPERATORS.join(', '));
  const values = readList(fields.get('values') ?? [], `${where}.values`).map((v, i) =>
    readText(v, `${where}.values[${i}]`),
  );
  if (operator === 'Exists' || operator === 'DoesNotExist') return { key, operator };
  const bound = operator !== 'In' && operator !== 'NotIn';
  if (bound && (values.length !== 1 || integer(values[0]) === undefined)) {
    reject(`${where}.values`, values.join(', '), `one integer, for ${operator}`);
  }
  return { key, operator, values };
}

function isOperator(text: string): text is Operator {
  return OPERATORS.includes(text);
}

/** The values of a label that a requirement lets through; a complement is everything but `values`. */
interface Allowed {
  readonly complement: boolean;
  readonly values: ReadonlySet<string>;
  readonly min: number;
  readonly max: number;
}

// Requirements are shared by many types and offerings, so that each is worked out once.
const worked = new WeakMap<NodeSelectorRequirement, Allowed>();

function allowedBy(requirement: NodeSelectorRequirement): Allowed {
  const before = worked.get(requirement);
  if (before !== undefined) return before;
  const allowed = workOut(requirement);
  worked.set(requirement, allowed);
  return allowed;
}

function workOut({ operator, values = [] }: NodeSelectorRequirement): Allowed {
  const bound = integer(values[0]) ?? 0;
  return {
    complement: operator !== 'In' && operator !== 'DoesNotExist',
    values: new Set(operator === 'In' || operator === 'NotIn' ? values : []),
    min: operator === 'Gte' ? bound : operator === 'Gt' ? bound + 1 : Number.NEGATIVE_INFINITY,
    max: operator === 'Lte' ? bound : operator === 'Lt' ? bound - 1 : Number.POSITIVE_INFINITY,
  };
}

function intersect(a: Allowed, b: Allowed): Allowed {
  const complement = a.complement && b.complement;
  const min = Math.max(a.min, b.min);
  const max = Math.min(a.max, b.max);
  if (min > max) return { complement: false, values: new Set(), min, max };
  const candidates = complement ? [...a.values, ...b.values] : a.complement ? [...b.values] : [...a.values];
  const kept = candidates.filter((v) => within(v, min, max) && (complement || (passes(a, v) && passes(b, v))));
  return { complement, values: new Set(kept), min, max };
}

function passes(allowed: Allowed, value: string): boolean {
  return allowed.values.has(value) !== allowed.complement;
}

function within(value: string, min: number, max: number): boolean {
  if (min === Number.NEGATIVE_INFINITY && max === Number.POSITIVE_INFINITY) return true;
  const number = integer(value);
  return number !== undefined && number >= min && number <= max;
}

function integer(text: string | undefined): number | undefined {
  return text !== undefined && /^[+-]?\d+$/.test(text) ? Number(text) : undefined;
}

function isEmpty(allowed: Allowed): boolean {
  return !allowed.complement && allowed.values.size === 0;
}

/** NotIn or DoesNotExist: satisfied by a label that is not there. */
function acceptsAbsence(allowed: Allowed): boolean {
  return allowed.complement ? allowed.values.size > 0 : allowed.values.size === 0;
}

/** Requirements on one key intersect, as Karpenter's Requirements.Add does. */
function intersectByKey(requirements: readonly NodeSelectorRequirement[]): Map<string, Allowed> {
  const byKey = new Map<string, Allowed>();
  for (const requirement of requirements) {
    const allowed = allowedBy(requirement);
    const before = byKey.get(requirement.key);
    byKey.set(requirement.key, before === undefined ? allowed : intersect(before, allowed));
  }
  return byKey;
}

/** The same requirements with each key once, in the order of first mention; only mixed bounds need more than one entry. */
export function mergeByKey(requirements: readonly NodeSelectorRequirement[]): readonly NodeSelectorRequirement[] {
  // Rarely is there anything to merge, and working the values out would be most of the time that decoding takes.
  const keys = new Set<string>();
  for (const { key } of requirements) keys.add(key);
  if (keys.size === requirements.length) return requirements;
  return [...intersectByKey(requirements)].flatMap(([key, allowed]) => written(key, allowed));
}

function written(key: string, allowed: Allowed): NodeSelectorRequirement[] {
  const values = [...allowed.values];
  if (isEmpty(allowed)) return [doesNotExist(key)];
  if (!allowed.complement) return [{ key, operator: 'In', values }];
  const parts: NodeSelectorRequirement[] = [];
  if (values.length > 0) parts.push({ key, operator: 'NotIn', values });
  if (allowed.min > Number.NEGATIVE_INFINITY) parts.push({ key, operator: 'Gte', values: [String(allowed.min)] });
  if (allowed.max < Number.POSITIVE_INFINITY) parts.push({ key, operator: 'Lte', values: [String(allowed.max)] });
  return parts.length > 0 ? parts : [{ key, operator: 'Exists' }];
}

/** The values that merged requirements name for a key. A NotIn's values count too, as they do in Karpenter. */
export function valuesOf(requirements: readonly NodeSelectorRequirement[], key: string): readonly string[] {
  for (const { key: named, operator, values } of requirements) {
    if (named === key && values !== undefined && (operator === 'In' || operator === 'NotIn')) return values;
  }
  return [];
}

/**
 * A test of offerings, to be given a type's requirements first: Karpenter's Requirements.Compatible, under which
 * a label that neither knows meets only NotIn and DoesNotExist. What the offering says of a key counts before
 * what its type says: its own zone, not every zone of the type.
 */
export function selecting(
  wanted: readonly NodeSelectorRequirement[],
): (ofType: readonly NodeSelectorRequirement[]) => (ofOffering: readonly NodeSelectorRequirement[]) => boolean {
  const tests = [...intersectByKey(wanted)].map(([key, want]) => ({
    verdict: verdictOn(key, want),
    absent: acceptsAbsence(want),
  }));
  return (ofType) => {
    const byType = tests.map(({ verdict, absent }) => verdict(ofType) ?? absent);
    return (ofOffering) => tests.every(({ verdict }, i) => verdict(ofOffering) ?? byType[i]);
  };
}

/** Whether requirements and `want` have a value in common; undefined if they do not speak of the key. */
function verdictOn(key: string, want: Allowed): (offered: readonly NodeSelectorRequirement[]) => boolean | undefined {
  // Catalogs share requirements and ask the same ten thousand times. The first on a key stands for all on it:
  // where mergeByKey leaves several, it made them for that list alone.
  const verdicts = new Map<NodeSelectorRequirement, boolean>();
  return (offered) => {
    const first = offered.find((r) => r.key === key);
    if (first === undefined) return undefined;
    const before = verdicts.get(first);
    if (before !== undefined) return before;
    const same = offered.filter((r) => r.key === key).map(allowedBy);
    const verdict = agree(same.reduce(intersect), want);
    verdicts.set(first, verdict);
    return verdict;
  };
}

function agree(have: Allowed, want: Allowed): boolean {
  return !isEmpty(intersect(have, want)) || (acceptsAbsence(have) && acceptsAbsence(want));
}
