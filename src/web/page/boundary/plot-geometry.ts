import type { BoundaryVerdict } from '../../api.ts';
import { type PointKind, pointKindOf } from './local.ts';
import type { Axis } from './square-root-axis.ts';

/** Margins in pixels. */
export const LEFT = 64;
export const RIGHT = 28;
export const TOP = 26;
export const BOTTOM = 44;
/** Pixels within which a pointer hits a point. */
const REACH = 14;

/** Indices of points by how they are drawn. */
export function pointsByKind(
  now: readonly BoundaryVerdict[],
  verdicts: readonly BoundaryVerdict[],
): Record<PointKind, number[]> {
  const kinds: Record<PointKind, number[]> = { stays: [], replace: [], delete: [], out: [], in: [] };
  verdicts.forEach((then, i) => {
    kinds[pointKindOf(now[i], then)].push(i);
  });
  return kinds;
}

/** Where the line leaves the plot. */
export function lineEnd(threshold: number, x: Axis, y: Axis): { readonly x: number; readonly y: number } {
  const up = threshold * x.most;
  if (up <= y.most) return { x: x.at(x.most), y: y.at(up) };
  return { x: x.at(y.most / threshold), y: y.at(y.most) };
}

/** The point under the pointer, if any. */
export function nearestPoint(xs: readonly number[], ys: readonly number[], px: number, py: number): number | undefined {
  let [best, least] = [-1, REACH * REACH];
  for (let i = 0; i < xs.length; i++) {
    const distance = (xs[i] - px) ** 2 + (ys[i] - py) ** 2;
    if (distance < least) [best, least] = [i, distance];
  }
  return best < 0 ? undefined : best;
}

/** The threshold after a key press; undefined for other keys. */
export function byKey(key: string, threshold: number, highest: number): number | undefined {
  const step = Math.max(0.05 * threshold, 0.005 * highest);
  switch (key) {
    case 'ArrowUp':
    case 'ArrowRight':
      return threshold + step;
    case 'ArrowDown':
    case 'ArrowLeft':
      return Math.max(0, threshold - step);
    case 'PageUp':
      return threshold + 0.1 * highest;
    case 'PageDown':
      return Math.max(0, threshold - 0.1 * highest);
    case 'Home':
      return 0;
    case 'End':
      return highest;
    default:
      return undefined;
  }
}
