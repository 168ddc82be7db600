import { type Markup, markup, NOTHING } from '../report/markup.ts';
import type { TotalRow } from './comparison.ts';
import { countOf, dollars } from './figures.ts';
import { pointLabels } from './point-labels.ts';

const WIDTH = 600;
const HEIGHT = 240;
const LEFT = 70;
const RIGHT = 24;
const TOP = 24;
const BOTTOM = 40;

/** Cost against evictions, with the Pareto front as stairs: whatever lies above and to the right of them is worse. */
export function scatterChart(rows: readonly TotalRow[], label: string): Markup {
  const x = axis(
    rows.map((row) => row.evictions.mean),
    LEFT,
    WIDTH - RIGHT,
  );
  const y = axis(
    rows.map((row) => row.cost.mean),
    HEIGHT - BOTTOM,
    TOP,
  );
  const labels = pointLabels(rows);
  const points = rows.map((row, i) => ({ row, label: labels[i], x: x.at(row.evictions.mean), y: y.at(row.cost.mean) }));
  const front = points.filter(({ row }) => row.onFront).sort((a, b) => a.x - b.x || a.y - b.y);
  return markup`<svg class="chart" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${label}">
<path class="axis" d="M${LEFT} ${TOP}V${HEIGHT - BOTTOM}H${WIDTH - RIGHT}" fill="none"/>
${y.ticks.map(({ value, at }) => markup`<text class="tick end" x="${LEFT - 6}" y="${at + 4}">${dollars(value)}</text>`)}
${x.ticks.map(({ value, at }) => markup`<text class="tick middle" x="${at}" y="${HEIGHT - BOTTOM + 18}">${countOf(value)}</text>`)}
<text class="tick end" x="${WIDTH - RIGHT}" y="${HEIGHT - 4}">evictions</text><text class="tick" x="4" y="14">cost</text>
${front.length < 2 ? NOTHING : markup`<path class="stairs" d="M${front[0].x} ${front[0].y}${front.slice(1).map(step).join('')}"/>`}
${points.map(({ row, label, x, y }) => {
  const about = `${row.policy.name}: ${dollars(row.cost.mean)}, ${countOf(row.evictions.mean)} evictions`;
  return markup`<g><circle class="point${row.onFront ? ' front' : ''}" cx="${x}" cy="${y}" r="5"><title>${about}</title></circle><text x="${x + 7}" y="${y - 6}">${label}</text></g>
`;
})}</svg>`;
}

function step({ x, y }: { readonly x: number; readonly y: number }): string {
  return `H${x}V${y}`;
}

/** From 0 if that is near, so that lengths can be compared; otherwise as far as the values go. */
function axis(values: readonly number[], from: number, to: number) {
  const most = Math.max(...values);
  const least = Math.min(...values) > 0.6 * most ? Math.min(...values) : 0;
  const span = most - least;
  const at = (value: number) => Math.round(span > 0 ? from + ((value - least) / span) * (to - from) : (from + to) / 2);
  const ticks = span > 0 ? [least, (least + most) / 2, most] : [most];
  return { at, ticks: ticks.map((value) => ({ value, at: at(value) })) };
}
