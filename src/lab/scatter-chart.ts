import type { TotalRow } from './comparison.ts';
import { countOf, dollars } from './figures.ts';
import { type Box, labelPlaces, type PlacedLabel } from './label-places.ts';
import { onParetoFront } from './pareto-front.ts';

const HEIGHT = 240;
const LEFT = 70;
const RIGHT = 24;
const TOP = 24;
const BOTTOM = 40;
/** Keeps points off the axis labels. */
const INSET = 12;
/** Points closer than this share a label. */
const NEAR = 9;

/** Layout of the chart. */
export interface Scatter {
  readonly height: number;
  /** Ticks of the two axes. */
  readonly frame: string;
  readonly xTicks: readonly Tick[];
  readonly yTicks: readonly Tick[];
  /** The Pareto front as a path; empty for a single point. */
  readonly stairs: string;
  readonly points: readonly Point[];
}

interface Tick {
  readonly text: string;
  readonly x: number;
  readonly y: number;
}

interface Spot {
  readonly x: number;
  readonly y: number;
  /** Label of all points here; empty if another one of them shows it. */
  readonly label: string;
  readonly about: string;
  readonly onFront: boolean;
}

interface Point extends Spot {
  readonly labelAt: PlacedLabel;
}

/** Layout of cost against evictions; `labels` by row. */
export function scatter(rows: readonly TotalRow[], labels: readonly string[], width: number): Scatter {
  const x = axis(
    rows.map((row) => row.evictions.mean),
    LEFT + INSET,
    width - RIGHT,
  );
  const y = axis(
    rows.map((row) => row.cost.mean),
    HEIGHT - BOTTOM - INSET,
    TOP,
  );
  const points = rows.map((row, i) => ({
    x: x.at(row.evictions.mean),
    y: y.at(row.cost.mean),
    label: labels[i],
    about: `${row.policy.name}: ${dollars(row.cost.mean)}, ${countOf(row.evictions.mean)} evictions`,
    onFront: row.onFront,
  }));
  const isStair = onParetoFront(points.map((point) => [point.x, -point.y]));
  const front = points.filter((_, i) => isStair[i]).sort((a, b) => a.x - b.x || a.y - b.y);
  const drawn = withSharedLabels(points).toSorted((a, b) => Number(a.onFront) - Number(b.onFront));
  const room: Box = { left: LEFT + 2, right: width - 2, top: 2, bottom: HEIGHT - BOTTOM - 2 };
  const places = labelPlaces(drawn, front, room);
  return {
    height: HEIGHT,
    frame: `M${LEFT} ${TOP}V${HEIGHT - BOTTOM}H${width - RIGHT}`,
    xTicks: x.ticks.map(({ value, at }) => ({ text: countOf(value), x: at, y: HEIGHT - BOTTOM + 18 })),
    yTicks: y.ticks.map(({ value, at }) => ({ text: dollars(value), x: LEFT - 6, y: at + 4 })),
    stairs: front.length < 2 ? '' : `M${front[0].x} ${front[0].y}${front.slice(1).map(step).join('')}`,
    // Drawn last, the front is not hidden by what is as good but for a cent.
    points: drawn.map((point, i) => ({ ...point, labelAt: places[i] })),
  };
}

function withSharedLabels(points: readonly Spot[]): readonly Spot[] {
  const spots: Spot[][] = [];
  for (const point of points) {
    const spot = spots.find(([{ x, y }]) => Math.abs(point.x - x) <= NEAR && Math.abs(point.y - y) <= NEAR);
    if (spot === undefined) spots.push([point]);
    else spot.push(point);
  }
  const shared = new Map(spots.map((spot) => [spot[0], spot.map(({ label }) => label).join(', ')]));
  return points.map((point) => ({ ...point, label: shared.get(point) ?? '' }));
}

function step({ x, y }: { readonly x: number; readonly y: number }): string {
  return `H${x}V${y}`;
}

/** Starts at 0 if the values are near it. */
function axis(values: readonly number[], from: number, to: number) {
  const most = Math.max(...values);
  const least = Math.min(...values) > 0.6 * most ? Math.min(...values) : 0;
  const span = most - least;
  const at = (value: number) => Math.round(span > 0 ? from + ((value - least) / span) * (to - from) : (from + to) / 2);
  const ticks = span > 0 ? [least, (least + most) / 2, most] : [most];
  return { at, ticks: ticks.map((value) => ({ value, at: at(value) })) };
}
