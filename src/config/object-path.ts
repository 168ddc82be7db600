/** Deeper than any field of the schemas. */
const DEEPEST = 8;

/** As in the API, null means absent. Keys stay, so that unknown ones are still found. */
export function withoutNulls(value: unknown): unknown {
  return value === null ? undefined : copy(value, DEEPEST, new Map());
}

/** `done`: YAML aliases let a few lines represent a huge tree, which must not be walked path by path. */
function copy(value: unknown, depth: number, done: Map<unknown, unknown>): unknown {
  if (typeof value !== 'object' || value === null || depth === 0) return value;
  const known = done.get(value);
  if (known !== undefined) return known;
  // A null in a list is an element, and invalid.
  const result = Array.isArray(value)
    ? value.map((each) => copy(each, depth - 1, done))
    : Object.fromEntries(Object.entries(value).map(([key, each]) => [key, copy(each ?? undefined, depth - 1, done)]));
  done.set(value, result);
  return result;
}

/** `spec.disruption` and `budgets`, 0, `nodes` make `spec.disruption.budgets[0].nodes`. */
export function fieldPath(at: string, path: readonly PropertyKey[]): string {
  return path.reduce<string>((text, key) => {
    if (typeof key === 'number') return `${text}[${key}]`;
    return /^[\w-]+$/.test(String(key)) ? `${text}.${String(key)}` : `${text}[${JSON.stringify(String(key))}]`;
  }, at);
}
