import { DECISIONS, type Decision } from '../../../report/decision.ts';
import { count, grouped, perHour } from '../../../report/money.ts';
import { href, nodeHref, remember } from '../navigation.ts';
import { ShareBar } from '../share-bar.tsx';
import { firstMoves } from './first-moves.ts';
import type { NodeFacts } from './node-facts.ts';
import { countedReasons } from './reasons.ts';

/** Legend that filters by decision. */
export function Legend({
  nodes,
  chosen,
  moving,
}: {
  nodes: readonly NodeFacts[];
  chosen: string | null;
  moving: number;
}) {
  const counted = Map.groupBy(nodes, ({ decision }) => decision);
  const choose = (decision: Decision) => {
    remember({ decision: chosen === decision ? undefined : decision, reason: undefined });
  };
  return (
    <div class="card">
      <h2>{counted.has('delete') || counted.has('replace') ? 'What to do' : 'Nothing to do now'}</h2>
      <ul class="choices">
        {DECISIONS.flatMap(({ decision, words }) => {
          const own = counted.get(decision);
          if (own === undefined) return [];
          return [
            <li key={decision} class={decision}>
              <button type="button" aria-pressed={chosen === decision} onClick={() => choose(decision)}>
                <span>
                  <i class="dot" />
                  {words}
                </span>
                <span class="number">{grouped(String(own.length))}</span>
                <span class="number quiet">{priceOf(sum(own))}</span>
              </button>
            </li>,
          ];
        })}
      </ul>
      <FirstMoves nodes={nodes} moving={moving} />
    </div>
  );
}

const FIRST_MOVES = 3;
const MOST_NAMES = 3;

function FirstMoves({ nodes, moving }: { nodes: readonly NodeFacts[]; moving: number }) {
  const moves = firstMoves(nodes, FIRST_MOVES);
  if (moves.length === 0) return null;
  return (
    <>
      <ol class="first-moves">
        {moves.map(({ number, kind, nodes: members }) => (
          <li key={number} class={kind} value={number}>
            {kind}{' '}
            {members.slice(0, MOST_NAMES).map(({ name }, i) => (
              <span key={name}>
                {i > 0 && ', '}
                <a href={nodeHref(name)}>{name}</a>
              </span>
            ))}
            {members.length > MOST_NAMES ? ` and ${members.length - MOST_NAMES} more` : ''}
          </li>
        ))}
      </ol>
      <p class="quiet">
        {moving > 0 && (
          <>
            <i class="dot moves" />
            {count(moving, 'pod')} would move.{' '}
          </>
        )}
        <a href={href('/plan')}>The whole plan</a>
      </p>
    </>
  );
}

export function Reasons({ nodes, chosen }: { nodes: readonly NodeFacts[]; chosen: string | null }) {
  const reasons = countedReasons(nodes);
  if (reasons.length === 0) return null;
  const most = Math.max(...reasons.map((each) => each.centsPerHour), 1e-9);
  return (
    <div class="card">
      <h2>{nodes.some(({ move }) => move > 0) ? 'Why the rest stays' : 'Why nodes stay'}</h2>
      <ul class="choices">
        {reasons.map(({ key, title, nodes: n, centsPerHour }) => (
          <li key={key}>
            <button
              type="button"
              aria-pressed={chosen === key}
              onClick={() => remember({ reason: chosen === key ? undefined : key, decision: undefined })}
            >
              <span>{title}</span>
              <span class="number">{grouped(String(n))}</span>
              <span class="number quiet">{priceOf(centsPerHour)}</span>
              <ShareBar share={centsPerHour / most} />
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}

function priceOf(centsPerHour: number): string {
  return centsPerHour === 0 ? '' : perHour(centsPerHour);
}

function sum(nodes: readonly NodeFacts[]): number {
  return nodes.reduce((total, { centsPerHour }) => total + (centsPerHour ?? 0), 0);
}
