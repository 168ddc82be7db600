import { Refused } from './refused.ts';

/** A question about the current picture. */
export type Ask =
  | { readonly kind: 'cluster' | 'plan' | 'bound' }
  | { readonly kind: 'node'; readonly name: string }
  /** The query string as sent. */
  | { readonly kind: 'boundary' | 'what-if' | 'cost' | 'blockers'; readonly query: string };

const WITHOUT_QUERY = { '/api/cluster': 'cluster', '/api/plan': 'plan', '/api/bound': 'bound' } as const;
const WITH_QUERY = {
  '/api/boundary': 'boundary',
  '/api/what-if': 'what-if',
  '/api/cost': 'cost',
  '/api/blockers': 'blockers',
} as const;

/** Returns undefined if the address is not about the picture. */
export function askAt(path: string, query: string): Ask | undefined {
  if (isOf(WITHOUT_QUERY, path)) return { kind: WITHOUT_QUERY[path] };
  if (isOf(WITH_QUERY, path)) return { kind: WITH_QUERY[path], query };
  const name = /^\/api\/nodes\/([^/]+)$/.exec(path)?.[1];
  return name === undefined ? undefined : { kind: 'node', name: decoded(name) };
}

function isOf<T extends object>(table: T, path: string): path is Extract<keyof T, string> {
  return Object.hasOwn(table, path);
}

function decoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    throw new Refused(400, 'the name in the address cannot be read');
  }
}
