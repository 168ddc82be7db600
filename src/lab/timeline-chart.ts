import { type Markup, markup } from '../report/markup.ts';

/** One line of the chart. */
export interface Series {
  /** Of its colour, 0 to 7. */
  readonly color: number;
  readonly name: string;
  /** At the end of each step. */
  readonly values: readonly number[];
}

const WIDTH = 600;
const HEIGHT = 240;
const LEFT = 70;
const TOP = 12;
const BOTTOM = 28;

/** What something came to over time, a line for each policy. */
export function timelineChart(
  series: readonly Series[],
  stepHours: number,
  label: string,
  inWords: (value: number) => string,
): Markup {
  const steps = Math.max(1, ...series.map(({ values }) => values.length));
  const most = Math.max(1e-9, ...series.flatMap(({ values }) => values));
  const x = (step: number) => tenth(LEFT + (step / steps) * (WIDTH - LEFT - 8));
  const y = (value: number) => tenth(HEIGHT - BOTTOM - (value / most) * (HEIGHT - BOTTOM - TOP));
  const ticks = [0, most / 2, most].map((value) => {
    return markup`<text class="tick end" x="${LEFT - 6}" y="${y(value) + 4}">${inWords(value)}</text><path class="axis" d="M${LEFT} ${y(value)}H${WIDTH - 8}"/>`;
  });
  const times = [0, 0.25, 0.5, 0.75, 1].map((share) => {
    return markup`<text class="tick ${share === 1 ? 'end' : 'middle'}" x="${x(share * steps)}" y="${HEIGHT - 8}">${timeInWords(share * steps * stepHours)}</text>`;
  });
  return markup`<svg class="chart" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${label}">
${ticks}${times}
${series.map(({ color, name, values }) => {
  const points = values.map((value, i) => `${x(i + 1)},${y(value)}`).join(' ');
  return markup`<polyline class="series s${color}" points="${points}"><title>${name}</title></polyline>
`;
})}</svg>`;
}

function timeInWords(hours: number): string {
  return hours < 48 ? `${tenth(hours)} h` : `${tenth(hours / 24)} d`;
}

function tenth(value: number): number {
  return Math.round(value * 10) / 10;
}
