/**
 * Decoded values, one for all that are equal. The engine tells classes of pods apart by identity,
 * so equal labels, owners, requests and constraints must be the same object.
 *
 * What was read from JSON comes shared already (the same raw object for the same text) and is found
 * by identity; the rest by content.
 */
export class Interned<T> {
  private readonly byRaw = new Map<unknown, T>();
  private readonly byContent = new Map<string, T>();
  private readonly decode: (raw: unknown, path: string) => T;

  constructor(decode: (raw: unknown, path: string) => T) {
    this.decode = decode;
  }

  of(raw: unknown, path: string): T {
    const known = this.byRaw.get(raw);
    if (known !== undefined) return known;
    const value = canonical(this.byContent, this.decode(raw, path));
    this.byRaw.set(raw, value);
    return value;
  }
}

/** The first of all values with this content, fields in the same order. */
export function canonical<T>(byContent: Map<string, T>, value: T): T {
  const key = JSON.stringify(value);
  const known = byContent.get(key);
  if (known !== undefined) return known;
  byContent.set(key, value);
  return value;
}
