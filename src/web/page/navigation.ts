import { batch, computed, signal } from '@preact/signals';
import { REPORT_ELEMENT } from '../report-content.ts';
import { nodePath, routeOf, VIEWS, type ViewInfo } from './route.ts';

/** A report is one file: its view is in the hash. */
const inReport = document.getElementById(REPORT_ELEMENT)?.dataset.views?.split(' ');

/** Available views, in the order of the navigation. */
export const views: readonly ViewInfo[] =
  inReport === undefined ? VIEWS : VIEWS.filter(({ view }) => inReport.includes(view));
export const HOME = views[0].path;
export const isReport = inReport !== undefined;
const hasNodes = views.some(({ view }) => view === 'cluster');

const path = signal(here().pathname);
const search = signal(here().search);

/** The same object while the path is the same, even if the query changes. */
export const route = computed(() => {
  const found = routeOf(path.value);
  const isHere = found.view === 'node' ? hasNodes : views.some(({ view }) => view === found.view);
  return isHere ? found : { view: 'unknown' as const, path: path.value };
});
export const query = computed(() => new URLSearchParams(search.value));

export function href(to: string): string {
  return isReport ? `#${to}` : to;
}

/** undefined if there is no view of nodes. */
export function nodeHref(name: string): string | undefined {
  return hasNodes ? href(nodePath(name)) : undefined;
}

export function navigate(to: string): void {
  const [now, next] = [here(), new URL(to, here())];
  if (next.pathname === now.pathname && next.search === now.search) return;
  history.pushState(null, '', href(next.pathname + next.search));
  arrive();
  scrollTo(0, 0);
}

/** Keeps a view's state in its address, without a history entry. */
export function remember(changes: Readonly<Record<string, string | undefined>>): void {
  const url = here();
  for (const [name, value] of Object.entries(changes)) {
    if (value === undefined) url.searchParams.delete(name);
    else url.searchParams.set(name, value);
  }
  history.replaceState(null, '', href(url.pathname + url.search));
  arrive();
}

/** Handles links within the page; the browser handles all others. */
export function followLinks(root: HTMLElement): void {
  addEventListener('popstate', arrive);
  root.addEventListener('click', (event) => {
    if (event.defaultPrevented || event.button !== 0) return;
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    const to = event.target instanceof Element ? event.target.closest('a')?.getAttribute('href') : undefined;
    if (to === undefined || to === null) return;
    const own = !isReport ? to : to.replace(/^#(?=\/)/, '');
    const isWithin = isReport && own.startsWith('#');
    if (!isWithin && !/^\/(?!\/)/.test(own)) return;
    event.preventDefault();
    // In a report the hash is the view, so an anchor must not replace it.
    if (isWithin) document.getElementById(own.slice(1))?.focus();
    else navigate(own);
  });
}

/** Only path and query are used. */
function here(): URL {
  if (!isReport) return new URL(location.href);
  const shown = location.hash.startsWith('#/') ? location.hash.slice(1) : HOME;
  return new URL(shown, 'http://report');
}

function arrive(): void {
  batch(() => {
    path.value = here().pathname;
    search.value = here().search;
  });
}
