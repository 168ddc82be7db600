/** One line of the chart. */
export interface ChartSeries {
  readonly name: string;
  /** At the end of each step. */
  readonly values: readonly number[];
}

/** Layout of the chart. */
export interface TimelineChart {
  readonly width: number;
  readonly height: number;
  readonly yTicks: readonly ChartTick[];
  readonly xTicks: readonly ChartTick[];
  /** Horizontal lines, one per y tick. */
  readonly grid: string;
  /** Points of the lines, in the order of the series. */
  readonly lines: readonly string[];
}

interface ChartTick {
  readonly text: string;
  readonly x: number;
  readonly y: number;
  readonly isLast?: true;
}

const WIDTH = 600;
const HEIGHT = 240;
const LEFT = 70;
const RIGHT = 8;
const TOP = 12;
const BOTTOM = 28;

export function timelineChart(
  series: readonly ChartSeries[],
  stepHours: number,
  inWords: (value: number) => string,
  width = WIDTH,
): TimelineChart {
  const steps = Math.max(1, ...series.map(({ values }) => values.length));
  const most = Math.max(0, ...series.flatMap(({ values }) => values));
  const x = (step: number) => tenth(LEFT + (step / steps) * (width - LEFT - RIGHT));
  const y = (value: number) => tenth(HEIGHT - BOTTOM - (value / (most || 1)) * (HEIGHT - BOTTOM - TOP));
  const levels = most === 0 ? [0] : [0, most / 2, most];
  return {
    width,
    height: HEIGHT,
    yTicks: levels.map((value) => ({ text: inWords(value), x: LEFT - 6, y: y(value) + 4 })),
    xTicks: [0, 0.25, 0.5, 0.75, 1].map((share) => ({
      text: timeInWords(share * steps * stepHours),
      x: x(share * steps),
      y: HEIGHT - 8,
      ...(share === 1 ? { isLast: true } : {}),
    })),
    grid: levels.map((value) => `M${LEFT} ${y(value)}H${width - RIGHT}`).join(''),
    lines: series.map(({ values }) => values.map((value, i) => `${x(i + 1)},${y(value)}`).join(' ')),
  };
}

function timeInWords(hours: number): string {
  return hours < 48 ? `${tenth(hours)} h` : `${tenth(hours / 24)} d`;
}

function tenth(value: number): number {
  return Math.round(value * 10) / 10;
}
