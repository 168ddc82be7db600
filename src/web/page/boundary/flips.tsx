import { useState } from 'preact/hooks';
import { count, perHour } from '../../../report/money.ts';
import type { BoundaryAnswer, BoundaryVerdict } from '../../api.ts';
import { ColumnTitles } from '../column-titles.tsx';
import { nodeHref } from '../navigation.ts';
import { Scrolling } from '../scrolling.tsx';
import { pointKindOf } from './local.ts';

const FIRST_ROWS = 10;
const MOST_ROWS = 500;

/** The nodes whose verdict the question changes, by name. */
export function Flips({ data, verdicts }: { data: BoundaryAnswer; verdicts: readonly BoundaryVerdict[] }) {
  const { points, names } = data;
  const [all, setAll] = useState(false);
  const flipped = verdicts.flatMap((then, i) => {
    const kind = pointKindOf(points.now[i], then);
    return kind === 'in' || kind === 'out' ? [{ i, kind, then }] : [];
  });
  flipped.sort((a, b) => points.savingsCentsPerHour[b.i] - points.savingsCentsPerHour[a.i]);
  const rows = flipped.slice(0, all ? MOST_ROWS : FIRST_ROWS);
  return (
    <section class="card" aria-labelledby="flips">
      <h2 id="flips">
        {flipped.length === 0 ? 'No node would change' : `${count(flipped.length, 'node')} would change`}
      </h2>
      {flipped.length > 0 && (
        <Scrolling name="Table of nodes that would change">
          <table>
            <ColumnTitles
              of={['Node', 'Pool', 'Then', { number: 'Saves' }, { number: 'Disruption cost' }, { number: 'Evictions' }]}
            />
            <tbody>
              {rows.map(({ i, kind, then }) => (
                <tr key={points.node[i]}>
                  <td class="unbroken">
                    <a href={nodeHref(points.node[i])}>{points.node[i]}</a>
                  </td>
                  <td>{names.pools[points.pool[i]]}</td>
                  <td class={`${kind} unbroken`}>
                    <i class="dot" />
                    {kind === 'out' ? 'stays' : then === 1 ? 'deleted' : 'replaced'}
                  </td>
                  <td class="number">{perHour(points.savingsCentsPerHour[i])}</td>
                  <td class="number">{points.disruptionCost[i].toFixed(1)}</td>
                  <td class="number">{points.evictions[i]}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </Scrolling>
      )}
      {!all && flipped.length > FIRST_ROWS && (
        <p>
          <button type="button" onClick={() => setAll(true)}>
            Show {Math.min(flipped.length, MOST_ROWS) - FIRST_ROWS} more
          </button>
        </p>
      )}
    </section>
  );
}
