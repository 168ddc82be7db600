import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { momentInWords } from '../../report/moment.ts';
import { grouped, perHour } from '../../report/money.ts';
import type { StateAnswer } from '../api.ts';
import { BlockersView } from './blockers/view.tsx';
import { BoundaryView } from './boundary/view.tsx';
import { ClusterPage } from './cluster/view.tsx';
import { CostView } from './cost/view.tsx';
import { ErrorBoundary } from './error-boundary.tsx';
import { MoneyInBrief } from './headline.tsx';
import { LabView } from './lab/view.tsx';
import { HOME, href, route, views } from './navigation.ts';
import { NodeView } from './node/view.tsx';
import { PlanView } from './plan/view.tsx';
import { type Route, routeTitle } from './route.ts';
import { SettingsView } from './settings/view.tsx';
import { connection, state } from './state.ts';
import { ThemeButton } from './theme-button.tsx';
import { TimelineView } from './timeline/view.tsx';
import { tokenWanted } from './token.ts';
import { TokenForm } from './token-form.tsx';

/** The frame around every view. */
export function Frame() {
  const shown = route.value;
  useTitle(shown.view === 'cluster' ? (moneyInWords(state.value) ?? routeTitle(shown)) : routeTitle(shown), shown);
  return (
    <>
      <a class="skip" href="#content">
        Skip to content
      </a>
      <header class="top">
        <a class="brand" href={href(HOME)} aria-label={`Decant, ${views[0].title.toLowerCase()}`}>
          <svg viewBox="0 0 16 16" aria-hidden="true">
            <path d="M1.5 2.5h13v3h-13zM3.8 6.7h8.4v3H3.8zM6 10.9h4v3H6z" />
          </svg>
          Decant
        </a>
        {views.length > 1 && (
          <nav aria-label="Views">
            {views.map(({ view, path, title: name }) => (
              <a
                key={view}
                href={href(path)}
                data-title={name}
                aria-current={isWithin(shown, view) ? 'page' : undefined}
              >
                {name}
              </a>
            ))}
          </nav>
        )}
        <div class="about">
          {state.value !== undefined && <About state={state.value} />}
          <ThemeButton />
        </div>
      </header>
      <Notices />
      <main id="content" tabIndex={-1}>
        {tokenWanted.value ? (
          <TokenForm />
        ) : (
          <ErrorBoundary key={`${shown.view} ${shown.view === 'node' ? shown.node : ''}`}>
            <View route={shown} />
          </ErrorBoundary>
        )}
      </main>
    </>
  );
}

/** The view of a node counts as the cluster's. */
function isWithin(shown: Route, view: string): boolean {
  return shown.view === view || (shown.view === 'node' && view === 'cluster');
}

const VIEWS = {
  cluster: ClusterPage,
  boundary: BoundaryView,
  plan: PlanView,
  cost: CostView,
  blockers: BlockersView,
  timeline: TimelineView,
  lab: LabView,
  settings: SettingsView,
};

function View({ route: shown }: { route: Route }): ComponentChildren {
  if (shown.view === 'node') return <NodeView key={shown.node} name={shown.node} />;
  if (shown.view !== 'unknown') {
    const Shown = VIEWS[shown.view];
    return <Shown />;
  }
  return (
    <div class="empty">
      <h1>Nothing here</h1>
      <p>
        There is no view at <code>{shown.path}</code>. <a href={href(HOME)}>{views[0].title}</a> is a good place to
        begin.
      </p>
    </div>
  );
}

/** Sets the document's title; after navigation, moves the focus to the content. */
function useTitle(title: string, shown: Route): void {
  const first = useRef(true);
  useEffect(() => {
    document.title = `${title} · Decant`;
  }, [title]);
  useEffect(() => {
    bringIntoView();
    if (!first.current) document.getElementById('content')?.focus({ preventScroll: true });
    first.current = false;
  }, [shown]);
}

/**
 * On a phone the navigation may be wider than the screen. Scrolls only the navigation, so that Tab starts at the top.
 */
function bringIntoView(): void {
  const nav = document.querySelector('nav');
  const link = nav?.querySelector('[aria-current]');
  if (nav === null || link === null || link === undefined) return;
  const [outer, inner] = [nav.getBoundingClientRect(), link.getBoundingClientRect()];
  nav.scrollLeft += inner.left - outer.left - (outer.width - inner.width) / 2;
}

function moneyInWords(now: StateAnswer | undefined): string | undefined {
  if (now === undefined || now.totals.centsPerHour === 0) return undefined;
  const { centsPerHour, planned } = now.totals;
  const to = planned === undefined || planned.moves === 0 ? '' : ` → ${perHour(planned.centsPerHour)}`;
  return `${perHour(centsPerHour)}${to}`;
}

const MODES = {
  'read-only': 'read-only',
  follow: 'read-only',
  observe: 'Decant observes',
  act: 'Decant acts',
} as const;
/** Where a moment's time begins, after its date. */
const TIME_OF_DAY = 11;
const SOURCES = { snapshot: 'snapshot', demo: 'simulated', live: 'live' } as const;

function About({ state: { source, nowMs, mode, totals, speed } }: { state: StateAnswer }) {
  const words = source.kind === 'live' ? MODES[mode] : SOURCES[source.kind];
  return (
    <p>
      {route.value.view !== 'cluster' && <MoneyInBrief totals={totals} />}
      <span class="pill" title={`${SOURCES[source.kind]}: ${MODES[mode]}`}>
        {words}
      </span>
      <span class="source" title={source.name}>
        {source.name}
      </span>
      <time class="quiet" dateTime={new Date(nowMs).toISOString()} title={momentInWords(nowMs)}>
        {source.kind === 'live' ? momentInWords(nowMs).slice(TIME_OF_DAY) : momentInWords(nowMs)}
        {speed !== undefined && (
          <span title="faster than real time"> ×{grouped(String(Math.round(speed / 1000)))}</span>
        )}
      </time>
    </p>
  );
}

/** Warnings and errors. */
function Notices() {
  const health = state.value?.health;
  return (
    <div class="notices" role="status">
      {connection.value === 'lost' && !tokenWanted.value && (
        <p class="notice error">Connection lost, retrying. Showing the last known state.</p>
      )}
      {health !== undefined && health.status !== 'ok' && <p class={`notice ${health.status}`}>{health.message}</p>}
    </div>
  );
}
