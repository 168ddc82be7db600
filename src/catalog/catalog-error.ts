/** Input that the catalog cannot use; the message names file, entry, field, value and what is allowed. */
export class CatalogError extends Error {
  override readonly name = 'CatalogError';
}

export function reject(where: string, value: unknown, allowed: string): never {
  throw new CatalogError(`${where}: ${show(value)}; must be ${allowed}`);
}

/** Never walks into a value: what is refused may be nested deeper than the stack. */
function show(value: unknown): string {
  if (value === undefined || value === null) return 'missing';
  if (typeof value === 'string') return JSON.stringify(value.length > 80 ? `${value.slice(0, 80)}…` : value);
  if (typeof value === 'object') return Array.isArray(value) ? 'a list' : 'an object';
  return String(value);
}
