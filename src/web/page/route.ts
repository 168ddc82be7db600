export type Route =
  | { readonly view: 'cluster' | 'boundary' | 'plan' | 'cost' | 'blockers' | 'timeline' | 'lab' | 'settings' }
  | { readonly view: 'node'; readonly node: string }
  | { readonly view: 'unknown'; readonly path: string };

type ViewName = Exclude<Route['view'], 'node' | 'unknown'>;

export interface ViewInfo {
  readonly view: ViewName;
  readonly path: string;
  readonly title: string;
}

/** In the order of the navigation. */
export const VIEWS: readonly ViewInfo[] = [
  { view: 'cluster', path: '/', title: 'Cluster' },
  { view: 'plan', path: '/plan', title: 'Plan' },
  { view: 'boundary', path: '/boundary', title: 'Boundary' },
  { view: 'cost', path: '/cost', title: 'Cost' },
  { view: 'blockers', path: '/blockers', title: 'Blockers' },
  { view: 'timeline', path: '/timeline', title: 'Timeline' },
  { view: 'lab', path: '/lab', title: 'Policy lab' },
  { view: 'settings', path: '/settings', title: 'Settings' },
];

const NODES = '/nodes/';

export function routeOf(path: string): Route {
  const plain = path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path;
  const view = VIEWS.find((each) => each.path === plain)?.view;
  if (view !== undefined) return { view };
  const node = plain.startsWith(NODES) ? decoded(plain.slice(NODES.length)) : undefined;
  return node === undefined || node === '' ? { view: 'unknown', path } : { view: 'node', node };
}

export function nodePath(name: string): string {
  return NODES + encodeURIComponent(name);
}

export function routeTitle(route: Route): string {
  if (route.view === 'node') return `Node ${route.node}`;
  return VIEWS.find(({ view }) => view === route.view)?.title ?? 'Not found';
}

/** undefined for an invalid percent encoding. */
function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
