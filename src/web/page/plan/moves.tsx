import { useState } from 'preact/hooks';
import { momentInWords } from '../../../report/moment.ts';
import { count, perHour } from '../../../report/money.ts';
import { consequenceInWords, savingsInWords } from '../../../report/plan-words.ts';
import type { MoveView } from '../../api.ts';
import { ColumnTitles } from '../column-titles.tsx';
import { nodeHref } from '../navigation.ts';

/** More are collapsed with the pods. */
const MOST_NODES = 6;
/** Moves shown at first. */
const FIRST_MOVES = 40;

interface Numbered {
  readonly move: MoveView;
  readonly number: number;
}

export function Moves({ moves }: { moves: readonly MoveView[] }) {
  const [all, setAll] = useState(false);
  const numbered = moves.map((move, i) => ({ move, number: i + 1 }));
  const waves = [...Map.groupBy(numbered, ({ move }) => move.wave)].sort(([a], [b]) => a - b);
  const most = all ? moves.length : FIRST_MOVES;
  return (
    <section class="card" aria-labelledby="moves">
      <h2 id="moves">Moves, wave by wave</h2>
      {waves.length > 1 && <p class="quiet">Each wave starts when the pods of the previous wave run again.</p>}
      {waves.map(([wave, members]) => (
        <Wave key={wave} wave={wave} members={members} isOnly={waves.length === 1} most={most} />
      ))}
      {most < moves.length && (
        <button type="button" onClick={() => setAll(true)}>
          Show {count(moves.length - most, 'more move')}
        </button>
      )}
    </section>
  );
}

interface WaveProperties {
  readonly wave: number;
  readonly members: readonly Numbered[];
  readonly isOnly: boolean;
  /** Moves with higher numbers are not shown. */
  readonly most: number;
}

function Wave({ wave, members, isOnly, most }: WaveProperties) {
  const shown = members.filter(({ number }) => number <= most);
  if (shown.length === 0) return null;
  const saved = members.reduce((sum, { move }) => sum + move.savingsCentsPerHour, 0);
  return (
    <>
      {!isOnly && (
        <h3>
          Wave {wave} <span class="quiet">saves {perHour(saved)}</span>
        </h3>
      )}
      {shown.map(({ move, number }) => (
        <MoveDetails key={number} move={move} number={number} />
      ))}
    </>
  );
}

function MoveDetails({ move, number }: Numbered) {
  const [isOpen, setOpen] = useState(false);
  const { nodes, placements, replacements, words, kind, held } = move;
  return (
    <details class={kind} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <b>
          {number}. {words.charAt(0).toUpperCase() + words.slice(1)}:
        </b>{' '}
        {nodes.slice(0, MOST_NODES).join(', ')}
        {nodes.length > MOST_NODES ? ', …' : ''}
        <span class="consequence">
          <b class="good">{savingsInWords(move)}</b>
          {consequenceInWords(move)}
        </span>
        {held !== undefined && (
          <span class="consequence held">
            held back{held.untilMs === undefined ? '' : ` until ${momentInWords(held.untilMs)}`}: {held.why}
          </span>
        )}
      </summary>
      {isOpen && (
        <>
          <p>
            {count(nodes.length, 'node')}:{' '}
            {nodes.map((node, i) => (
              <span key={node}>
                {i > 0 && ', '}
                <a href={nodeHref(node)}>{node}</a>
              </span>
            ))}
          </p>
          {replacements.map(({ instanceTypes }, i) => (
            <p key={instanceTypes[0]}>
              <b>new-{i + 1}</b> is one of: {instanceTypes.join(', ')}
            </p>
          ))}
          {placements.length === 0 ? <p>No pod has to move.</p> : <Placements move={move} />}
        </>
      )}
    </details>
  );
}

function Placements({ move: { placements } }: { move: MoveView }) {
  return (
    <table>
      <ColumnTitles of={['Pod', 'Goes to']} />
      <tbody>
        {placements.map(({ pod, to }) => (
          <tr key={pod}>
            <td>{pod}</td>
            <td>{to}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
