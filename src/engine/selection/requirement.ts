import type { NodeSelectorRequirement, SelectorOperator } from '../cluster/objects.ts';
import { canonicalLabel } from '../cluster/well-known.ts';

/**
 * The allowed values of one label: a set, or everything but a set, within inclusive integer bounds. `In` is a set,
 * `NotIn` a complement, `Exists` the complement of nothing, `DoesNotExist` the empty set; `Gt n` and `Lt n` become
 * bounds n+1 and n-1. With a bound, values that are not integers are excluded.
 */
export interface Requirement {
  readonly key: string;
  readonly complement: boolean;
  readonly values: ReadonlySet<string>;
  readonly atLeast?: number;
  readonly atMost?: number;
  /** The number of distinct values that a NodePool requires among the instance types of a launch. */
  readonly minValues?: number;
}

const NOTHING: ReadonlySet<string> = new Set();

export function requirement(
  key: string,
  operator: SelectorOperator,
  values: readonly string[] = [],
  minValues?: number,
): Requirement {
  const name = canonicalLabel(key);
  switch (operator) {
    case 'In':
      return { key: name, complement: false, values: new Set(values), minValues };
    case 'NotIn':
      return { key: name, complement: true, values: new Set(values), minValues };
    case 'Exists':
      return { key: name, complement: true, values: NOTHING, minValues };
    case 'DoesNotExist':
      return { key: name, complement: false, values: NOTHING, minValues };
    case 'Gt':
      return { key: name, complement: true, values: NOTHING, minValues, atLeast: (integerOf(values[0]) ?? 0) + 1 };
    case 'Lt':
      return { key: name, complement: true, values: NOTHING, minValues, atMost: (integerOf(values[0]) ?? 0) - 1 };
    case 'Gte':
      return { key: name, complement: true, values: NOTHING, minValues, atLeast: integerOf(values[0]) ?? 0 };
    case 'Lte':
      return { key: name, complement: true, values: NOTHING, minValues, atMost: integerOf(values[0]) ?? 0 };
  }
}

export function fromSelector(r: NodeSelectorRequirement): Requirement {
  return requirement(r.key, r.operator, r.values, r.minValues);
}

export function oneOf(key: string, values: Iterable<string>): Requirement {
  return { key: canonicalLabel(key), complement: false, values: new Set(values) };
}

export function anything(key: string): Requirement {
  return requirement(key, 'Exists');
}

/** As Go's strconv.Atoi: an optional sign and digits, nothing else. */
export function integerOf(text: string | undefined): number | undefined {
  return text !== undefined && /^[+-]?[0-9]+$/.test(text) ? Number(text) : undefined;
}

function withinBounds(value: string, atLeast: number | undefined, atMost: number | undefined): boolean {
  if (atLeast === undefined && atMost === undefined) return true;
  const n = integerOf(value);
  return n !== undefined && (atLeast === undefined || n >= atLeast) && (atMost === undefined || n <= atMost);
}

export function admits(r: Requirement, value: string): boolean {
  return r.values.has(value) !== r.complement && withinBounds(value, r.atLeast, r.atMost);
}

/** The requirement's operator; bounds count as Exists. */
export function operatorOf(r: Requirement): 'In' | 'NotIn' | 'Exists' | 'DoesNotExist' {
  if (r.complement) return r.values.size > 0 ? 'NotIn' : 'Exists';
  return r.values.size > 0 ? 'In' : 'DoesNotExist';
}

/** Absence of the label satisfies it. */
export function allowsAbsence(r: Requirement): boolean {
  const operator = operatorOf(r);
  return operator === 'NotIn' || operator === 'DoesNotExist';
}

function larger(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined ? b : b === undefined ? a : Math.max(a, b);
}

function smaller(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined ? b : b === undefined ? a : Math.min(a, b);
}

export function intersection(a: Requirement, b: Requirement): Requirement {
  const atLeast = larger(a.atLeast, b.atLeast);
  const atMost = smaller(a.atMost, b.atMost);
  const minValues = larger(a.minValues, b.minValues);
  if (atLeast !== undefined && atMost !== undefined && atLeast > atMost) {
    return { key: a.key, complement: false, values: NOTHING, minValues };
  }
  const complement = a.complement && b.complement;
  const values = new Set<string>();
  const keep = (v: string) => {
    if (withinBounds(v, atLeast, atMost)) values.add(v);
  };
  if (complement) {
    a.values.forEach(keep);
    b.values.forEach(keep);
    return { key: a.key, complement, values, minValues, atLeast, atMost };
  }
  // A concrete set absorbs the bounds: its remaining values satisfy them.
  const [set, filter] = a.complement ? [b, a] : [a, b];
  for (const v of set.values) if (filter.values.has(v) !== filter.complement) keep(v);
  return { key: a.key, complement, values, minValues };
}

export function overlaps(a: Requirement, b: Requirement): boolean {
  const atLeast = larger(a.atLeast, b.atLeast);
  const atMost = smaller(a.atMost, b.atMost);
  if (atLeast !== undefined && atMost !== undefined && atLeast > atMost) return false;
  if (a.complement && b.complement) return true;
  const [set, filter] = a.complement ? [b, a] : [a, b];
  for (const v of set.values) {
    if (filter.values.has(v) !== filter.complement && withinBounds(v, atLeast, atMost)) return true;
  }
  return false;
}

/** Equal for equal requirements. */
export function canonicalText(r: Requirement): string {
  const values = [...r.values].sort().join('\u0001');
  return `${r.key}${r.complement ? '!' : '='}${values}\u0002${r.atLeast ?? ''}\u0002${r.atMost ?? ''}\u0002${r.minValues ?? ''}`;
}
