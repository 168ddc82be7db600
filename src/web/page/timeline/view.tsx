import { useMemo } from 'preact/hooks';
import { momentInWords } from '../../../report/moment.ts';
import { count, grouped, perHour } from '../../../report/money.ts';
import type { TimelineAnswer, TimelineEvent } from '../../api.ts';
import { useAnswer } from '../answers.ts';
import { Saved } from '../headline.tsx';
import { NamedNodes } from '../named-nodes.tsx';
import { query, remember } from '../navigation.ts';
import { state } from '../state.ts';
import { ViewHeader } from '../view-header.tsx';
import { Waiting } from '../waiting.tsx';
import { Chart } from './chart.tsx';
import { type Span, shifted, spanOf, within, zoomed } from './span.ts';

export function TimelineView() {
  const answer = useAnswer<TimelineAnswer>('/api/timeline').value;
  if (answer.data === undefined) return <Waiting answer={answer} what="the timeline" />;
  const { about, samples, events, eventsDropped } = answer.data;
  return (
    <>
      {about === undefined ? <SoFar answer={answer.data} /> : <ViewHeader name="Timeline" title={about.title} />}
      {about !== undefined && (
        <dl class="tiles">
          {about.facts.map(({ name, value }) => (
            <div key={name} class="tile">
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      )}
      {samples.atMs.length >= 2 ? (
        <Past answer={answer.data} />
      ) : events.length > 0 ? (
        <Events events={events} dropped={eventsDropped} />
      ) : (
        <NoHistory />
      )}
    </>
  );
}

function NoHistory() {
  if (state.value?.source.kind !== 'snapshot')
    return <p class="empty">No history yet: the timeline shows what happens from now on.</p>;
  return (
    <div class="empty">
      <p>A file shows one moment. To see changes over time:</p>
      <ul>
        <li>
          <code>decant serve</code> without <code>-f</code> follows the cluster of the kubeconfig and shows its past
          ConsolidationCommands.
        </li>
        <li>
          <code>decant simulate -f cluster.json --policy calm -o html</code> writes a simulated day as a page.
        </li>
      </ul>
    </div>
  );
}

/** Saved against the baseline, where there is one; otherwise by the commands that are done, or how much was disturbed. */
function SoFar({ answer: { samples, events, done } }: { answer: TimelineAnswer }) {
  const { evictions, reevictions } = samples;
  const since = state.value?.totals.sinceStart;
  if (evictions.length < 2 && events.length === 0) return <ViewHeader name="Timeline" title="No history yet" />;
  const [all, again] = [evictions, reevictions].map((values) => values.at(-1) ?? 0);
  const disturbed = all === 0 ? 'No evictions so far' : `${count(all, 'eviction')} so far`;
  const moved = all === 0 ? '' : `, ${again === 0 ? 'none' : again} of them again within 30 minutes`;
  if (since === undefined && done !== undefined && done.commands > 0)
    return (
      <ViewHeader
        name="Timeline"
        title={`${count(done.commands, 'command')} done: ${perHour(done.savingsCentsPerHour)} saved`}
      >
        <p class="lead">
          {disturbed}
          {moved}.
        </p>
      </ViewHeader>
    );
  if (since === undefined) return <ViewHeader name="Timeline" title={`${disturbed}${moved}`} />;
  return (
    <ViewHeader name="Timeline" title={<Saved since={since} />}>
      <p class="lead">
        Since the start, against {since.baseline}, by {count(since.commands, 'command')}. {disturbed}
        {moved} ({since.baselineEvictions} under {since.baseline}).
      </p>
    </ViewHeader>
  );
}

const COLOURS: Readonly<Record<TimelineEvent['kind'], string>> = {
  begun: 'moves',
  done: 'good',
  abandoned: 'replace',
  launched: 'new',
  leaving: 'delete',
  error: 'delete',
};
const DOLLARS = (cents: number) => (cents === 0 ? '$0' : perHour(cents));
const COUNT = (value: number) => grouped(String(Math.round(value)));

function Past({ answer: { samples, events, eventsDropped } }: { answer: TimelineAnswer }) {
  const { atMs } = samples;
  const whole = { fromMs: atMs[0], toMs: atMs[atMs.length - 1] };
  const [from, to] = [query.value.get('from'), query.value.get('to')];
  const asked = spanOf(from, to);
  const chosen = asked === undefined ? undefined : within(asked, whole);
  const span = chosen ?? whole;
  const zoom = (next: Span | undefined) => {
    const rounded = next === undefined ? undefined : within(next, whole);
    remember({
      from: rounded === undefined ? undefined : String(Math.round(rounded.fromMs)),
      to: rounded === undefined ? undefined : String(Math.round(rounded.toMs)),
    });
  };
  const marks = useMemo(() => events.map(({ atMs: at, kind }) => ({ atMs: at, colour: COLOURS[kind] })), [events]);
  const lines = useMemo(() => linesOf(samples), [samples]);
  const common = { atMs, span, marks, zoom };
  // Commands of the cluster may be older than the charts.
  const seen = chosen === undefined ? events : events.filter(({ atMs: at }) => at >= span.fromMs && at <= span.toMs);
  return (
    <>
      <fieldset class="zoom">
        <legend class="unseen">Zoom</legend>
        <button type="button" onClick={() => zoom(zoomed(chosen, whole, 0.5))}>
          Closer
        </button>
        <button type="button" disabled={chosen === undefined} onClick={() => zoom(zoomed(chosen, whole, 2))}>
          Wider
        </button>
        <button type="button" disabled={chosen === undefined} onClick={() => zoom(shifted(chosen, whole, -0.5))}>
          Earlier
        </button>
        <button type="button" disabled={chosen === undefined} onClick={() => zoom(shifted(chosen, whole, 0.5))}>
          Later
        </button>
        <button type="button" disabled={chosen === undefined} onClick={() => zoom(undefined)}>
          All
        </button>
        <output class="quiet">
          {momentInWords(span.fromMs)} to {momentInWords(span.toMs)}
        </output>
      </fieldset>
      <div class="charts">
        <Chart title="Cost per hour" words={DOLLARS} lines={lines.cost} {...common} />
        <Chart title="Nodes" words={COUNT} isCount lines={lines.nodes} {...common} />
        <Chart title="Evictions since the start" words={COUNT} isCount lines={lines.evictions} {...common} />
        <Chart title="Pending pods" words={COUNT} isCount lines={lines.pending} {...common} />
      </div>
      <p class="quiet">
        Drag across a chart to zoom, double-click to reset. Marks at the bottom are the events listed below.
      </p>
      <Events events={seen} dropped={eventsDropped} />
    </>
  );
}

function linesOf({
  centsPerHour,
  baselineCentsPerHour,
  nodes,
  pendingPods,
  evictions,
  reevictions,
}: TimelineAnswer['samples']) {
  const name = state.value?.totals.sinceStart?.baseline ?? 'baseline';
  const baseline =
    baselineCentsPerHour === undefined ? [] : [{ name, colour: 'quiet', values: baselineCentsPerHour, isDashed: true }];
  return {
    cost: [{ name: 'cost', colour: 'good', values: centsPerHour }, ...baseline],
    nodes: [{ name: 'nodes', colour: 'moves', values: nodes }],
    evictions: [
      { name: 'evictions', colour: 'replace', values: evictions },
      { name: 'again within 30 min', colour: 'delete', values: reevictions },
    ],
    pending: [{ name: 'pending', colour: 'keep', values: pendingPods }],
  };
}

const MOST_ROWS = 200;

function Events({ events, dropped }: { events: readonly TimelineEvent[]; dropped: number }) {
  const shown = events.slice(-MOST_ROWS).reverse();
  return (
    <section class="card" aria-labelledby="events">
      <h2 id="events">Events</h2>
      {shown.length === 0 && <p class="quiet">Nothing in this time.</p>}
      <ol class="events">
        {shown.map((event, i) => (
          <li key={`${event.atMs} ${i}`} class={`event-${event.kind}`}>
            <time dateTime={new Date(event.atMs).toISOString()}>{momentInWords(event.atMs).slice(0, 16)}</time>
            <span>
              <NamedNodes text={event.text} nodes={event.nodes} />
            </span>
          </li>
        ))}
      </ol>
      {events.length + dropped > shown.length && (
        <p class="quiet">{grouped(String(events.length + dropped - shown.length))} older ones are not shown.</p>
      )}
    </section>
  );
}
