import { perHour } from '../../../report/money.ts';
import { BOTTOM, LEFT, RIGHT } from './plot-geometry.ts';
import type { Axis } from './square-root-axis.ts';

export function Axes({ x, y, width, height }: { x: Axis; y: Axis; width: number; height: number }) {
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
