import { reject } from './catalog-error.ts';

/** Reads values of unknown shape; `where` is the path for errors. */

export function readList(value: unknown, where: string): readonly unknown[] {
  return Array.isArray(value) ? value : reject(where, value, 'a list');
}

export function readText(value: unknown, where: string): string {
  return typeof value === 'string' ? value : reject(where, value, 'a string');
}

/** One text or several. */
export function readTexts(value: unknown, where: string): readonly string[] {
  if (typeof value === 'string') return [value];
  if (!Array.isArray(value) || value.length === 0) return reject(where, value, 'a string or a list of strings');
  return value.map((item, i) => readText(item, `${where}[${i}]`));
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A map, so that a key such as `__proto__` is safe. */
export function readFields(value: unknown, where: string): ReadonlyMap<string, unknown> {
  if (!isRecord(value)) return reject(where, value, 'an object');
  return new Map(Object.entries(value));
}

/** Like Go's encoding/json: `Price`, `price` and `PRICE` are one field. Returns keys in lower case. */
export function readFieldsOfAnyCase(value: unknown, where: string): ReadonlyMap<string, unknown> {
  if (!isRecord(value)) return reject(where, value, 'an object');
  const fields = new Map<string, unknown>();
  for (const key in value) fields.set(key.toLowerCase(), value[key]);
  return fields;
}

export function refuseOtherFields(
  fields: ReadonlyMap<string, unknown>,
  allowed: readonly string[],
  where: string,
): void {
  for (const key of fields.keys()) {
    if (!allowed.includes(key)) reject(`${where}: unknown field`, key, `one of ${allowed.join(', ')}`);
  }
}
