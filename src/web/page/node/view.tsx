import type { NodeExplanation } from '../../../engine/explanation/node-explanation.ts';
import type { Decision } from '../../../report/decision.ts';
import { count, perHour } from '../../../report/money.ts';
import type { NodeAnswer } from '../../api.ts';
import { useAnswer } from '../answers.ts';
import { wholePercent } from '../cluster/node-facts.ts';
import { CopyButton } from '../copy-button.tsx';
import { NamedNodes } from '../named-nodes.tsx';
import { href } from '../navigation.ts';
import { Tile } from '../tile.tsx';
import { Waiting } from '../waiting.tsx';
import { Disruption } from './disruption.tsx';
import { Gates } from './gates.tsx';

export function NodeView({ name }: { name: string }) {
  const answer = useAnswer<NodeAnswer>(`/api/nodes/${encodeURIComponent(name)}`).value;
  return (
    <>
      <p class="path">
        <a href={href('/')}>Cluster</a> / <span>{name}</span> <CopyButton text={name} label="Copy name" />
      </p>
      {answer.data === undefined ? (
        <Waiting answer={answer} what={`node ${name}`} />
      ) : (
        <Explained answer={answer.data} />
      )}
    </>
  );
}

/** The node's colour in the cluster's picture. */
function markOf({ verdict, move, node }: NodeExplanation): Decision {
  if (verdict === 'goes') return move?.move.kind ?? 'delete';
  if (verdict === 'waits') return 'keep';
  return node.candidate ? 'blocked' : 'protected';
}

function Explained({ answer }: { answer: NodeAnswer }) {
  const { explanation, verdict, gates, unlocks, removal, disruption } = answer;
  const { node, pods } = explanation;
  const where = [node.instanceType, node.capacityType, node.zone].filter(Boolean).join(', ');
  const { alone } = node;
  // New nodes have no page yet.
  const destinations = (explanation.removal?.destinations ?? [])
    .map((destination) => destination.node)
    .filter((name) => !/^new-\d+$/.test(name));
  return (
    <>
      <header class="headline">
        <h1 class="name">{node.name}</h1>
        <p class={`lead verdict ${markOf(explanation)}`}>
          <i class="dot" />
          {sentence(verdict)}
        </p>
        <p class="quiet">
          {where}
          {node.nodePool === '' ? ', no NodePool' : `, pool ${node.nodePool}`}
        </p>
      </header>
      <dl class="tiles">
        <Tile name="Price">{node.centsPerHour === null ? 'unknown' : perHour(node.centsPerHour)}</Tile>
        <Tile name="Used" note={usedInWords(pods)}>
          {wholePercent(node.utilization)}
        </Tile>
        <Tile name="Disruption cost" note={`${wholePercent(node.lifetimeRemaining)} of its lifetime remains`}>
          {node.disruptionCost.toFixed(1)}
        </Tile>
        <Tile name="By itself" note={alone.decision === 'none' ? undefined : doneInWords(alone)}>
          {alone.decision === 'none' ? 'stays' : `saves ${perHour(alone.savingsCentsPerHour)}`}
        </Tile>
      </dl>
      <div class="columns">
        <div class="stack">
          {explanation.verdict === 'stays' && <Unlocks unlocks={unlocks} />}
          <Gates gates={gates} />
        </div>
        <div class="stack">
          {removal.length > 0 && (
            <section class="card" aria-labelledby="removal">
              <h2 id="removal">{explanation.verdict === 'goes' ? 'By itself' : 'If it were removed'}</h2>
              {removal.map((line) => (
                <p key={line} class="sentence">
                  <NamedNodes text={line} nodes={destinations.filter((name) => line.includes(name))} />
                </p>
              ))}
            </section>
          )}
          <Disruption disruption={disruption} />
        </div>
      </div>
    </>
  );
}

function usedInWords({ running, ofDaemonSets }: NodeAnswer['explanation']['pods']): string {
  return `${count(running, 'pod')}${ofDaemonSets === 0 ? '' : `, ${ofDaemonSets} of DaemonSets`}`;
}

function doneInWords({ decision, instanceTypes, requiredCentsPerHour }: NodeAnswer['explanation']['node']['alone']) {
  const required = requiredCentsPerHour > 0 ? `, ${perHour(requiredCentsPerHour)} required` : '';
  return `${decision === 'delete' ? 'deleted' : `replaced by ${instanceTypes[0]}`}${required}`;
}

function Unlocks({ unlocks: { all, oneOf, deadEnd } }: { unlocks: NodeAnswer['unlocks'] }) {
  const list = (items: readonly string[]) => (
    <ul class="unlocks">
      {items.map((item) => (
        <li key={item}>{item}</li>
      ))}
    </ul>
  );
  return (
    <section class="card" aria-labelledby="unlocks">
      <h2 id="unlocks">What would unlock it</h2>
      {all.length > 0 && (
        <>
          {oneOf.length > 0 && <p class="quiet">all of these:</p>}
          {list(all)}
        </>
      )}
      {oneOf.length > 0 && (
        <>
          {all.length > 0 && <p class="quiet">and one of these:</p>}
          {list(oneOf)}
        </>
      )}
      {all.length + oneOf.length === 0 && (
        <p>{deadEnd === undefined ? 'No known change unlocks it.' : sentence(deadEnd)}</p>
      )}
    </section>
  );
}

function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
