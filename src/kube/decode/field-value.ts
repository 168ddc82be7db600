import type { Labels } from '../../engine/cluster/objects.ts';
import { FieldProblem } from '../field-problem.ts';

/** Checks of single fields. As in Kubernetes, null is the same as absent. */

export type JsonObject = Readonly<Record<string, unknown>>;

const NO_LABELS: Labels = Object.freeze({});
const NO_ELEMENTS: readonly unknown[] = Object.freeze([]);

export function isAbsent(value: unknown): value is undefined | null {
  return value === undefined || value === null;
}

/** '' if absent. */
export function text(value: unknown, path: string): string {
  if (typeof value === 'string') return value;
  if (isAbsent(value)) return '';
  throw new FieldProblem(path, value, 'a string');
}

export function optionalText(value: unknown, path: string): string | undefined {
  return isAbsent(value) ? undefined : text(value, path);
}

export function requiredText(value: unknown, path: string): string {
  if (typeof value === 'string' && value !== '') return value;
  throw new FieldProblem(path, value, 'a string that is not empty');
}

/** An int64 that a double cannot represent exactly is clamped to the largest safe integer. */
export function integer(value: unknown, path: string): number | undefined {
  if (isAbsent(value)) return undefined;
  if (typeof value === 'number' && Number.isInteger(value))
    return Math.max(Number.MIN_SAFE_INTEGER, Math.min(Number.MAX_SAFE_INTEGER, value));
  throw new FieldProblem(path, value, 'a whole number');
}

export function nonNegative(value: unknown, path: string): number | undefined {
  const number = integer(value, path);
  if (number !== undefined && number < 0) throw new FieldProblem(path, value, 'a whole number that is not negative');
  return number;
}

export function boolean(value: unknown, path: string): boolean {
  if (typeof value === 'boolean') return value;
  if (isAbsent(value)) return false;
  throw new FieldProblem(path, value, 'true or false');
}

export function decodeChoice<T extends string>(value: unknown, allowed: readonly T[], path: string): T {
  const found = allowed.find((each) => each === value);
  if (found !== undefined) return found;
  throw new FieldProblem(path, value, `one of ${allowed.map((each) => (each === '' ? '""' : each)).join(', ')}`);
}

/** Empty if absent. */
export function list(value: unknown, path: string): readonly unknown[] {
  if (Array.isArray(value)) return value;
  if (isAbsent(value)) return NO_ELEMENTS;
  throw new FieldProblem(path, value, 'a list');
}

export function texts(value: unknown, path: string): readonly string[] {
  const all = list(value, path);
  all.forEach((each, i) => {
    if (typeof each !== 'string') throw new FieldProblem(`${path}[${i}]`, each, 'a string');
  });
  return all as readonly string[];
}

export function object(value: unknown, path: string): JsonObject | undefined {
  if (isAbsent(value)) return undefined;
  if (typeof value === 'object' && !Array.isArray(value)) return value as JsonObject;
  throw new FieldProblem(path, value, 'an object');
}

/** A list of objects, each decoded with its path. */
export function objects<T>(
  value: unknown,
  path: string,
  decode: (element: JsonObject, path: string) => T,
): readonly T[] {
  return list(value, path).map((each, i) => {
    const at = `${path}[${i}]`;
    const element = object(each, at);
    if (element === undefined) throw new FieldProblem(at, each, 'an object');
    return decode(element, at);
  });
}

export function labels(value: unknown, path: string): Labels {
  const all = object(value, path);
  if (all === undefined) return NO_LABELS;
  for (const key of Object.keys(all)) {
    if (typeof all[key] !== 'string') throw new FieldProblem(`${path}[${JSON.stringify(key)}]`, all[key], 'a string');
  }
  return all as Labels;
}
