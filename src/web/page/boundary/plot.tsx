import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { perHour } from '../../../report/money.ts';
import type { BoundaryAnswer, BoundaryVerdict } from '../../api.ts';
import { useWidth } from '../width.ts';
import { Dots } from './dots.tsx';
import { highestThreshold, roundedThreshold } from './local.ts';
import { BOTTOM, byKey, LEFT, lineEnd, nearestPoint, pointsByKind, RIGHT, TOP } from './plot-geometry.ts';
import { ownThreshold } from './question.ts';
import { type Axis, squareRootAxis } from './square-root-axis.ts';

interface Properties {
  readonly answer: BoundaryAnswer;
  readonly verdicts: readonly BoundaryVerdict[];
  readonly threshold: number;
  /** `rests`: the line was released. */
  readonly drag: (threshold: number, rests: boolean) => void;
  readonly open: (node: string) => void;
}

/** Of the layout's two columns: boundary.css. */
const TWO_COLUMNS_FROM = 1001;

/** As high as the column of settings beside it, if there is one. */
function heightFor(width: number): number {
  const [least, share, most] = innerWidth >= TWO_COLUMNS_FROM ? [560, 0.65, 680] : [300, 0.56, 620];
  return Math.round(Math.min(most, Math.max(least, share * width)));
}

export function Plot({ answer, verdicts, threshold, drag, open }: Properties) {
  const { points } = answer;
  const svg = useRef<SVGSVGElement>(null);
  const width = useWidth(svg);
  const [pointed, setPointed] = useState<number | undefined>(undefined);
  /** undefined unless dragging. */
  const dragged = useRef<number | undefined>(undefined);
  useEffect(() => {
    const element = svg.current as SVGSVGElement;
    // Within an SVG, touch-action does not keep the browser from scrolling during a drag.
    const hold = (event: TouchEvent) => {
      if ((event.target as Element).closest('.line') !== null) event.preventDefault();
    };
    element.addEventListener('touchstart', hold, { passive: false });
    return () => element.removeEventListener('touchstart', hold);
  }, []);
  const height = heightFor(width);
  const plot = useMemo(() => {
    const x = squareRootAxis(points.disruptionCost, LEFT, Math.max(LEFT + 1, width - RIGHT));
    // If nothing can be saved, scale the axis by prices.
    const isAny = points.savingsCentsPerHour.some((cents) => cents > 0);
    const y = squareRootAxis(isAny ? points.savingsCentsPerHour : points.centsPerHour, height - BOTTOM, TOP);
    return {
      x,
      y,
      xs: points.disruptionCost.map((cost) => Math.round(10 * x.at(cost)) / 10),
      ys: points.savingsCentsPerHour.map((cents) => Math.round(10 * y.at(cents)) / 10),
    };
  }, [points, width, height]);
  const { x, y, xs, ys } = plot;
  const kinds = useMemo(() => pointsByKind(points.now, verdicts), [points, verdicts]);
  const end = lineEnd(threshold, x, y);
  const highest = highestThreshold(points, ownThreshold(answer));

  const at = (event: PointerEvent) => {
    const { left, top } = (svg.current as SVGSVGElement).getBoundingClientRect();
    return { px: event.clientX - left, py: event.clientY - top };
  };
  const dragTo = (event: PointerEvent) => {
    const { px, py } = at(event);
    const cost = Math.max(x.of(px), 1e-6 * x.most);
    dragged.current = Math.min(highest, roundedThreshold(y.of(py) / cost));
    drag(dragged.current, false);
  };
  const move = (event: PointerEvent) => {
    if (dragged.current !== undefined) return dragTo(event);
    const { px, py } = at(event);
    setPointed(nearestPoint(xs, ys, px, py));
  };
  const press = (event: PointerEvent) => {
    const { px, py } = at(event);
    const isOnLine = (event.target as Element).closest('.line') !== null;
    // Beside the line, touch scrolls the page and the mouse sets the line, unless it is on a point.
    if (!isOnLine && (event.pointerType !== 'mouse' || nearestPoint(xs, ys, px, py) !== undefined)) return;
    setPointed(undefined);
    svg.current?.setPointerCapture(event.pointerId);
    dragTo(event);
  };
  const release = () => {
    if (dragged.current === undefined) return pointed !== undefined && open(points.node[pointed]);
    drag(dragged.current, true);
    dragged.current = undefined;
  };
  const cancel = () => {
    if (dragged.current !== undefined) drag(dragged.current, true);
    dragged.current = undefined;
  };
  const turn = (event: KeyboardEvent) => {
    const next = byKey(event.key, threshold, highest);
    if (next === undefined) return;
    event.preventDefault();
    drag(roundedThreshold(Math.min(highest, next)), true);
  };
  const shown = pointed !== undefined && pointed < xs.length ? pointed : undefined;
  return (
    <div class="plot">
      <svg width={width} height={height} aria-hidden="true">
        <path
          class="refused"
          d={`M${LEFT} ${height - BOTTOM}L${end.x} ${end.y}${end.x < width - RIGHT ? `L${width - RIGHT} ${TOP}` : ''}L${width - RIGHT} ${height - BOTTOM}z`}
        />
        <Axes x={x} y={y} width={width} height={height} />
      </svg>
      <Dots kinds={kinds} xs={xs} ys={ys} width={width} height={height} />
      <svg
        ref={svg}
        height={height}
        role="application"
        aria-label="Candidates by disruption cost and savings, and the line between those that are removed and those that stay"
        onPointerDown={press}
        onPointerMove={move}
        onPointerUp={release}
        onPointerCancel={cancel}
        onPointerLeave={() => setPointed(undefined)}
        class={shown === undefined ? 'over' : 'over picture-open'}
      >
        <g class="line">
          <path class="grip" d={`M${LEFT} ${height - BOTTOM}L${end.x} ${end.y}`} />
          <text
            class={`threshold-label ${end.x < width / 2 ? '' : 'end'}`}
            x={end.x < width / 2 ? end.x + 18 : end.x - 18}
            y={Math.max(TOP - 10, end.y - 16)}
          >
            {`${threshold} ¢ for a unit of disruption`}
          </text>
          <path class="threshold" d={`M${LEFT} ${height - BOTTOM}L${end.x} ${end.y}`} />
          <circle
            class="handle"
            cx={end.x}
            cy={end.y}
            r="11"
            role="slider"
            // In SVG the attribute has no capitals.
            tabindex={0}
            aria-label="Savings threshold"
            aria-valuemin={0}
            aria-valuemax={roundedThreshold(highest)}
            aria-valuenow={threshold}
            aria-valuetext={`${threshold} cents per hour for each unit of disruption`}
            onKeyDown={turn}
          />
        </g>
        {shown !== undefined && <circle class="pointed" cx={xs[shown]} cy={ys[shown]} r="8" />}
      </svg>
      {shown !== undefined && (
        <PointTip answer={answer} point={shown} verdict={verdicts[shown]} x={xs[shown]} y={ys[shown]} width={width} />
      )}
    </div>
  );
}

function Axes({ x, y, width, height }: { x: Axis; y: Axis; width: number; height: number }) {
  return (
    <g class="axes">
      {y.ticks.map(({ value, at }) => (
        <g key={value}>
          <path d={`M${LEFT} ${at}H${width - RIGHT}`} />
          <text class="end" x={LEFT - 8} y={at + 4}>
            {value === 0 ? '$0' : perHour(value)}
          </text>
        </g>
      ))}
      {x.ticks.map(({ value, at }) => (
        <text key={value} class="middle" x={at} y={height - BOTTOM + 18}>
          {value}
        </text>
      ))}
      <text x={4} y={13}>
        savings
      </text>
      <text class="end" x={width - RIGHT} y={height - 6}>
        disruption cost
      </text>
    </g>
  );
}

const TIP_WIDTH = 280;

interface TipProperties {
  readonly answer: BoundaryAnswer;
  readonly point: number;
  readonly verdict: BoundaryVerdict;
  readonly x: number;
  readonly y: number;
  readonly width: number;
}

/** Tooltip of a candidate. */
function PointTip({ answer: { points, names }, point, verdict, x, y, width }: TipProperties) {
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
