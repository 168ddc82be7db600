import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import type uPlot from 'uplot';
import { momentInWords } from '../../../report/moment.ts';
import { canvasFont, colour, repaints, rootFontSize } from '../theme.ts';
import type { Span } from './span.ts';

export interface Line {
  readonly name: string;
  /** A variable of the style sheet. */
  readonly colour: string;
  readonly values: readonly number[];
  readonly isDashed?: boolean;
}

interface Properties {
  readonly title: string;
  readonly atMs: readonly number[];
  readonly lines: readonly Line[];
  readonly words: (value: number) => string;
  /** Whole numbers only. */
  readonly isCount?: true;
  readonly span: Span;
  /** Moments to be marked. */
  readonly marks: readonly { readonly atMs: number; readonly colour: string }[];
  /** undefined: everything. */
  readonly zoom: (span: Span | undefined) => void;
}

/** Share of the screen's height, within limits. */
const SHARE = 0.24;
const [LEAST, MOST] = [200, 360];
const WHOLE_STEPS = [1, 10, 100, 1_000, 10_000, 100_000].flatMap((step) => [step, 2 * step, 5 * step]);

/** Lines over time. A drag zooms, a double click resets; the buttons above do the same. */
export function Chart(properties: Properties) {
  const { title, atMs, lines, span, marks } = properties;
  const frame = useRef<HTMLDivElement>(null);
  const chart = useRef<uPlot | undefined>(undefined);
  // uPlot keeps its first options; changing values are read from here.
  const current = useRef(properties);
  current.current = properties;
  const shape = lines.map(({ name }) => name).join();

  useLayoutEffect(() => {
    const element = frame.current as HTMLDivElement;
    const observer = new ResizeObserver(() => {
      chart.current?.setSize({ width: element.clientWidth, height: chartHeight() });
    });
    let isGone = false;
    void plotLibrary().then((Plot) => {
      if (isGone) return;
      chart.current = new Plot(optionsFor(Plot, current, element.clientWidth), dataOf(current.current), element);
      showSpan(chart.current, current.current.span);
      observer.observe(element);
    });
    return () => {
      isGone = true;
      observer.disconnect();
      chart.current?.destroy();
      chart.current = undefined;
    };
  }, [shape]);
  useEffect(() => {
    chart.current?.setData(dataOf({ atMs, lines }), false);
    if (chart.current === undefined) return;
    showSpan(chart.current, span);
    // Without a pointer, the legend shows the last values.
    chart.current.setLegend({});
  }, [atMs, lines, span]);
  const painted = repaints.value;
  // Not redraw(): it would restore the previous span.
  useEffect(() => chart.current?.redraw(false), [painted, marks]);
  return (
    <figure class="timeline card">
      <figcaption>{title}</figcaption>
      <div ref={frame} role="img" aria-label={inWords(properties)} />
    </figure>
  );
}

/**
 * uPlot queries the locale's number format when it loads, and throws if the browser's locale is invalid (en-US@posix of
 * a headless machine). That must not break the whole page.
 */
async function plotLibrary(): Promise<typeof uPlot> {
  try {
    new Intl.NumberFormat(navigator.language);
  } catch {
    Object.defineProperty(navigator, 'language', { value: 'en-US' });
  }
  return (await import('uplot')).default;
}

function chartHeight(): number {
  return Math.min(MOST, Math.max(LEAST, Math.round(SHARE * innerHeight)));
}

/** The value under the pointer, or else the last. */
function shown(values: readonly number[], value: number | null): number {
  return value ?? values.at(-1) ?? 0;
}

function momentAt({ atMs }: Properties, seconds: number | null): string {
  return momentInWords(shown(atMs, seconds === null ? null : 1000 * seconds)).slice(0, 16);
}

function showSpan(chart: uPlot, { fromMs, toMs }: Span): void {
  chart.setScale('x', { min: fromMs / 1000, max: toMs / 1000 });
}

function dataOf({ atMs, lines }: Pick<Properties, 'atMs' | 'lines'>): uPlot.AlignedData {
  return [atMs.map((ms) => ms / 1000), ...lines.map(({ values }) => values as number[])];
}

/** For screen readers: the last value of each line. */
function inWords({ title, lines, words }: Properties): string {
  const ends = lines.map(({ name, values }) => `${name} ${words(values[values.length - 1] ?? 0)}`);
  return `${title}: at the end ${ends.join(', ')}`;
}

/** By distance of the ticks in seconds; a new day is shown below. */
const TIMES: uPlot.Axis.Values = [
  [86_400, '{MM}-{DD}', null, null, null, null, null, null, 1],
  [60, '{HH}:{mm}', '\n{YYYY}-{MM}-{DD}', null, '\n{MM}-{DD}', null, null, null, 1],
  [1, '{HH}:{mm}:{ss}', '\n{MM}-{DD}', null, '\n{MM}-{DD}', null, null, null, 1],
];

function optionsFor(Plot: typeof uPlot, current: { readonly current: Properties }, width: number): uPlot.Options {
  const quiet = () => colour('quiet');
  const grid = { stroke: () => colour('line'), width: 1 };
  const font = canvasFont(0.8);
  const { words, isCount } = current.current;
  const steps = isCount === true ? { incrs: WHOLE_STEPS } : {};
  return {
    width,
    height: chartHeight(),
    tzDate: (seconds) => Plot.tzDate(new Date(seconds * 1000), 'Etc/UTC'),
    cursor: {
      sync: { key: 'decant' },
      drag: { x: true, y: false, setScale: false },
      bind: {
        dblclick: () => () => {
          current.current.zoom(undefined);
          return null;
        },
      },
    },
    scales: { y: { range: (_, __, most) => [0, most > 0 ? most * 1.08 : 1] } },
    series: [
      { label: 'Time', value: (_, seconds) => momentAt(current.current, seconds) },
      ...current.current.lines.map(({ name, colour: own, isDashed }, i) => ({
        label: name,
        stroke: () => colour(own),
        width: 1.75,
        ...(isDashed === true ? { dash: [5, 4] } : {}),
        points: { show: false },
        value: (_: uPlot, value: number | null) => words(shown(current.current.lines[i].values, value)),
      })),
    ],
    axes: [
      { stroke: quiet, grid, ticks: grid, values: TIMES, space: 70, size: 3.4 * rootFontSize(), font },
      {
        stroke: quiet,
        grid,
        ticks: grid,
        size: 5 * rootFontSize(),
        font,
        values: (_, values) => values.map(words),
        ...steps,
      },
    ],
    hooks: {
      setSelect: [
        (plot) => {
          const { left, width: selected } = plot.select;
          if (selected < 5) return;
          const at = (pixel: number) => plot.posToVal(pixel, 'x') * 1000;
          current.current.zoom({ fromMs: at(left), toMs: at(left + selected) });
          plot.setSelect({ left: 0, width: 0, top: 0, height: 0 }, false);
        },
      ],
      draw: [(plot) => drawMarks(plot, current.current.marks)],
    },
  };
}

/** In page pixels; the canvas uses screen pixels. */
const MARK = 12;

function drawMarks({ ctx, bbox, valToPos }: uPlot, marks: Properties['marks']): void {
  const height = MARK * devicePixelRatio;
  ctx.save();
  ctx.globalAlpha = 0.55;
  for (const { atMs, colour: own } of marks) {
    const x = valToPos(atMs / 1000, 'x', true);
    if (x < bbox.left || x > bbox.left + bbox.width) continue;
    ctx.fillStyle = colour(own);
    ctx.fillRect(x - devicePixelRatio, bbox.top + bbox.height - height, 2 * devicePixelRatio, height);
  }
  ctx.restore();
}
