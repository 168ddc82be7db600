import type { ComponentChildren } from 'preact';
import { savedInWords } from '../../lab/figures.ts';
import { count, perHour, perMonth } from '../../report/money.ts';
import type { PlannedTotals, SinceStart, StateAnswer, Totals } from '../api.ts';
import { href } from './navigation.ts';

/** Current cost, planned cost, and evictions. */
export function Headline({ state }: { state: StateAnswer }) {
  const { totals, planning } = state;
  const { nodes, pods, pendingPods, planned, sinceStart } = totals;
  return (
    <header class="headline">
      <Money totals={totals} />
      <p class="lead">{nodes === 0 ? 'The cluster is empty.' : <Lead totals={totals} planning={planning} />}</p>
      {sinceStart !== undefined && sinceStart.commands > 0 && <Realised since={sinceStart} />}
      {planned !== undefined && planned.savingsCentsPerHour > 0 && (
        <Bar planned={planned.centsPerHour} now={totals.centsPerHour} />
      )}
      <p class="quiet">
        {count(nodes, 'node')}, {count(pods, 'pod')}
        {pendingPods > 0 ? `, ${pendingPods} of them without a node` : ''}.
      </p>
    </header>
  );
}

function Money({ totals }: { totals: Totals }) {
  const { centsPerHour, planned, nodes } = totals;
  if (nodes === 0) return <h1>No nodes</h1>;
  if (centsPerHour === 0) return <h1>No prices</h1>;
  if (planned === undefined || planned.moves === 0) return <h1>{perHour(centsPerHour)}</h1>;
  return (
    <h1>
      {perHour(centsPerHour)} <Arrow />
      <span class="unseen"> now, planned </span> <span class="good">{perHour(planned.centsPerHour)}</span>
    </h1>
  );
}

/** An SVG, because not every font has the arrow. */
function Arrow() {
  return (
    <svg class="arrow" viewBox="0 0 24 16" aria-hidden="true">
      <path d="M1 8h21M15 1l7 7-7 7" />
    </svg>
  );
}

function Lead({ totals, planning }: Pick<StateAnswer, 'totals' | 'planning'>): ComponentChildren {
  const { centsPerHour, planned } = totals;
  if (centsPerHour === 0)
    return 'No node has a known price, so savings cannot be computed. Choose a catalog with --catalog.';
  if (planned === undefined) {
    const share = planning.state === 'working' ? planning.share : 0;
    return (
      <label>
        Looking for a plan… <progress value={share} />
      </label>
    );
  }
  if (planned.moves === 0) return 'Nothing to do now: no move saves money, or something keeps the nodes.';
  return <Offer planned={planned} now={centsPerHour} />;
}

function Offer({ planned, now }: { planned: PlannedTotals; now: number }) {
  const { savingsCentsPerHour: saved, evictions, moves, waves, held } = planned;
  return (
    <>
      <b class="good">
        Saves {perHour(saved)} ({((100 * saved) / now).toFixed(1)} %)
      </b>
      , {perMonth(saved)} a month, for {count(evictions, 'eviction')} in{' '}
      <a href={href('/plan')}>{count(moves, 'move')}</a>
      {waves > 1 ? `, ${count(waves, 'wave')}` : ''}
      {held === undefined ? '' : `; ${heldInWords(held, moves)}`}.
    </>
  );
}

function heldInWords(held: number, moves: number): string {
  if (held === moves) return moves === 1 ? 'it is held back for now' : 'they are held back for now';
  return `${held} of them are held back for now`;
}

/** Savings so far. */
function Realised({ since }: { since: SinceStart }) {
  const { baseline, baselineEvictions, evictions, commands } = since;
  return (
    <p class="lead">
      <Saved since={since} /> since the start against {baseline}, with {count(evictions, 'eviction')} by{' '}
      <a href={href('/timeline')}>{count(commands, 'command')}</a> against {baselineEvictions}.
    </p>
  );
}

export function Saved({ since: { costDollars, baselineDollars } }: { since: SinceStart }) {
  const words = savedInWords(costDollars, baselineDollars);
  return (
    <b class={costDollars < baselineDollars ? 'good' : undefined}>{words.charAt(0).toUpperCase() + words.slice(1)}</b>
  );
}

/** The share of the cost that remains. */
function Bar({ planned, now }: { planned: number; now: number }) {
  const share = Math.max(0, Math.min(1, planned / now));
  return (
    <svg class="bar" viewBox="0 0 1000 12" preserveAspectRatio="none" aria-hidden="true">
      <rect class="planned" width={1000 * share} height="12" />
      <rect class="saved" x={1000 * share} width={1000 * (1 - share)} height="12" />
    </svg>
  );
}

/** Short form for the frame of the other views. */
export function MoneyInBrief({ totals }: { totals: Totals }) {
  const { centsPerHour, planned } = totals;
  if (centsPerHour === 0) return null;
  return (
    <span class="money">
      {perHour(centsPerHour)}
      {planned !== undefined && planned.moves > 0 && (
        <>
          {' '}
          → <b class="good">{perHour(planned.centsPerHour)}</b>
        </>
      )}
    </span>
  );
}
