import { useState } from 'preact/hooks';
import { count } from '../../../report/money.ts';
import type { DisruptedPod, DisruptionSum } from '../../api.ts';
import { cpuInWords, memoryInWords, wholePercent } from '../cluster/node-facts.ts';
import { ColumnTitles } from '../column-titles.tsx';
import { nodeHref } from '../navigation.ts';
import { Scrolling } from '../scrolling.tsx';

const FIRST_ROWS = 25;
const ROLES: Readonly<Record<DisruptedPod['role'], string>> = { moves: 'moves', daemon: 'DaemonSet', stays: 'stays' };

/** The disruption cost of a node by pod, and where each pod would go. */
export function Disruption({ disruption }: { disruption: DisruptionSum }) {
  const { base, pods, lifetimeRemaining, cost } = disruption;
  const [all, setAll] = useState(false);
  const sorted = [...pods].sort((a, b) => (b.cost ?? -1) - (a.cost ?? -1) || (a.pod < b.pod ? -1 : 1));
  const sum = pods.reduce((total, pod) => total + (pod.cost ?? 0), 0);
  return (
    <section class="card" aria-labelledby="disruption">
      <h2 id="disruption">What disrupting it costs</h2>
      <p class="formula">
        ({base.toFixed(1)} for the node + {sum.toFixed(1)} for {count(pods.length, 'pod')}) ×{' '}
        {wholePercent(lifetimeRemaining)} of its lifetime = <b>{cost.toFixed(1)}</b>
      </p>
      {pods.length > 0 && (
        <Scrolling name="Table of pods">
          <table class="pods">
            <ColumnTitles of={['Pod', { number: 'Cost' }, 'Requests', 'Goes to']} />
            <tbody>
              {sorted.slice(0, all ? undefined : FIRST_ROWS).map((pod) => (
                <tr key={pod.pod}>
                  <td>{pod.pod}</td>
                  <td class="number">{pod.cost === undefined ? '–' : pod.cost.toFixed(2)}</td>
                  <td class="quiet unbroken">
                    {cpuInWords(pod.cpu)}, {memoryInWords(pod.memory)}
                  </td>
                  <td>
                    <Destination pod={pod} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </Scrolling>
      )}
      {!all && pods.length > FIRST_ROWS && (
        <button type="button" onClick={() => setAll(true)}>
          Show {pods.length - FIRST_ROWS} more
        </button>
      )}
    </section>
  );
}

function Destination({ pod: { role, to } }: { pod: DisruptedPod }) {
  if (to === undefined) return <span class="quiet">{role === 'moves' ? 'no place' : ROLES[role]}</span>;
  if (/^new-\d+$/.test(to)) return <>{to}</>;
  return <a href={nodeHref(to)}>{to}</a>;
}
