import { useMemo, useState } from 'preact/hooks';
import { count } from '../../../report/money.ts';
import type { BoundaryAnswer, WhatIfAnswer } from '../../api.ts';
import { useAnswer } from '../answers.ts';
import { useLast, useRested, useThrottled } from '../delayed-values.ts';
import { href, navigate, query, remember } from '../navigation.ts';
import { nodePath } from '../route.ts';
import { state } from '../state.ts';
import { ViewHeader } from '../view-header.tsx';
import { Waiting } from '../waiting.tsx';
import { Configuration } from '../yaml.tsx';
import { Controls } from './controls.tsx';
import { Flips } from './flips.tsx';
import { type PointKind, sumOfPoints, underThreshold } from './local.ts';
import { BoundaryOutcome, PlanOutcome } from './outcome.tsx';
import { Plot } from './plot.tsx';
import { asksAnything, KNOBS, type Knob, type Knobs, knobsOf, ownThreshold, questionPath } from './question.ts';

/** Time between requests during a drag. */
const ASK_EVERY_MS = 120;
/** After this long without movement, the whole plan is requested. */
const REST_MS = 350;

export function BoundaryView() {
  // Values during a drag are not in the address yet.
  const [held, setHeld] = useState<Knobs>({});
  const fromAddress = query.value;
  const knobs = useMemo(() => ({ ...knobsOf(fromAddress), ...held }), [fromAddress, held]);
  const path = useThrottled(questionPath('boundary', knobs), ASK_EVERY_MS);
  const answer = useAnswer<BoundaryAnswer>(path).value;
  const data = useLast(answer.data);

  const turn = (knob: Knob, value: string | undefined, rests: boolean) => {
    if (!rests) return setHeld({ ...held, [knob]: value });
    setHeld({});
    remember({ [knob]: value });
  };
  const reset = () => {
    setHeld({});
    remember(Object.fromEntries(KNOBS.map((knob) => [knob, undefined])));
  };
  return (
    <>
      {answer.data === undefined && answer.failure !== undefined && (
        <>
          <Waiting answer={answer} what="nodes" />
          <button type="button" onClick={reset}>
            Current settings
          </button>
        </>
      )}
      {data === undefined ? (
        answer.failure === undefined && <Waiting answer={answer} what="nodes" />
      ) : (
        <Drawn data={data} knobs={knobs} turn={turn} reset={reset} />
      )}
    </>
  );
}

interface DrawnProperties {
  readonly data: BoundaryAnswer;
  readonly knobs: Knobs;
  readonly turn: (knob: Knob, value: string | undefined, rests: boolean) => void;
  readonly reset: () => void;
}

function Drawn({ data, knobs, turn, reset }: DrawnProperties) {
  const { points } = data;
  const threshold = knobs.threshold === undefined ? ownThreshold(data) : Number(knobs.threshold);
  const isAnswered = knobs.threshold === undefined || data.question.threshold === threshold;
  const verdicts = useMemo(
    () => (isAnswered ? points.asked : underThreshold(points, threshold)),
    [points, isAnswered, threshold],
  );
  const asked = isAnswered ? data.sums.asked : sumOfPoints(points, verdicts);
  return (
    <>
      <ViewHeader name="Decision boundary" title={titleOf(points.node.length, data.sums.now.nodes, asked.nodes)}>
        <p class="lead">
          The savings that justify a disruption. Drag the line: nodes on or above it are removed unless something else
          keeps them.
        </p>
      </ViewHeader>
      {points.node.length === 0 ? (
        <div class="card stack">
          {knobs.pool !== undefined && <PoolChoice data={data} knobs={knobs} turn={turn} />}
          <p class="empty">
            No setting here would remove a node: <a href={href('/')}>the cluster view</a> shows what keeps each one.
          </p>
        </div>
      ) : (
        <div class="boundary">
          <div class="card">
            <PoolChoice data={data} knobs={knobs} turn={turn} />
            <Plot
              answer={data}
              verdicts={verdicts}
              threshold={threshold}
              drag={(value, rests) => turn('threshold', String(value), rests)}
              open={(node) => navigate(nodePath(node))}
            />
            <Legend />
            <p class="quiet">
              {count(points.node.length, 'node')}, each evaluated alone. Both axes have square-root scales, which spread
              small values and keep the line straight.
            </p>
          </div>
          <div class="stack">
            <BoundaryOutcome now={data.sums.now} asked={asked}>
              {asksAnything(knobs) ? <WholePlan knobs={knobs} /> : <PlanAsItIs />}
            </BoundaryOutcome>
            <Controls answer={data} knobs={knobs} threshold={threshold} turn={turn} reset={reset} />
          </div>
        </div>
      )}
      {points.node.length > 0 && !asksAnything(knobs) && (
        <p class="quiet">Change a setting to see which nodes would change, and the configuration to paste.</p>
      )}
      {points.node.length > 0 && asksAnything(knobs) && (
        <>
          <Flips data={data} verdicts={verdicts} />
          <section class="card" aria-labelledby="paste">
            <h2 id="paste">Configuration to paste</h2>
            <Configuration configuration={data.configuration} />
          </section>
        </>
      )}
    </>
  );
}

/** `nodes`: nodes that some setting of the knobs could make candidates, which is more than are candidates now. */
function titleOf(nodes: number, now: number, asked: number): string {
  if (nodes === 0) return 'No removable nodes';
  const of = `of ${count(nodes, 'node')}`;
  if (asked === now) return `${asked} ${of} would be removed`;
  return `${asked} ${of} would be removed, ${Math.abs(asked - now)} ${asked > now ? 'more' : 'fewer'} than now`;
}

function PoolChoice({ data, knobs, turn }: Omit<DrawnProperties, 'reset'>) {
  const pools = useLast(knobs.pool === undefined ? data.names.pools : undefined) ?? [knobs.pool ?? ''];
  return (
    <label class="pool-choice">
      NodePool{' '}
      <select value={knobs.pool ?? ''} onChange={(event) => turn('pool', event.currentTarget.value || undefined, true)}>
        <option value="">all</option>
        {pools.map((pool) => (
          <option key={pool} value={pool}>
            {pool}
          </option>
        ))}
      </select>
    </label>
  );
}

const LEGEND: readonly { readonly kind: PointKind; readonly words: string }[] = [
  { kind: 'delete', words: 'deleted' },
  { kind: 'replace', words: 'replaced' },
  { kind: 'stays', words: 'stays' },
  { kind: 'in', words: 'would be removed' },
  { kind: 'out', words: 'would stay' },
];

function Legend() {
  return (
    <ul class="legend points">
      {LEGEND.map(({ kind, words }) => (
        <li key={kind} class={kind}>
          <i class="dot" />
          {words}
        </li>
      ))}
    </ul>
  );
}

/** Without a question: the current plan. */
function PlanAsItIs() {
  const planned = state.value?.totals.planned;
  if (planned === undefined) return <PlanOutcome wait="being made" />;
  return <PlanOutcome now={planned} asked={planned} />;
}

function WholePlan({ knobs }: { knobs: Knobs }) {
  const path = useRested(questionPath('what-if', knobs), REST_MS);
  if (path === undefined) return <PlanOutcome now={state.value?.totals.planned} wait="when the line rests" />;
  return <Asked path={path} />;
}

function Asked({ path }: { path: string }) {
  const { data, failure } = useAnswer<WhatIfAnswer>(path).value;
  if (failure !== undefined) return <PlanOutcome now={state.value?.totals.planned} wait={failure.message} />;
  if (data === undefined) return <PlanOutcome now={state.value?.totals.planned} wait="being made" />;
  return <PlanOutcome now={data.now} asked={data.asked} />;
}
