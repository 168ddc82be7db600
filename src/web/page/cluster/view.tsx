import { useMemo } from 'preact/hooks';
import { DECISIONS, type Decision } from '../../../report/decision.ts';
import { count, grouped, perHour } from '../../../report/money.ts';
import type { ClusterAnswer } from '../../api.ts';
import { useAnswer } from '../answers.ts';
import { Headline } from '../headline.tsx';
import { navigate, query, remember } from '../navigation.ts';
import { nodePath } from '../route.ts';
import { state } from '../state.ts';
import { Waiting } from '../waiting.tsx';
import { firstMoves } from './first-moves.ts';
import { allNodes, type NodeFacts, poolTitle } from './node-facts.ts';
import { NodeTable } from './node-table.tsx';
import { Picture } from './picture.tsx';
import { reasonKey, reasonsToStay } from './reasons.ts';
import { usePictureHeight } from './room.ts';

const GROUPS = {
  pool: poolTitle,
  zone: ({ zone }: NodeFacts) => zone || 'no zone',
  type: ({ type }: NodeFacts) => type || 'type unknown',
  decision: ({ decision }: NodeFacts) => DECISIONS.find((each) => each.decision === decision)?.words ?? decision,
} as const;
type Grouping = keyof typeof GROUPS;

export function ClusterView() {
  const answer = useAnswer<ClusterAnswer>('/api/cluster').value;
  return (
    <>
      {state.value === undefined ? <h1 class="unseen">Cluster</h1> : <Headline state={state.value} />}
      {answer.data === undefined ? (
        <Waiting answer={answer} what="the cluster" />
      ) : answer.data.packing.nodes.name.length === 0 ? (
        <p class="quiet">When nodes come, they are drawn here.</p>
      ) : (
        <Nodes answer={answer.data} />
      )}
    </>
  );
}

function Nodes({ answer: { packing } }: { answer: ClusterAnswer }) {
  const nodes = useMemo(() => allNodes(packing), [packing]);
  const grouping = groupingOf(query.value.get('group'));
  const [reason, decision] = [query.value.get('reason'), query.value.get('decision')];
  const isMeant = useMemo(() => {
    if (reason === null && decision === null) return undefined;
    return (node: number) => isAsked(nodes[node], reason, decision);
  }, [nodes, reason, decision]);
  const height = usePictureHeight();
  const meant = isMeant === undefined ? nodes : nodes.filter(({ index }) => isMeant(index));
  return (
    <>
      <section class="cluster" aria-labelledby="where">
        <div class="cluster-picture">
          <div class="title">
            <h2 id="where">Where pods run</h2>
            <label>
              Group by{' '}
              <select value={grouping} onChange={(event) => remember({ group: event.currentTarget.value })}>
                {Object.keys(GROUPS).map((each) => (
                  <option key={each} value={each}>
                    {each}
                  </option>
                ))}
              </select>
            </label>
          </div>
          <Picture
            packing={packing}
            groupOf={GROUPS[grouping]}
            isMeant={isMeant}
            height={height}
            label={`${count(nodes.length, 'node')} as boxes, filled by their pods`}
            open={(name) => navigate(nodePath(name))}
          />
          <p class="quiet">
            A box is a node: wide with much cpu, tall with much memory. Pods fill it from below, cpu on the left, memory
            on the right.
          </p>
        </div>
        <aside class="cluster-why">
          <Legend nodes={nodes} chosen={decision} moving={packing.pods.moving.length} />
          <Reasons nodes={nodes} chosen={reason} />
        </aside>
      </section>
      <NodeTable nodes={meant} all={nodes.length} />
    </>
  );
}

function groupingOf(value: string | null): Grouping {
  return value !== null && Object.hasOwn(GROUPS, value) ? (value as Grouping) : 'pool';
}

function isAsked(node: NodeFacts, reason: string | null, decision: string | null): boolean {
  if (decision !== null) return node.decision === decision;
  return node.move === 0 && node.decision !== 'new' && reasonKey(node) === reason;
}

/** Colours, what they mean, and a way to see only one. */
function Legend({ nodes, chosen, moving }: { nodes: readonly NodeFacts[]; chosen: string | null; moving: number }) {
  const counted = Map.groupBy(nodes, ({ decision }) => decision);
  const choose = (decision: Decision) => {
    remember({ decision: chosen === decision ? undefined : decision, reason: undefined });
  };
  return (
    <>
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
    </>
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
                <a href={nodePath(name)}>{name}</a>
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
        <a href="/plan">The whole plan</a>
      </p>
    </>
  );
}

function Reasons({ nodes, chosen }: { nodes: readonly NodeFacts[]; chosen: string | null }) {
  const reasons = reasonsToStay(nodes);
  if (reasons.length === 0) return null;
  const most = Math.max(...reasons.map((each) => each.centsPerHour), 1e-9);
  return (
    <>
      <h2>Why the rest stays</h2>
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
              <svg class="share" viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true">
                <rect width={(100 * centsPerHour) / most} height="1" />
              </svg>
            </button>
          </li>
        ))}
      </ul>
    </>
  );
}

function priceOf(centsPerHour: number): string {
  return centsPerHour === 0 ? '' : perHour(centsPerHour);
}

function sum(nodes: readonly NodeFacts[]): number {
  return nodes.reduce((total, { centsPerHour }) => total + (centsPerHour ?? 0), 0);
}
