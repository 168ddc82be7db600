/**
 * One decoded value for all equal ones. The engine tells classes of pods apart by identity, so equal labels, owners,
 * requests and constraints must be the same object.
 *
 * Values read from JSON are shared already (one raw object per text) and are found by identity; others by content.
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

/** The first value with this content, with fields in the same order. */
export function canonical<T>(byContent: Map<string, T>, value: T): T {
  const key = JSON.stringify(value);
  const known = byContent.get(key);
  if (known !== undefined) return known;
  byContent.set(key, value);
  return value;
}
