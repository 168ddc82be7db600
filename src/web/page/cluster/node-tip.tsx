import { decisionWords } from '../../../report/decision.ts';
import { count } from '../../../report/money.ts';
import type { ClusterColumns } from '../../api.ts';
import { cpuInWords, memoryInWords, nodeFacts, podNameAt, priceInWords, wholePercent } from './node-facts.ts';
import type { PictureLayout } from './picture-layout.ts';

/** Index in the layout, and the pod under the pointer. */
export interface Pointed {
  readonly place: number;
  readonly pod?: number;
}

/** Approximate, to keep the tooltip within the picture. */
const TIP_WIDTH = 300;

/** Tooltip of a node. */
export function NodeTip({ packing, layout, at }: { packing: ClusterColumns; layout: PictureLayout; at: Pointed }) {
  const { node, x, y, width, height } = layout.places[at.place];
  const facts = nodeFacts(packing, node);
  const { pods, nodes } = packing;
  const left = Math.max(0, Math.min(x + width / 2 - TIP_WIDTH / 2, layout.width - TIP_WIDTH));
  const above = y > layout.height / 2 && y > 160;
  return (
    <div
      class={`tip ${above ? 'tip-above' : ''}`}
      style={{ left: `${left}px`, top: `${above ? y - 8 : y + height + 8}px`, width: `${TIP_WIDTH}px` }}
      aria-hidden="true"
    >
      <b>{facts.name}</b>
      {facts.mark !== '' && <span class="pill mark">{facts.mark}</span>}
      <p class={`verdict ${facts.decision}`}>
        <i class="dot" />
        {decisionWords(facts.decision)}
        {facts.reason === '' ? '' : `: ${facts.reason}`}
      </p>
      <p class="quiet">
        {[facts.type, facts.capacityType, facts.zone, facts.pool === '' ? '' : `pool ${facts.pool}`]
          .filter(Boolean)
          .join(', ')}
      </p>
      <p class="quiet">
        {[
          priceInWords(facts),
          `${wholePercent(facts.utilization)} used`,
          count(facts.pods, 'pod'),
          cpuInWords(nodes.cpu[node]),
          memoryInWords(nodes.memory[node]),
        ].join(', ')}
      </p>
      {at.pod !== undefined && (
        <p class="tip-pod">
          <b>{podNameAt(packing, at.pod)}</b>
          <br />
          {cpuInWords(pods.cpu[at.pod])}, {memoryInWords(pods.memory[at.pod])}
          {pods.moving.includes(at.pod) ? ': the plan moves it' : ''}
        </p>
      )}
    </div>
  );
}
