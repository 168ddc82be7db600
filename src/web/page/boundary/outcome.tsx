import type { ComponentChildren } from 'preact';
import { count, grouped, perHour } from '../../../report/money.ts';
import type { BoundaryAnswer, BoundaryVerdict, PlannedTotals, SumOfSingles } from '../../api.ts';
import { useRested } from '../rhythm.ts';
import { sumOf } from './local.ts';

interface Properties {
  readonly data: BoundaryAnswer;
  readonly verdicts: readonly BoundaryVerdict[];
  /** The engine has confirmed what the page worked out. */
  readonly isAnswered: boolean;
  readonly children: ComponentChildren;
}

/** Savings and evictions, now and under the question. */
export function Outcome({ data, verdicts, isAnswered, children }: Properties) {
  const asked = isAnswered ? data.sums.asked : sumOf(data.points, verdicts);
  return (
    <div class="outcome">
      <p class="unseen" role="status">
        {useRested(inWords(asked), SPEAK_AFTER_MS)}
      </p>
      <p class="quiet">Each node by itself, summed up:</p>
      <dl class="tiles">
        <Change name="Nodes go" now={data.sums.now.nodes} asked={asked.nodes} words={(n) => grouped(String(n))} />
        <Change
          name="They save"
          now={data.sums.now.savingsCentsPerHour}
          asked={asked.savingsCentsPerHour}
          words={perHour}
        />
        <Change
          name="Evictions"
          now={data.sums.now.evictions}
          asked={asked.evictions}
          words={(n) => grouped(String(n))}
        />
      </dl>
      {children}
    </div>
  );
}

/** A reader that speaks is not told every step of a drag. */
const SPEAK_AFTER_MS = 700;

function inWords({ nodes, savingsCentsPerHour, evictions }: SumOfSingles): string {
  return `${count(nodes, 'node')} would go, saving ${perHour(savingsCentsPerHour)} for ${count(evictions, 'eviction')}`;
}

interface ChangeProperties {
  readonly name: string;
  readonly now: number;
  readonly asked: number;
  readonly words: (value: number) => string;
}

function Change({ name, now, asked, words }: ChangeProperties) {
  const [before, after] = [words(now), words(asked)];
  return (
    <div class="tile">
      <dt>{name}</dt>
      <dd>
        <span class="figure">{after}</span>
        <span class="quiet">{before === after ? 'as now' : `now ${before}`}</span>
      </dd>
    </div>
  );
}

/** What single nodes promise is not what a plan can keep: they compete for the same room. */
export function PlanOutcome({ now, asked }: { now: PlannedTotals; asked: PlannedTotals }) {
  return (
    <>
      <p class="quiet">As one plan, moves that fit together:</p>
      <dl class="tiles">
        <Change name="Planned" now={now.centsPerHour} asked={asked.centsPerHour} words={perHour} />
        <Change name="It saves" now={now.savingsCentsPerHour} asked={asked.savingsCentsPerHour} words={perHour} />
        <Change name="Evictions" now={now.evictions} asked={asked.evictions} words={(n) => grouped(String(n))} />
      </dl>
    </>
  );
}
