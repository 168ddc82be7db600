import type { NodeSelectorRequirement, SelectorOperator } from '../engine/cluster/objects.ts';
import { canonicalLabel } from '../engine/cluster/well-known.ts';
import {
  allowsAbsence,
  fromSelector,
  integerOf,
  intersection,
  overlaps,
  type Requirement,
} from '../engine/selection/requirement.ts';
import { reject } from './catalog-error.ts';
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
] satisfies SelectorOperator[];

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
  const key = canonicalLabel(readText(fields.get('key'), `${where}.key`));
  const operator = readText(fields.get('operator'), `${where}.operator`);
  if (!isOperator(operator)) return reject(`${where}.operator`, operator, OPERATORS.join(', '));
  const values = readList(fields.get('values') ?? [], `${where}.values`).map((v, i) =>
    readText(v, `${where}.values[${i}]`),
  );
  if (operator === 'Exists' || operator === 'DoesNotExist') return { key, operator };
  const bound = operator !== 'In' && operator !== 'NotIn';
  if (bound && (values.length !== 1 || integerOf(values[0]) === undefined)) {
    reject(`${where}.values`, values.join(', '), `one integer, for ${operator}`);
  }
  return { key, operator, values };
}

function isOperator(text: string): text is SelectorOperator {
  return OPERATORS.includes(text);
}

// Requirements are shared by many types and offerings, so each is evaluated once.
const worked = new WeakMap<NodeSelectorRequirement, Requirement>();

function workedOut(requirement: NodeSelectorRequirement): Requirement {
  const before = worked.get(requirement);
  if (before !== undefined) return before;
  const made = fromSelector(requirement);
  worked.set(requirement, made);
  return made;
}

/** Requirements on one key intersect, as Karpenter's Requirements.Add does. */
function intersectByKey(requirements: readonly NodeSelectorRequirement[]): Map<string, Requirement> {
  const byKey = new Map<string, Requirement>();
  for (const requirement of requirements) {
    const made = workedOut(requirement);
    const before = byKey.get(requirement.key);
    byKey.set(requirement.key, before === undefined ? made : intersection(before, made));
  }
  return byKey;
}

/** The same requirements with each key once, in order of first mention; only mixed bounds need more than one entry. */
export function mergeByKey(requirements: readonly NodeSelectorRequirement[]): readonly NodeSelectorRequirement[] {
  // There is rarely anything to merge, and computing the values would dominate decoding.
  const keys = new Set<string>();
  for (const { key } of requirements) keys.add(key);
  if (keys.size === requirements.length) return requirements;
  return [...intersectByKey(requirements)].flatMap(([key, merged]) => written(key, merged));
}

function written(key: string, { complement, values: all, atLeast, atMost }: Requirement): NodeSelectorRequirement[] {
  const values = [...all];
  if (!complement) return [values.length === 0 ? doesNotExist(key) : { key, operator: 'In', values }];
  const parts: NodeSelectorRequirement[] = [];
  if (values.length > 0) parts.push({ key, operator: 'NotIn', values });
  if (atLeast !== undefined) parts.push({ key, operator: 'Gte', values: [String(atLeast)] });
  if (atMost !== undefined) parts.push({ key, operator: 'Lte', values: [String(atMost)] });
  return parts.length > 0 ? parts : [{ key, operator: 'Exists' }];
}

/** The values that merged requirements list for a key, including those of NotIn, as in Karpenter. */
export function valuesOf(requirements: readonly NodeSelectorRequirement[], key: string): readonly string[] {
  for (const { key: named, operator, values } of requirements) {
    if (named === key && values !== undefined && (operator === 'In' || operator === 'NotIn')) return values;
  }
  return [];
}

/**
 * A test of offerings, given a type's requirements first: Karpenter's Requirements.Compatible, where a label that
 * neither defines only satisfies NotIn and DoesNotExist. An offering's own value of a key takes precedence over its
 * type's: its own zone, not every zone of the type.
 */
export function selecting(
  wanted: readonly NodeSelectorRequirement[],
): (ofType: readonly NodeSelectorRequirement[]) => (ofOffering: readonly NodeSelectorRequirement[]) => boolean {
  const tests = [...intersectByKey(wanted)].map(([key, want]) => ({
    verdict: verdictOn(key, want),
    absent: allowsAbsence(want),
  }));
  return (ofType) => {
    const byType = tests.map(({ verdict, absent }) => verdict(ofType) ?? absent);
    return (ofOffering) => tests.every(({ verdict }, i) => verdict(ofOffering) ?? byType[i]);
  };
}

/** Whether requirements and `want` share a value; undefined if they do not mention the key. */
function verdictOn(
  key: string,
  want: Requirement,
): (offered: readonly NodeSelectorRequirement[]) => boolean | undefined {
  // Catalogs share requirements and repeat the same test ten thousand times. The first requirement of a key represents
  // all: where mergeByKey leaves several, it created them for that list only.
  const verdicts = new Map<NodeSelectorRequirement, boolean>();
  return (offered) => {
    const first = offered.find((r) => r.key === key);
    if (first === undefined) return undefined;
    const before = verdicts.get(first);
    if (before !== undefined) return before;
    const same = offered.filter((r) => r.key === key).map(workedOut);
    const verdict = agree(same.reduce(intersection), want);
    verdicts.set(first, verdict);
    return verdict;
  };
}

function agree(have: Requirement, want: Requirement): boolean {
  return overlaps(have, want) || (allowsAbsence(have) && allowsAbsence(want));
}
