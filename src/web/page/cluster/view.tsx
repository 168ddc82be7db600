import { useMemo } from 'preact/hooks';
import { DECISIONS } from '../../../report/decision.ts';
import { count } from '../../../report/money.ts';
import type { ClusterAnswer } from '../../api.ts';
import { useAnswer } from '../answers.ts';
import { Headline } from '../headline.tsx';
import { navigate, query, remember } from '../navigation.ts';
import { nodePath } from '../route.ts';
import { state } from '../state.ts';
import { Waiting } from '../waiting.tsx';
import { allNodes, type NodeFacts, poolTitle } from './node-facts.ts';
import { NodeTable } from './node-table.tsx';
import { ClusterPicture } from './picture.tsx';
import { usePictureHeight } from './picture-height.ts';
import { reasonKey } from './reasons.ts';
import { Legend, Reasons } from './what-to-do.tsx';

const GROUPS = {
  pool: poolTitle,
  zone: ({ zone }: NodeFacts) => zone || 'no zone',
  type: ({ type }: NodeFacts) => type || 'type unknown',
  decision: ({ decision }: NodeFacts) => DECISIONS.find((each) => each.decision === decision)?.words ?? decision,
} as const;
type Grouping = keyof typeof GROUPS;

export function ClusterPage() {
  const answer = useAnswer<ClusterAnswer>('/api/cluster').value;
  return (
    <>
      {state.value === undefined ? <h1 class="unseen">Cluster</h1> : <Headline state={state.value} />}
      {answer.data === undefined ? (
        <Waiting answer={answer} what="the cluster" />
      ) : answer.data.packing.nodes.name.length === 0 ? (
        <p class="quiet">Nodes appear here when they join.</p>
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
        <div class="card">
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
          <ClusterPicture
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
            {packing.names.marks.length > 0 &&
              ' A notch marks nodes that are drifted, not ready, emptying, leaving or protected.'}
          </p>
        </div>
        <aside class="stack">
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
