import { useState } from 'preact/hooks';
import type { TotalRow } from '../../../lab/comparison.ts';
import { costText, countOf } from '../../../lab/figures.ts';
import type { LabAnswer } from '../../api.ts';
import { Configuration } from '../yaml.tsx';
import { centsAt, chosenRow, POSITIONS } from './choice.ts';

/** One cent: where most users start. */
const START = 11;

/** A slider between money and evictions: it chooses a policy and shows what to paste. */
export function Preference({
  rows,
  configurations,
}: {
  rows: readonly TotalRow[];
  configurations: LabAnswer['configurations'];
}) {
  const [position, setPosition] = useState(START);
  const cents = centsAt(position);
  const chosen = chosenRow(rows, cents);
  if (rows.length < 2 || chosen === undefined) return null;
  const { policy, cost, evictions } = chosen;
  const configuration = configurations[policy.name];
  return (
    <section class="card" aria-labelledby="preference">
      <h2 id="preference">Which one for you?</h2>
      <label>
        Avoiding one eviction is worth {money(cents)} to you
        <input
          type="range"
          min="0"
          max={POSITIONS - 1}
          value={position}
          aria-valuetext={money(cents)}
          onInput={(event) => setPosition(event.currentTarget.valueAsNumber)}
        />
      </label>
      <p>
        <b>{policy.name}</b>: {costText(cost)} and {countOf(evictions.mean)} evictions.
      </p>
      {configuration !== undefined && (
        <details>
          <summary>Configuration to paste for {policy.name}</summary>
          <Configuration configuration={configuration} />
        </details>
      )}
    </section>
  );
}

function money(cents: number): string {
  if (cents === 0) return 'nothing';
  return cents < 100 ? `${cents} ¢` : `$${(cents / 100).toFixed(2)}`;
}
