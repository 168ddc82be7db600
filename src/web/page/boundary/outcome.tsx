import type { ComponentChildren } from 'preact';
import { count, grouped, perHour } from '../../../report/money.ts';
import type { PlannedTotals, SumOfSingles } from '../../api.ts';
import { useRested } from '../delayed-values.ts';
import { Tile } from '../tile.tsx';

interface Properties {
  readonly now: SumOfSingles;
  readonly asked: SumOfSingles;
  readonly children: ComponentChildren;
}

/** Savings and evictions, now and under the question. */
export function BoundaryOutcome({ now, asked, children }: Properties) {
  return (
    <div class="outcome card">
      <p class="quiet">Sum of the nodes, each by itself:</p>
      <dl class="tiles">
        <Change name="Nodes removed" now={now.nodes} asked={asked.nodes} words={rounded} />
        <Change name="Savings" now={now.savingsCentsPerHour} asked={asked.savingsCentsPerHour} words={perHour} />
        <Change name="Evictions" now={now.evictions} asked={asked.evictions} words={rounded} />
      </dl>
      {children}
      <p class="unseen" role="status">
        {useRested(inWords(asked), SPEAK_AFTER_MS)}
      </p>
    </div>
  );
}

/** Screen readers announce a drag only after this pause. */
const SPEAK_AFTER_MS = 700;

function inWords({ nodes, savingsCentsPerHour, evictions }: SumOfSingles): string {
  return `${count(nodes, 'node')} would be removed, saving ${perHour(savingsCentsPerHour)} for ${count(evictions, 'eviction')}`;
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
    <Tile name={name} note={before === after ? 'as now' : `now ${before}`}>
      {after}
    </Tile>
  );
}

interface PlanProperties {
  readonly now?: PlannedTotals;
  /** undefined while `wait` says why; takes the same space, so that the sliders do not move. */
  readonly asked?: PlannedTotals;
  readonly wait?: string;
}

/** The plan saves less than the sum over single nodes, which compete for the same free capacity. */
export function PlanOutcome({ now, asked, wait }: PlanProperties) {
  const change = (name: string, of: (totals: PlannedTotals) => number, words: (value: number) => string) => {
    if (now !== undefined && asked !== undefined)
      return <Change name={name} now={of(now)} asked={of(asked)} words={words} />;
    return (
      <Tile name={name} note={now === undefined ? '\u00a0' : `now ${words(of(now))}`}>
        …
      </Tile>
    );
  };
  return (
    <>
      <p class="quiet">As one plan, {wait ?? 'moves that fit together'}:</p>
      <dl class="tiles">
        {change('Planned', ({ centsPerHour }) => centsPerHour, perHour)}
        {change('It saves', ({ savingsCentsPerHour }) => savingsCentsPerHour, perHour)}
        {change('Evictions', ({ evictions }) => evictions, rounded)}
      </dl>
    </>
  );
}

function rounded(value: number): string {
  return grouped(String(value));
}
