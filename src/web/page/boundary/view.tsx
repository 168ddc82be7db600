import { useMemo, useState } from 'preact/hooks';
import { count } from '../../../report/money.ts';
import type { BoundaryAnswer, WhatIfAnswer } from '../../api.ts';
import { useAnswer } from '../answers.ts';
import { navigate, query, remember } from '../navigation.ts';
import { useLast, useRested, useThrottled } from '../rhythm.ts';
import { nodePath } from '../route.ts';
import { state } from '../state.ts';
import { Waiting } from '../waiting.tsx';
import { Configuration } from '../yaml.tsx';
import { Controls } from './controls.tsx';
import { Flips } from './flips.tsx';
import { type PointKind, underThreshold } from './local.ts';
import { Outcome, PlanOutcome } from './outcome.tsx';
import { Plot } from './plot.tsx';
import { asksAnything, KNOBS, type Knob, type Knobs, knobsOf, ownThreshold, questionPath } from './question.ts';

/** Questions to the engine while a slider moves. */
const ASK_EVERY_MS = 120;
/** A finger that rests this long wants to know what the whole plan would be. */
const REST_MS = 350;

export function BoundaryView() {
  // What a finger is on is not in the address yet.
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
      <header class="headline">
        <h1 class="plain">Decision boundary</h1>
        <p class="lead">
          What a node must save for what it disturbs. Drag the line: nodes on or above it go, if nothing else keeps
          them.
        </p>
      </header>
      {answer.data === undefined && answer.failure !== undefined && (
        <>
          <Waiting answer={answer} what="candidates" />
          <button type="button" onClick={reset}>
            As it is now
          </button>
        </>
      )}
      {data === undefined ? (
        answer.failure === undefined && <Waiting answer={answer} what="candidates" />
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
  const pools = useLast(knobs.pool === undefined ? data.names.pools : undefined) ?? [knobs.pool ?? ''];
  return (
    <>
      <label class="pool-choice">
        NodePool{' '}
        <select
          value={knobs.pool ?? ''}
          onChange={(event) => turn('pool', event.currentTarget.value || undefined, true)}
        >
          <option value="">all</option>
          {pools.map((pool) => (
            <option key={pool} value={pool}>
              {pool}
            </option>
          ))}
        </select>
      </label>
      {points.node.length === 0 ? (
        <p class="empty">No node could be removed, however the knobs stand: the cluster view says what keeps each.</p>
      ) : (
        <div class="boundary">
          <div class="boundary-plot">
            <Plot
              answer={data}
              verdicts={verdicts}
              threshold={threshold}
              drag={(value, rests) => turn('threshold', String(value), rests)}
              open={(node) => navigate(nodePath(node))}
            />
            <Legend />
            <p class="quiet">
              {count(points.node.length, 'candidate')}, each by itself. Both axes are square roots, so that the small
              are seen too and the line stays straight.
            </p>
          </div>
          <div>
            <Outcome data={data} verdicts={verdicts} isAnswered={isAnswered}>
              {asksAnything(knobs) ? <WholePlan knobs={knobs} /> : <PlanAsItIs />}
            </Outcome>
            <Controls answer={data} knobs={knobs} threshold={threshold} turn={turn} reset={reset} />
          </div>
        </div>
      )}
      <Flips data={data} verdicts={verdicts} />
      <section aria-labelledby="paste">
        <h2 id="paste">What to paste</h2>
        {asksAnything(knobs) ? (
          <Configuration configuration={data.configuration} />
        ) : (
          <p class="quiet">Move a knob, and what would set it so is here to copy.</p>
        )}
      </section>
    </>
  );
}

const LEGEND: readonly { readonly kind: PointKind; readonly words: string }[] = [
  { kind: 'delete', words: 'deleted' },
  { kind: 'replace', words: 'replaced' },
  { kind: 'stays', words: 'stays' },
  { kind: 'in', words: 'would go then' },
  { kind: 'out', words: 'would stay then' },
];

function Legend() {
  return (
    <ul class="legend">
      {LEGEND.map(({ kind, words }) => (
        <li key={kind} class={kind}>
          <i class="dot" />
          {words}
        </li>
      ))}
    </ul>
  );
}

/** Nothing is asked: the plan that there is. */
function PlanAsItIs() {
  const planned = state.value?.totals.planned;
  if (planned === undefined) return <p class="quiet">The whole plan: being made…</p>;
  return <PlanOutcome now={planned} asked={planned} />;
}

function WholePlan({ knobs }: { knobs: Knobs }) {
  const path = useRested(questionPath('what-if', knobs), REST_MS);
  if (path === undefined) return <p class="quiet">The whole plan: when the line rests.</p>;
  return <Asked path={path} />;
}

function Asked({ path }: { path: string }) {
  const { data, failure } = useAnswer<WhatIfAnswer>(path).value;
  if (failure !== undefined) return <p class="quiet">The whole plan: {failure.message}</p>;
  if (data === undefined) return <p class="quiet">The whole plan: being made…</p>;
  return <PlanOutcome now={data.now} asked={data.asked} />;
}
