import { useRef } from 'preact/hooks';
import { NONE } from '../../../lab/built-in-policies.ts';
import type { ComparedRow } from '../../../lab/comparison.ts';
import { countOf, dollars } from '../../../lab/figures.ts';
import type { RunTimeline } from '../../../lab/run-summary.ts';
import { timelineChart } from '../../../lab/timeline-chart.ts';
import { useWidth } from '../width.ts';

/** Number of distinguishable colours. */
const MOST_LINES = 8;

const FIGURES = [
  { title: 'Dollars per hour', figure: 'dollarsPerHour', inWords: dollars },
  { title: 'Nodes', figure: 'nodes', inWords: countOf },
  { title: 'Evictions so far', figure: 'evictions', inWords: countOf },
] as const satisfies readonly {
  readonly title: string;
  readonly figure: keyof Omit<RunTimeline, 'stepHours'>;
  readonly inWords: (value: number) => string;
}[];

/** The first seed of each policy, over time. */
export function Runs({ workload, rows }: { workload: string; rows: readonly ComparedRow[] }) {
  const shown = shownOf(rows);
  return (
    <>
      <ul class="legend">
        {shown.map(({ policy }, i) => (
          <li key={policy.name} class={`line-${i}`}>
            <i class="dot" />
            {policy.name}
          </li>
        ))}
      </ul>
      <div class="runs">
        {FIGURES.map(({ title, figure, inWords }) => (
          <figure key={figure}>
            <figcaption>{title}, seed 1</figcaption>
            <Lines
              label={`${title}, ${workload}`}
              rows={shown}
              valuesOf={({ timeline }) => timeline[figure]}
              inWords={inWords}
            />
          </figure>
        ))}
      </div>
    </>
  );
}

/** At most MOST_LINES: no consolidation, then the front, then the others. */
function shownOf(rows: readonly ComparedRow[]): readonly ComparedRow[] {
  const rank = (row: ComparedRow) => (row.policy.name === NONE.name ? 0 : row.onFront ? 1 : 2);
  const chosen = new Set([...rows].sort((a, b) => rank(a) - rank(b)).slice(0, MOST_LINES));
  return rows.filter((row) => chosen.has(row));
}

interface LinesProperties {
  readonly label: string;
  readonly rows: readonly ComparedRow[];
  readonly valuesOf: (row: ComparedRow) => readonly number[];
  readonly inWords: (value: number) => string;
}

/** Width before it is measured. */
const NARROWEST = 240;

function Lines({ label, rows, valuesOf, inWords }: LinesProperties) {
  const series = rows.map((row) => ({ name: row.policy.name, values: valuesOf(row) }));
  const svg = useRef<SVGSVGElement>(null);
  const room = Math.max(NARROWEST, useWidth(svg));
  const { stepHours } = rows[0].timeline;
  const { height, yTicks, xTicks, grid, lines } = timelineChart(series, stepHours, inWords, room);
  return (
    <svg ref={svg} class="chart" height={height} role="img" aria-label={label}>
      <path class="axis" d={grid} />
      {yTicks.map(({ text, x, y }) => (
        <text key={`y ${y}`} class="tick end" x={x} y={y}>
          {text}
        </text>
      ))}
      {xTicks.map(({ text, x, y, isLast }) => (
        <text key={`x ${x}`} class={`tick ${isLast ? 'end' : 'middle'}`} x={x} y={y}>
          {text}
        </text>
      ))}
      {lines.map((points, i) => (
        <polyline key={series[i].name} class={`run line-${i}`} points={points}>
          <title>{series[i].name}</title>
        </polyline>
      ))}
    </svg>
  );
}
