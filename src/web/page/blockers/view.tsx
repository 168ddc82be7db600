import { useEffect, useState } from 'preact/hooks';
import type { BlockerEntry, BlockersDocument } from '../../../report/blockers-document.ts';
import { momentInWords } from '../../../report/moment.ts';
import { count, perHour, perMonth } from '../../../report/money.ts';
import { notBlockedInWords } from '../../../report/stay-words.ts';
import type { BlockersAnswer } from '../../money-api.ts';
import { type Answer, ask, version } from '../answers.ts';
import { CopyButton } from '../copy-button.tsx';
import { CsvButton } from '../csv-button.tsx';
import { NamedNodes } from '../named-nodes.tsx';
import { query, remember } from '../navigation.ts';
import { ShareBar } from '../share-bar.tsx';
import { ViewHeader } from '../view-header.tsx';
import { Waiting } from '../waiting.tsx';

const MAX_NAMES = 6;

/** What keeps nodes from being removed, by cost. Priced when the view opens, and on demand. */
export function BlockersView() {
  const owner = query.value.get('owner') ?? '';
  const [answer, setAnswer] = useState<Answer<BlockersAnswer>>({});
  const [round, setRound] = useState(0);
  useEffect(() => {
    const left = new AbortController();
    void untilPriced(owner, round > 0, left.signal, setAnswer);
    return () => left.abort();
  }, [owner, round]);
  const { data } = answer;
  if (data === undefined) return <Waiting answer={answer} what="blockers" />;
  if (data.document === undefined) return <Pricing progress={data.progress} />;
  const { document, labels = [], nowMs, version: of } = data;
  return (
    <>
      <Headline document={document} />
      <div class="title">
        {labels.length > 0 && <OwnerLabel owner={owner} labels={labels} />}
        {document.blockers.length > 0 && <CsvButton name="blockers" rows={() => csvRows(document)} />}
        {of !== version.value && (
          <p class="quiet">
            Priced at {momentInWords(nowMs)}.{' '}
            <button
              type="button"
              onClick={() => {
                setAnswer({});
                setRound(round + 1);
              }}
            >
              Price again
            </button>
          </p>
        )}
      </div>
      <Entries document={document} />
    </>
  );
}

/** Costs are empty where a blocker was not priced. */
function csvRows({ blockers }: BlockersDocument) {
  const dollars = (cents: number | null) => (cents === null ? null : cents / 100);
  return [
    ['Blocker', 'Namespace', 'Owner', 'Dollars per hour alone', 'With others', 'Others', 'Nodes', 'To remove it'],
    ...blockers.map((b) => [
      b.title,
      b.namespace,
      b.owner,
      dollars(b.aloneCentsPerHour),
      dollars(b.jointCentsPerHour),
      b.others.join('; '),
      b.nodes.join(' '),
      b.remedy,
    ]),
  ];
}

function OwnerLabel({ owner, labels }: { owner: string; labels: readonly string[] }) {
  return (
    <label>
      Owner label{' '}
      <select value={owner} onChange={(event) => remember({ owner: event.currentTarget.value || undefined })}>
        <option value="">none</option>
        {(owner === '' || labels.includes(owner) ? labels : [...labels, owner]).map((key) => (
          <option key={key}>{key}</option>
        ))}
      </select>
    </label>
  );
}

/** Requests until there is a document, showing every answer. */
async function untilPriced(
  owner: string,
  isFresh: boolean,
  left: AbortSignal,
  show: (answer: Answer<BlockersAnswer>) => void,
): Promise<void> {
  const parameters = new URLSearchParams(owner === '' ? {} : { owner });
  if (isFresh) parameters.set('fresh', 'true');
  for (;;) {
    const query = parameters.size === 0 ? '' : `?${parameters}`;
    const answer = await ask<BlockersAnswer>(`/api/blockers${query}`, { signal: left });
    if (left.aborted) return;
    show(answer);
    if (answer.data === undefined || answer.data.document !== undefined) return;
    parameters.delete('fresh');
  }
}

function Pricing({
  progress: { done, plans, share } = { done: 0, plans: 1, share: 0 },
}: {
  progress?: BlockersAnswer['progress'];
}) {
  return (
    <div class="empty">
      <h1>Blockers</h1>
      <label>
        Pricing… {count(done, 'plan')} of about {plans} <progress value={share} />
      </label>
      <p class="quiet">Each blocker takes two plans: without it, and without all blockers of its nodes.</p>
    </div>
  );
}

function Headline({ document }: { document: BlockersDocument }) {
  const { blockers, totalCentsPerHour, plannedSavingsCentsPerHour } = document;
  const notBlocked = notBlockedInWords(document).map((text) => (
    <p class="quiet" key={text}>
      {text}.
    </p>
  ));
  const saves = perHour(plannedSavingsCentsPerHour);
  const plan = `The plan saves ${saves === perHour(0) ? 'nothing' : saves}`;
  const planned = `${plan} with the blockers in place.`;
  if (blockers.length === 0)
    return (
      <ViewHeader name="Blockers" title="No blockers">
        <p class="lead">{plan}.</p>
        {notBlocked}
      </ViewHeader>
    );
  if (totalCentsPerHour === 0)
    return (
      <ViewHeader name="Blockers" title={`${count(blockers.length, 'blocker')}, and none costs anything`}>
        <p class="lead">
          Without {blockers.length === 1 ? 'it' : 'them'} a plan would save no more. {planned}
        </p>
        {notBlocked}
      </ViewHeader>
    );
  return (
    <ViewHeader
      name="Blockers"
      title={`${count(blockers.length, 'blocker')} cost${blockers.length === 1 ? 's' : ''} ${perMonth(totalCentsPerHour)} a month`}
    >
      <p class="lead">
        Without them a plan would save {perHour(totalCentsPerHour)} more. {planned}
      </p>
      <p class="quiet">
        Each figure is the difference between two plans. The rows do not add up: two moves may need the same free
        capacity, and two blockers on one node are worth nothing alone.
      </p>
      {notBlocked}
    </ViewHeader>
  );
}

function Entries({ document: { blockers } }: { document: BlockersDocument }) {
  const worth = blockers.filter(({ jointCentsPerHour }) => (jointCentsPerHour ?? 0) > 0);
  const free = blockers.filter(({ jointCentsPerHour }) => jointCentsPerHour === 0);
  const untried = blockers.length - worth.length - free.length;
  const most = Math.max(...worth.map(({ jointCentsPerHour }) => jointCentsPerHour ?? 0), 1e-9);
  return (
    <>
      <ol class="blockers">
        {worth.map((each) => (
          <Entry key={each.title} entry={each} most={most} />
        ))}
      </ol>
      {free.length > 0 && (
        <details class="card" open={worth.length === 0}>
          <summary>{`${count(free.length, worth.length === 0 ? 'blocker' : 'other blocker')}: removing ${free.length === 1 ? 'it' : 'them'} would save nothing`}</summary>
          <ul>
            {free.map(({ title, nodes }) => (
              <li key={title}>
                <NamedNodes text={title} nodes={nodes} />
              </li>
            ))}
          </ul>
        </details>
      )}
      {untried > 0 && (
        <p class="quiet">
          {untried} more not priced: <code>decant blockers --limit {blockers.length}</code> prices all.
        </p>
      )}
    </>
  );
}

function Entry({ entry, most }: { entry: BlockerEntry; most: number }) {
  const { title, namespace, owner, nodes, aloneCentsPerHour, jointCentsPerHour, others, remedy } = entry;
  const joint = jointCentsPerHour ?? 0;
  const named = nodes.slice(0, MAX_NAMES);
  const rest = nodes.length - named.length;
  return (
    <li class="card">
      <h2>
        <span class="number good">{perMonth(joint)}</span> {title}
      </h2>
      <ShareBar share={joint / most} />
      <p>
        {joint === aloneCentsPerHour
          ? `${perMonth(joint)} a month if it is removed.`
          : `${perMonth(aloneCentsPerHour ?? 0)} a month alone, ${perMonth(joint)} together with: ${others.join('; ')}.`}
      </p>
      <p class="quiet">
        {[namespace === null ? '' : `namespace ${namespace}`, owner === null ? '' : `owner ${owner}`]
          .filter((text) => text !== '')
          .map((text) => `${text}, `)
          .join('')}
        {count(nodes.length, 'node')}: <NamedNodes text={named.join(', ')} nodes={named} />
        {rest > 0 && ` and ${rest} more`}
      </p>
      <p class="remedy">
        {remedy.startsWith('kubectl ') ? (
          <>
            <code>{remedy}</code> <CopyButton text={remedy} />
          </>
        ) : (
          `To remove it: ${remedy}.`
        )}
      </p>
    </li>
  );
}
