import { perHour } from '../../../report/money.ts';
import type { BoundaryAnswer, BoundaryVerdict } from '../../api.ts';

const TIP_WIDTH = 280;

interface Properties {
  readonly answer: BoundaryAnswer;
  readonly point: number;
  readonly verdict: BoundaryVerdict;
  readonly x: number;
  readonly y: number;
  readonly width: number;
}

/** Tooltip of a candidate. */
export function PointTip({ answer: { points, names }, point, verdict, x, y, width }: Properties) {
  const left = Math.max(0, Math.min(x - TIP_WIDTH / 2, width - TIP_WIDTH));
  const reason = names.reasons[points.reason[point]];
  return (
    <div class="tip" style={{ left: `${left}px`, top: `${y + 16}px`, width: `${TIP_WIDTH}px` }} aria-hidden="true">
      <b>{points.node[point]}</b>
      <p>
        {verdict === 0 ? `stays${reason === undefined ? '' : `: ${reason}`}` : verdict === 1 ? 'deleted' : 'replaced'}
      </p>
      <p class="quiet">
        {`saves ${perHour(points.savingsCentsPerHour[point])} of ${perHour(points.centsPerHour[point])}, disruption cost ${points.disruptionCost[point].toFixed(1)}, ${points.evictions[point]} evictions, pool ${names.pools[points.pool[point]]}`}
      </p>
    </div>
  );
}
