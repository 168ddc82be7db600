import { useRef } from 'preact/hooks';
import { grouped, perHour } from '../../../report/money.ts';
import type { MoveView } from '../../api.ts';
import { useWidth } from '../width.ts';

const HEIGHT = 280;
const LEFT = 76;
const RIGHT = 12;
const TOP = 14;
const BOTTOM = 40;
/** With more, points hide the line. */
const MOST_POINTS = 40;

/** Savings over evictions, move by move: where it flattens, the remaining moves cost many evictions. */
export function Gains({ moves }: { moves: readonly MoveView[] }) {
  const steps = cumulated(moves);
  const { evictions, cents } = steps[steps.length - 1];
  const svg = useRef<SVGSVGElement>(null);
  const width = useWidth(svg);
  const x = (n: number) => LEFT + (Math.max(1, width - LEFT - RIGHT) * n) / Math.max(1, evictions);
  const y = (c: number) => HEIGHT - BOTTOM - ((HEIGHT - BOTTOM - TOP) * c) / Math.max(1e-9, cents);
  const line = steps.map((step, i) => `${i === 0 ? 'M' : 'L'}${x(step.evictions)} ${y(step.cents)}`).join('');
  return (
    <section class="card stays-in-view" aria-labelledby="gains">
      <h2 id="gains">Savings against evictions</h2>
      <svg ref={svg} class="chart" height={HEIGHT} role="img" aria-label="Savings against evictions, move by move">
        {[0, cents / 2, cents].map((value) => (
          <g key={value}>
            <path class="axis" d={`M${LEFT} ${y(value)}H${width - RIGHT}`} />
            <text class="end" x={LEFT - 6} y={y(value) + 4}>
              {value === 0 ? '$0' : perHour(value)}
            </text>
          </g>
        ))}
        <text class="middle" x={LEFT} y={HEIGHT - BOTTOM + 18}>
          0
        </text>
        <text class="end" x={width - RIGHT} y={HEIGHT - BOTTOM + 18}>
          {grouped(String(evictions))}
        </text>
        <text class="end" x={width - RIGHT} y={HEIGHT - 4}>
          evictions
        </text>
        <path class="gain" d={line} />
        {(steps.length > MOST_POINTS ? [] : steps.slice(1)).map((step, i) => (
          <circle
            key={`${step.evictions} ${step.cents}`}
            class="gain-point"
            cx={x(step.evictions)}
            cy={y(step.cents)}
            r="3.5"
          >
            <title>{`after move ${i + 1}: ${perHour(step.cents)} for ${step.evictions} evictions`}</title>
          </circle>
        ))}
      </svg>
    </section>
  );
}

function cumulated(moves: readonly MoveView[]) {
  const steps = [{ evictions: 0, cents: 0 }];
  for (const { placements, savingsCentsPerHour } of moves) {
    const { evictions, cents } = steps[steps.length - 1];
    steps.push({ evictions: evictions + placements.length, cents: cents + savingsCentsPerHour });
  }
  return steps;
}
