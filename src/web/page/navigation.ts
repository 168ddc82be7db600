import { computed, signal } from '@preact/signals';
import { routeOf } from './route.ts';

const here = signal({ path: location.pathname, query: location.search });

export const route = computed(() => routeOf(here.value.path));
export const query = computed(() => new URLSearchParams(here.value.query));

export function navigate(to: string): void {
  const url = new URL(to, location.href);
  if (url.pathname === location.pathname && url.search === location.search) return;
  history.pushState(null, '', url);
  arrive();
  scrollTo(0, 0);
}

/** What the view was told to show, kept in its address; not a step that "back" would undo. */
export function remember(changes: Readonly<Record<string, string | undefined>>): void {
  const url = new URL(location.href);
  for (const [name, value] of Object.entries(changes)) {
    if (value === undefined) url.searchParams.delete(name);
    else url.searchParams.set(name, value);
  }
  history.replaceState(null, '', url);
  arrive();
}

/** Links within the page are followed here, whoever made them; all others by the browser. */
export function followLinks(root: HTMLElement): void {
  addEventListener('popstate', arrive);
  root.addEventListener('click', (event) => {
    if (event.defaultPrevented || event.button !== 0) return;
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    const link = event.target instanceof Element ? event.target.closest('a') : null;
    const address = link instanceof HTMLAnchorElement ? new URL(link.href) : undefined;
    if (address === undefined || address.origin !== location.origin || address.hash !== '') return;
    event.preventDefault();
    navigate(address.href);
  });
}

function arrive(): void {
  here.value = { path: location.pathname, query: location.search };
}
