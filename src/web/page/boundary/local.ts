import { isEnough } from '../../../engine/gates/savings-threshold.ts';
import type { BoundaryPoints, BoundaryVerdict, SumOfSingles } from '../../api.ts';

/**
 * Verdicts for another threshold during a drag: the other knobs as last asked, with the engine's own savings check. The
 * server confirms it a moment later; results differ if a threshold removes types from a replacement's list.
 */
export function underThreshold(points: BoundaryPoints, threshold: number): readonly BoundaryVerdict[] {
  const { unbounded, exempt, savingsCentsPerHour: savings, disruptionCost } = points;
  return unbounded.map((verdict, i) => {
    if (exempt[i] === 1) return verdict;
    return isEnough(savings[i], threshold * disruptionCost[i]) ? verdict : 0;
  });
}

export function sumOfPoints(points: BoundaryPoints, verdicts: readonly BoundaryVerdict[]): SumOfSingles {
  const sum = { nodes: 0, savingsCentsPerHour: 0, evictions: 0 };
  verdicts.forEach((verdict, i) => {
    if (verdict === 0) return;
    sum.nodes++;
    sum.savingsCentsPerHour += points.savingsCentsPerHour[i];
    sum.evictions += points.evictions[i];
  });
  return sum;
}

/** How a point is drawn; `in` and `out` are the ones that the question changes. */
export type PointKind = 'stays' | 'delete' | 'replace' | 'in' | 'out';

export function pointKindOf(now: BoundaryVerdict, then: BoundaryVerdict): PointKind {
  if (now === 0 && then > 0) return 'in';
  if (now > 0 && then === 0) return 'out';
  return then === 0 ? 'stays' : then === 1 ? 'delete' : 'replace';
}

/** Above it only exempt nodes would go; at least the current threshold, so that the line stays reachable. */
export function highestThreshold(points: BoundaryPoints, own: number): number {
  const { savingsCentsPerHour, disruptionCost, exempt } = points;
  const ratios = savingsCentsPerHour.map((cents, i) => {
    return exempt[i] === 1 || disruptionCost[i] <= 0 ? 0 : cents / disruptionCost[i];
  });
  return Math.max(0.1, 1.1 * Math.max(own, ...ratios));
}

export function roundedThreshold(value: number): number {
  return value <= 0 ? 0 : Number(value.toPrecision(3));
}
