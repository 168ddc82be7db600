import { batch, computed, signal } from '@preact/signals';
import { routeOf } from './route.ts';

const path = signal(location.pathname);
const search = signal(location.search);

/** The same object for as long as the path is the same, whatever becomes of the query. */
export const route = computed(() => routeOf(path.value));
export const query = computed(() => new URLSearchParams(search.value));

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
  batch(() => {
    path.value = location.pathname;
    search.value = location.search;
  });
}
